package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// tlsConfig is nil for a protocol without TLS. Of a broker's certificate the chain is always checked, against
// ssl.ca.location or else the system's authorities, and the name too unless endpoint identification is none.
func (c Config) tlsConfig() (*tls.Config, error) {
	if !c.usesTLS() {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CALocation != "" {
		pool, err := certificatePool(c.CALocation)
		if err != nil {
			return nil, fmt.Errorf("ssl.ca.location: %w", err)
		}
		config.RootCAs = pool
	}
	if c.CertificateLocation != "" {
		pair, err := keyPair(c.CertificateLocation, c.KeyLocation)
		if err != nil {
			return nil, fmt.Errorf("ssl.certificate.location: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if c.EndpointIdentification == identifyNone {
		skipName(config)
	}
	return config, nil
}

// skipName keeps the check of the chain and drops that of the name, which crypto/tls offers only together.
func skipName(config *tls.Config) {
	config.InsecureSkipVerify = true
	config.VerifyConnection = func(state tls.ConnectionState) error {
		options := x509.VerifyOptions{Roots: config.RootCAs, Intermediates: x509.NewCertPool()}
		for _, certificate := range state.PeerCertificates[1:] {
			options.Intermediates.AddCert(certificate)
		}
		_, err := state.PeerCertificates[0].Verify(options)
		return err
	}
}

func (c Config) saslMechanism() (sasl.Mechanism, error) {
	if !c.usesSASL() {
		return nil, nil
	}
	if c.SASLMechanism == mechanismBearer {
		return c.newBearer()
	}
	password, err := c.password()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.passwordPath(), err)
	}
	switch c.SASLMechanism {
	case mechanismPlain:
		return plain.Mechanism{Username: c.SASLUsername, Password: password}, nil
	case mechanismSCRAM256:
		return scram.Mechanism(scram.SHA256, c.SASLUsername, password)
	default: // Validate knows no other
		return scram.Mechanism(scram.SHA512, c.SASLUsername, password)
	}
}

// tokenTLS trusts the system's authorities, and those of ssl.ca.location.
func (c Config) tokenTLS() (*tls.Config, error) {
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
