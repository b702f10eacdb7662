package link

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

func (c settings) passwordPath() string {
	switch {
	case c.SASLPasswordFile != "":
		return "sasl.password_file"
	case c.SASLPasswordEnv != "":
		return "sasl.password_env"
	}
	return "sasl.password"
}

// password resolves the secret; the file's final line end is not part of it.
func (c settings) password() (string, error) {
	secret := string(c.SASLPassword)
	switch c.passwordPath() {
	case "sasl.password_file":
		content, err := os.ReadFile(c.SASLPasswordFile)
		if err != nil {
			return "", fmt.Errorf("cannot read the password: %w", unread(err))
		}
		secret = strings.TrimRight(string(content), "\r\n")
	case "sasl.password_env":
		secret = os.Getenv(c.SASLPasswordEnv)
	}
	if secret == "" {
		return "", fmt.Errorf("the password is empty")
	}
	return secret, nil
}

// tokenTLS trusts the system's authorities, and those of ssl.ca.location.
func (c settings) tokenTLS() (*tls.Config, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without authorities
	}
	content, err := os.ReadFile(c.CALocation)
	if err != nil {
		return nil, err
	}
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s %w", c.CALocation, errNotPEM)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}, nil
}

var errNotPEM = errors.New("contains no PEM block; export one from a Java keystore: keytool -importkeystore ... -deststoretype PKCS12, then openssl pkcs12 -in ... -out ... -nodes")

func certificatePool(path string) (*x509.CertPool, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s %w", path, errNotPEM)
	}
	return pool, nil
}

// unread is why a file that holds a secret cannot be read. It leaves the path out, because some write the secret there.
func unread(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%w: give the path of a file that holds it", path.Err)
	}
	return err
}

func keyPair(certificatePath, keyPath string) (tls.Certificate, error) {
	certificate, err := os.ReadFile(certificatePath)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := os.ReadFile(keyPath)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("ssl.key.location: %w", unread(err))
	}
	for path, content := range map[string][]byte{certificatePath: certificate, keyPath: key} {
		block, _ := pem.Decode(content)
		if block == nil {
			return tls.Certificate{}, fmt.Errorf("%s %w", path, errNotPEM)
		}
		if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
			return tls.Certificate{}, fmt.Errorf("%s is encrypted: decrypt it with openssl pkey -in %s -out ..., and protect the file", path, path)
		}
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("%s and %s: %w", certificatePath, keyPath, err)
	}
	return pair, nil
}
