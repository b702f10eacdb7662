package link

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Config says how to reach a cluster. The keys are the property names that Kafka's own clients and librdkafka use:
//
//	kafka:
//	  brokers: ["broker-1:9093", "broker-2:9093"]
//	  security.protocol: SASL_SSL
//	  sasl.mechanism: SCRAM-SHA-512
//	  sasl.username: fairstream
//	  sasl.password_file: /run/secrets/kafka-password
//	  ssl.ca.location: /etc/ssl/kafka-ca.pem
//
// A password is given in one of three ways: in the file itself, by a file that holds nothing else, or by the name of
// an environment variable. String never shows it.
type Config struct {
	// Brokers are addresses of brokers as host:port. One reachable broker is enough to find the cluster.
	Brokers []string `yaml:"brokers"`
	// ClientID is the name of this client in the logs and quotas of the brokers.
	ClientID string `yaml:"client_id,omitempty"`

	// SecurityProtocol is the protocol of the brokers: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL.
	SecurityProtocol string `yaml:"security.protocol,omitempty"`

	// SASLMechanism is the method to log in: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER.
	SASLMechanism string `yaml:"sasl.mechanism,omitempty"`
	// SASLUsername is the name to log in with. For OAUTHBEARER with a token endpoint it is the client's id.
	SASLUsername string `yaml:"sasl.username,omitempty"`
	// SASLPassword is the password itself. For OAUTHBEARER with a token endpoint it is the client's secret.
	SASLPassword Secret `yaml:"sasl.password,omitempty"`
	// SASLPasswordFile is the path of a file that contains only the password.
	SASLPasswordFile string `yaml:"sasl.password_file,omitempty"`
	// SASLPasswordEnv is the name of an environment variable that contains the password.
	SASLPasswordEnv string `yaml:"sasl.password_env,omitempty"`

	// TokenFile is the path of a file that contains only a token for OAUTHBEARER. The file is read for each new
	// connection, so replace it to renew the token.
	TokenFile string `yaml:"sasl.oauthbearer.token_file,omitempty"`
	// TokenEndpoint is the URL that issues tokens for OAUTHBEARER, given the client's id and secret (client
	// credentials). Its certificate is checked against ssl.ca.location and the authorities of the system.
	TokenEndpoint string `yaml:"sasl.oauthbearer.token.endpoint.url,omitempty"`
	// TokenScope is the scope of the requested token. Separate several scopes by spaces.
	TokenScope string `yaml:"sasl.oauthbearer.scope,omitempty"`

	// CALocation is the path of a PEM file with the authorities that may sign a broker's certificate. Without it, the
	// authorities of the system apply.
	CALocation string `yaml:"ssl.ca.location,omitempty"`
	// CertificateLocation is the path of the client's certificate, in PEM, for mutual TLS.
	CertificateLocation string `yaml:"ssl.certificate.location,omitempty"`
	// KeyLocation is the path of the client's private key, in PEM and not encrypted.
	KeyLocation string `yaml:"ssl.key.location,omitempty"`
	// EndpointIdentification is whether the broker's certificate must name the host: https (it must) or none.
	EndpointIdentification string `yaml:"ssl.endpoint.identification.algorithm,omitempty"`

	// IsolationLevel is which records are read: read_committed skips the records of aborted transactions;
	// read_uncommitted does not.
	IsolationLevel string `yaml:"isolation.level,omitempty"`
	// CompressionType is the compression of written records: none, gzip, snappy, lz4 or zstd.
	CompressionType string `yaml:"compression.type,omitempty"`
	// RequestTimeoutMillis is the longest time for a request other than a fetch, in milliseconds. The broker gets half
	// of it as its limit.
	RequestTimeoutMillis int `yaml:"request.timeout.ms,omitempty"`
}

func (c Config) usesTokens() bool {
	return c.TokenFile != "" || c.TokenEndpoint != "" || c.TokenScope != ""
}

// Secret is a string that no format verb and no YAML encoder shows.
type Secret string

const redacted = "[redacted]"

// String is part of fmt.Stringer.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// Format is part of fmt.Formatter: no verb gets further than String.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText is part of encoding.TextMarshaler.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

const (
	dialTimeout = 5 * time.Second
	idleTimeout = time.Minute
	// brokersTTL is how often kafka-go asks for the list of brokers, all that it needs to know: leaders are asked for
	// by us. It is also the time limit of that request, so it is no shorter.
	brokersTTL = 5 * time.Second
)

const (
	plaintext     = "PLAINTEXT"
	ssl           = "SSL"
	saslPlaintext = "SASL_PLAINTEXT"
	saslSSL       = "SASL_SSL"

	mechanismPlain    = "PLAIN"
	mechanismSCRAM256 = "SCRAM-SHA-256"
	mechanismSCRAM512 = "SCRAM-SHA-512"
	mechanismBearer   = "OAUTHBEARER"

	readCommitted   = "read_committed"
	readUncommitted = "read_uncommitted"

	identifyHTTPS = "https"
	identifyNone  = "none"
)

var (
	protocols  = []string{plaintext, ssl, saslPlaintext, saslSSL}
	mechanisms = []string{mechanismPlain, mechanismSCRAM256, mechanismSCRAM512, mechanismBearer}
	isolations = []string{readCommitted, readUncommitted}
	identities = []string{identifyHTTPS, identifyNone}
)

// DefaultConfig has every default and no broker.
func DefaultConfig() Config {
	return Config{
		ClientID:               "fairstream",
		SecurityProtocol:       plaintext,
		EndpointIdentification: identifyHTTPS,
		IsolationLevel:         readCommitted,
		CompressionType:        "none",
		RequestTimeoutMillis:   20_000,
	}
}

// withDefaults fills what was left out, so that the zero Config with brokers is valid.
func (c Config) withDefaults() Config {
	d := DefaultConfig()
	for _, field := range []struct{ value, standard *string }{
		{&c.ClientID, &d.ClientID},
		{&c.SecurityProtocol, &d.SecurityProtocol},
		{&c.EndpointIdentification, &d.EndpointIdentification},
		{&c.IsolationLevel, &d.IsolationLevel},
		{&c.CompressionType, &d.CompressionType},
	} {
		if *field.value == "" {
			*field.value = *field.standard
		}
	}
	if c.RequestTimeoutMillis == 0 {
		c.RequestTimeoutMillis = d.RequestTimeoutMillis
	}
	c.SecurityProtocol = strings.ToUpper(c.SecurityProtocol)
	c.SASLMechanism = strings.ToUpper(c.SASLMechanism)
	return c
}

func (c Config) usesSASL() bool {
	return c.SecurityProtocol == saslPlaintext || c.SecurityProtocol == saslSSL
}
func (c Config) usesTLS() bool { return c.SecurityProtocol == ssl || c.SecurityProtocol == saslSSL }

func (c Config) requestTimeout() time.Duration {
	return time.Duration(c.RequestTimeoutMillis) * time.Millisecond
}

// Isolation is the level as a request names it.
func (c Config) Isolation() int8 {
	if c.IsolationLevel == readUncommitted {
		return wire.Uncommitted
	}
	return wire.Committed
}
