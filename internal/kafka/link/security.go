package link

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// tlsConfig is nil for a protocol without TLS. Of a broker's certificate the chain is always checked, against
// ssl.ca.location or else the system's authorities, and the name too unless endpoint identification is none.
func (c settings) tlsConfig() (*tls.Config, error) {
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

func (c settings) saslMechanism() (sasl.Mechanism, error) {
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
