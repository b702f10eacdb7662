package registry

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMutualTLS: a registry that asks for a certificate answers its holder. Without it, or with that of somebody else, the cause names the key.
func TestMutualTLS(t *testing.T) {
	t.Parallel()
	known, cert, key := identity(t, "known")
	_, otherCert, otherKey := identity(t, "other")
	clients := x509.NewCertPool()
	clients.AddCert(known)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"schema":"{}"}`) }))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	writePEM(t, ca, "CERTIFICATE", server.Certificate().Raw)

	trusted := Config{URLs: []string{server.URL}, CAFile: ca}
	with := func(certificate, key string) Config {
		c := trusted
		c.CertificateFile, c.KeyFile = certificate, key
		return c
	}
	if _, err := settled(t, open(t, with(cert, key)), 1); err != nil {
		t.Error(err)
	}
	for name, config := range map[string]Config{"none": trusted, "of another": with(otherCert, otherKey)} {
		t.Run(name, func(t *testing.T) {
			s := open(t, config)
			_, _ = s.Get(1)
			cause(t, s, "registry.certificate_file")
		})
	}
	pair := func(certificate, key string) string {
		return fmt.Sprintf("registry.certificate_file %s and registry.key_file %s: ", certificate, key)
	}
	for want, config := range map[string]Config{
		"registry.certificate_file: open " + cert + "x": with(cert+"x", key),
		"registry.key_file: open " + key + "x":          with(cert, key+"x"),
		pair(cert, otherKey):                            with(cert, otherKey),
		pair(key, cert):                                 with(key, cert),
	} {
		if _, err := New(config, func(Schema) (int, error) { return 0, nil }); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, in place of %s…", err, want)
		}
	}
}

// identity is a certificate that signs itself, and the paths of it and of its key.
func identity(t *testing.T, name string) (certificate *x509.Certificate, certificateFile, keyFile string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	if certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	certificateFile, keyFile = filepath.Join(directory, name+".pem"), filepath.Join(directory, name+".key")
	writePEM(t, certificateFile, "CERTIFICATE", der)
	writePEM(t, keyFile, "PRIVATE KEY", encoded)
	return certificate, certificateFile, keyFile
}

func writePEM(t *testing.T, path, kind string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		t.Fatal(err)
	}
}
