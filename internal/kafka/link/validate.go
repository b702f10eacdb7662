package link

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

func (c settings) validateTokens(report func(string, string, ...any), password bool) {
	switch {
	case c.TokenFile == "" && c.TokenEndpoint == "":
		report("sasl.oauthbearer.token.endpoint.url", "is missing: OAUTHBEARER needs it, or sasl.oauthbearer.token_file")
	case c.TokenFile != "" && c.TokenEndpoint != "":
		report("sasl.oauthbearer.token_file", "is given beside sasl.oauthbearer.token.endpoint.url: keep one of them")
	case c.TokenFile != "":
		if password || c.SASLUsername != "" || c.TokenScope != "" {
			report("sasl.oauthbearer.token_file", "ignores sasl.username, the password and sasl.oauthbearer.scope: remove them")
		}
		if _, err := tokenOfFile(c.TokenFile, time.Time{}); err != nil {
			report("sasl.oauthbearer.token_file", "%s", strings.TrimPrefix(err.Error(), "sasl.oauthbearer.token_file: "))
		}
	default:
		if problem := endpointProblem(c.TokenEndpoint); problem != "" {
			report("sasl.oauthbearer.token.endpoint.url", "%s", problem)
		}
	}
}

// endpointProblem: the secret goes there, so it is encrypted unless it stays on this machine.
func endpointProblem(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Host == "", u.Scheme != "https" && u.Scheme != "http":
		return "is no URL, such as https://login.example.com/oauth2/token"
	case u.User != nil:
		return "holds a name or a password: give them as sasl.username and sasl.password_file"
	case u.Scheme == "http" && u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback():
		return "is not encrypted, and the secret goes there: use https"
	}
	return ""
}

// Problem is one thing that is wrong with a configuration: the path of the key, and what to do.
type Problem struct {
	Path, Message string
}

func (p Problem) String() string { return p.Path + ": " + p.Message }

// Problems lists everything that is wrong with a configuration. It reads the files that the configuration names, and no network.
func Problems(config Config) []Problem {
	c := settings(config).withDefaults()
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
	oneOf("compression.type", c.CompressionType, wire.CodecNames[:])
	oneOf("ssl.endpoint.identification.algorithm", c.EndpointIdentification, identities)
	if c.RequestTimeoutMillis < 1000 || c.RequestTimeoutMillis > 600_000 {
		report("request.timeout.ms", "%d is outside 1000 to 600000", c.RequestTimeoutMillis)
	}
	c.validateSASL(report, oneOf)
	c.validateTLS(report)
	return problems
}

func (c settings) validateSASL(report func(string, string, ...any), oneOf func(string, string, []string)) {
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

func (c settings) validateTLS(report func(string, string, ...any)) {
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
		if strings.Contains(broker, ",") {
			return fmt.Sprintf("%q lists several brokers: write each as an entry of its own, as [\"a:9092\", \"b:9092\"]", broker)
		}
		if scheme, rest, found := strings.Cut(broker, "://"); found {
			return fmt.Sprintf("%q has a scheme: write %q without %s://", broker, rest, scheme)
		}
		return fmt.Sprintf("%q is not of the form host:port, such as 127.0.0.1:9092 (IPv6 as [::1]:9092)", broker)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Sprintf("%q: the port must be 1 to 65535", broker)
	}
	if host == "" || strings.ContainsAny(host, "/, ") {
		return fmt.Sprintf("%q: the host must be a name or an address, without a scheme; one broker an entry", broker)
	}
	return ""
}
