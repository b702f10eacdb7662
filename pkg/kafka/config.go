package kafka

import (
	"fmt"
	"io"
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
