package kafka

import (
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
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

// Problem is one thing that is wrong with a configuration: the path of the key, and what to do.
type Problem struct {
	Path, Message string
}

func (p Problem) String() string { return p.Path + ": " + p.Message }

// Validate lists everything that is wrong. It reads the files that the configuration names, and no network.
func (c Config) Validate() []Problem {
	c = c.withDefaults()
	var problems []Problem
	report := func(path, format string, values ...any) {
		problems = append(problems, Problem{path, fmt.Sprintf(format, values...)})
	}
	oneOf := func(path, value string, known []string) {
		if !slices.Contains(known, value) {
			report(path, "%q is none of %s", value, strings.Join(known, ", "))
		}
	}

	if len(c.Brokers) == 0 {
		report("brokers", `name at least one broker, as in ["127.0.0.1:9092"]`)
	}
	for i, broker := range c.Brokers {
		if reason := addressProblem(broker); reason != "" {
			report(fmt.Sprintf("brokers[%d]", i), "%s", reason)
		}
	}
	oneOf("security.protocol", c.SecurityProtocol, protocols)
	oneOf("isolation.level", c.IsolationLevel, isolations)
	oneOf("compression.type", c.CompressionType, codecNames[:])
	oneOf("ssl.endpoint.identification.algorithm", c.EndpointIdentification, identities)
	if c.RequestTimeoutMillis < 1000 || c.RequestTimeoutMillis > 600_000 {
		report("request.timeout.ms", "%d is outside 1000 to 600000", c.RequestTimeoutMillis)
	}
	c.validateSASL(report, oneOf)
	c.validateTLS(report)
	return problems
}

func (c Config) validateSASL(report func(string, string, ...any), oneOf func(string, string, []string)) {
	given := 0
	for _, way := range []string{string(c.SASLPassword), c.SASLPasswordFile, c.SASLPasswordEnv} {
		if way != "" {
			given++
		}
	}
	if !c.usesSASL() {
		if c.SASLMechanism != "" || c.SASLUsername != "" || given > 0 || c.usesTokens() {
			report("security.protocol", "is %s, which ignores the sasl keys: set SASL_SSL or SASL_PLAINTEXT, or remove them", c.SecurityProtocol)
		}
		return
	}
	oneOf("sasl.mechanism", c.SASLMechanism, mechanisms)
	if c.SASLMechanism == mechanismBearer {
		c.validateTokens(report, given > 0)
	} else if c.usesTokens() {
		report("sasl.mechanism", "is %s, which ignores the sasl.oauthbearer keys: set OAUTHBEARER, or remove them", c.SASLMechanism)
	}
	if c.SASLMechanism == mechanismBearer && c.TokenEndpoint == "" {
		return // no name, no password
	}
	if c.SASLUsername == "" {
		report("sasl.username", "is missing, and security.protocol is %s", c.SecurityProtocol)
	}
	switch {
	case given == 0:
		report("sasl.password", "is missing: give sasl.password_file, sasl.password_env or sasl.password")
	case given > 1:
		report("sasl.password", "is given more than once: keep one of sasl.password, sasl.password_file, sasl.password_env")
	default:
		if _, err := c.password(); err != nil {
			report(c.passwordPath(), "%v", err)
		}
	}
}

func (c Config) validateTLS(report func(string, string, ...any)) {
	if !c.usesTLS() {
		if c.CALocation != "" || c.CertificateLocation != "" || c.KeyLocation != "" {
			report("security.protocol", "is %s, which ignores the ssl keys: set SSL or SASL_SSL, or remove them", c.SecurityProtocol)
		}
		return
	}
	if c.CALocation != "" {
		if _, err := certificatePool(c.CALocation); err != nil {
			report("ssl.ca.location", "%v", err)
		}
	}
	switch {
	case c.CertificateLocation != "" && c.KeyLocation == "":
		report("ssl.key.location", "is missing: a client certificate needs its private key")
	case c.CertificateLocation == "" && c.KeyLocation != "":
		report("ssl.certificate.location", "is missing: a private key needs its certificate")
	case c.CertificateLocation != "":
		if _, err := keyPair(c.CertificateLocation, c.KeyLocation); err != nil {
			report("ssl.certificate.location", "%v", err)
		}
	}
}

func addressProblem(broker string) string {
	if strings.Contains(broker, "@") { // what stands before it may be a password, and is not shown
		return "has a user or a password before its @: write host:port alone, and set kafka.sasl.username and kafka.sasl.password_file"
	}
	host, port, err := net.SplitHostPort(broker)
	if err != nil {
		return fmt.Sprintf("%q is not of the form host:port (IPv6 as [::1]:9092)", broker)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Sprintf("%q: the port must be 1 to 65535", broker)
	}
	if host == "" || strings.ContainsAny(host, "/, ") {
		return fmt.Sprintf("%q: the host must be a name or an address, without a scheme; one broker an entry", broker)
	}
	return ""
}

func (c Config) passwordPath() string {
	switch {
	case c.SASLPasswordFile != "":
		return "sasl.password_file"
	case c.SASLPasswordEnv != "":
		return "sasl.password_env"
	}
	return "sasl.password"
}

// password resolves the secret; the file's final line end is not part of it.
func (c Config) password() (string, error) {
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
