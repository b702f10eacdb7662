package link

import (
	"cmp"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
	public "github.com/fairstream/fairstream/pkg/kafka"
)

// Config and Secret are public: whoever follows or scores a topic from another module names them.
type (
	Config = public.Config
	Secret = public.Secret
)

// settings are a Config as it is used.
type settings Config

func (c settings) usesTokens() bool {
	return c.TokenFile != "" || c.TokenEndpoint != "" || c.TokenScope != ""
}

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
func (c settings) withDefaults() settings {
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
	c.RequestTimeoutMillis = cmp.Or(c.RequestTimeoutMillis, d.RequestTimeoutMillis)
	c.SecurityProtocol = strings.ToUpper(c.SecurityProtocol)
	c.SASLMechanism = strings.ToUpper(c.SASLMechanism)
	return c
}

func (c settings) usesSASL() bool {
	return c.SecurityProtocol == saslPlaintext || c.SecurityProtocol == saslSSL
}
func (c settings) usesTLS() bool { return c.SecurityProtocol == ssl || c.SecurityProtocol == saslSSL }

func (c settings) requestTimeout() time.Duration {
	return time.Duration(c.RequestTimeoutMillis) * time.Millisecond
}

// Isolation is the level as a request names it.
func (c settings) Isolation() int8 {
	if c.IsolationLevel == readUncommitted {
		return wire.Uncommitted
	}
	return wire.Committed
}
