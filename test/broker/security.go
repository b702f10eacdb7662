package broker

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Security holds what clients of the guarded listeners need. On them, everything that no ACL allows is refused.
type Security struct {
	MutualTLS string // address: TLS with a client certificate
	SASL      string // address: SASL without TLS
	SASLTLS   string // address: SASL over TLS

	CA, Certificate, Key string // PEM files; the certificate's principal is ClientPrincipal
	// Of an authority that the broker does not trust: itself, and a client certificate that it signed.
	OtherCA, OtherCertificate, OtherKey string

	properties string
}

// Users of the SASL listeners: one for PLAIN, one for SCRAM (both strengths).
const (
	PlainUser     = "plain-user"
	PlainPassword = "plain-secret"
	ScramUser     = "scram-user"
	ScramPassword = "scram-secret"

	// ClientPrincipal is what ACLs call the owner of the client certificate.
	ClientPrincipal = "User:CN=client"
)

var formatOptions = fmt.Sprintf("--add-scram SCRAM-SHA-256=[name=%[1]s,password=%[2]s] --add-scram SCRAM-SHA-512=[name=%[1]s,password=%[2]s]",
	ScramUser, ScramPassword)

func newSecurity(directory string, ports []string) (Security, error) {
	address := func(i int) string { return net.JoinHostPort("127.0.0.1", ports[i]) }
	s := Security{MutualTLS: address(2), SASL: address(3), SASLTLS: address(4),
		CA: filepath.Join(directory, "ca.pem"), OtherCA: filepath.Join(directory, "other-ca.pem"),
		Certificate: filepath.Join(directory, "client.pem"), Key: filepath.Join(directory, "client-key.pem"),
		OtherCertificate: filepath.Join(directory, "other-client.pem"), OtherKey: filepath.Join(directory, "other-client-key.pem"),
		properties: filepath.Join(directory, "security.properties")}
	authority, err := newAuthority("test authority")
	if err != nil {
		return s, err
	}
	other, err := newAuthority("another authority")
	if err != nil {
		return s, err
	}
	serverCertificate, serverKey, err := authority.sign("127.0.0.1")
	if err != nil {
		return s, err
	}
	clientCertificate, clientKey, err := authority.sign("client")
	if err != nil {
		return s, err
	}
	otherCertificate, otherKey, err := other.sign("client")
	if err != nil {
		return s, err
	}
	// Kafka wants the key and its chain in one PEM file.
	keystore := filepath.Join(directory, "server.pem")
	for path, content := range map[string]string{s.CA: authority.pem, s.OtherCA: other.pem, s.OtherCertificate: otherCertificate, s.OtherKey: otherKey, s.Certificate: clientCertificate, s.Key: clientKey,
		keystore: serverKey + serverCertificate, s.properties: s.listeners(ports[0], ports[1], keystore)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s Security) listeners(plainPort, controllerPort, keystore string) string {
	plain := fmt.Sprintf(`org.apache.kafka.common.security.plain.PlainLoginModule required user_%s="%s";`, PlainUser, PlainPassword)
	const scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
	lines := []string{
		fmt.Sprintf("listeners=PLAINTEXT://127.0.0.1:%s,CONTROLLER://127.0.0.1:%s,SSL://%s,SASL_PLAINTEXT://%s,SASL_SSL://%s",
			plainPort, controllerPort, s.MutualTLS, s.SASL, s.SASLTLS),
		"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL",
		"ssl.keystore.type=PEM", "ssl.keystore.location=" + keystore,
		"ssl.truststore.type=PEM", "ssl.truststore.location=" + s.CA,
		"listener.name.ssl.ssl.client.auth=required",
		"sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
		"authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users=User:ANONYMOUS", // the plaintext listener, the broker itself among its clients
	}
	for _, listener := range []string{"sasl_plaintext", "sasl_ssl"} {
		lines = append(lines,
			"listener.name."+listener+".plain.sasl.jaas.config="+plain,
			"listener.name."+listener+".scram-sha-256.sasl.jaas.config="+scram,
			"listener.name."+listener+".scram-sha-512.sasl.jaas.config="+scram)
	}
	return strings.Join(lines, "\n") + "\n"
}

// authority signs certificates of this test run.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         string
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template(name)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key, block("CERTIFICATE", der)}, nil
}

// sign gives a certificate for a name, valid for 127.0.0.1, and its key.
func (a *authority) sign(name string) (certificate, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	template := template(name)
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, a.key)
	if err != nil {
		return "", "", err
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", encoded), nil
}

func template(name string) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
