package registry

import (
	"net/url"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Config is the section registry of the configuration.
type Config struct {
	// URLs are addresses of the schema registry, such as https://registry:8081. If one does not answer, or answers with 429 or 5xx,
	// the next is asked. Of Apicurio, the address ends with /apis/ccompat/v7.
	URLs []string `yaml:"urls,omitempty"`
	// Username is the name to log in with. With a token endpoint it is the client's id.
	Username string `yaml:"username,omitempty"`
	// Password is the password itself. With a token endpoint it is the client's secret.
	Password kafka.Secret `yaml:"password,omitempty"`
	// PasswordFile is the path of a file that contains only the password.
	PasswordFile string `yaml:"password_file,omitempty"`
	// TokenFile is the path of a file that contains only a bearer token. The file is read for each request, so replace it
	// to renew the token.
	TokenFile string `yaml:"token_file,omitempty"`
	// TokenEndpoint is the URL that issues bearer tokens, given the client's id and secret (OAuth 2, client credentials).
	TokenEndpoint string `yaml:"token_endpoint,omitempty"`
	// TokenScope is the scope of the requested token. Separate several scopes by spaces.
	TokenScope string `yaml:"token_scope,omitempty"`
	// CAFile is the path of a PEM file with the authorities that may sign the registry's certificate. Without it, the
	// authorities of the system apply.
	CAFile string `yaml:"ca_file,omitempty"`
	// CertificateFile is the path of the client's certificate, in PEM, for mutual TLS.
	CertificateFile string `yaml:"certificate_file,omitempty"`
	// KeyFile is the path of the client's private key, in PEM and not encrypted.
	KeyFile string `yaml:"key_file,omitempty"`
	// Timeout is the longest time for one request, 1s to 5m. Default 15s.
	Timeout time.Duration `yaml:"timeout,omitempty"`
	// UnknownAfter is how long records wait for a schema that the registry answers not to know. Then they are rejected.
	// 1s to 24h. Default 5m.
	UnknownAfter time.Duration `yaml:"unknown_after,omitempty"`
	// NotReadyAfter is how long records may wait for a schema before the process is not ready, 1s to 24h. Default 1m.
	NotReadyAfter time.Duration `yaml:"not_ready_after,omitempty"`
}

// WithDefaults returns c with every unset key that has a default set to it.
func (c Config) WithDefaults() Config {
	check.Default(&c.Timeout, 15*time.Second)
	check.Default(&c.UnknownAfter, 5*time.Minute)
	check.Default(&c.NotReadyAfter, time.Minute)
	return c
}

// Validate returns every problem of the section, whose defaults are filled in. required: the format of the records needs a registry.
func (c Config) Validate(required bool) []record.Problem {
	s := check.Section{Prefix: "registry."}
	if required && len(c.URLs) == 0 {
		s.Add("urls", "required by record.format: name the address of the schema registry, such as https://registry:8081")
	}
	for _, address := range c.URLs {
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			s.Add("urls", "one is not an address such as https://registry:8081, without a user: give username and password_file for that")
		}
	}
	if c.Password != "" && c.PasswordFile != "" {
		s.Add("password_file", "password is set too: remove one")
	}
	if (c.Username != "") != (c.Password != "" || c.PasswordFile != "") {
		s.Add("username", "give username and password_file together")
	}
	if c.TokenFile != "" && (c.Username != "" || c.TokenEndpoint != "") {
		s.Add("token_file", "username or token_endpoint is set too: log in in one way")
	}
	if c.TokenEndpoint != "" && c.Username == "" {
		s.Add("token_endpoint", "username and password_file are required: the client's id and secret")
	}
	if c.TokenScope != "" && c.TokenEndpoint == "" {
		s.Add("token_scope", "only of use with token_endpoint: remove it")
	}
	if (c.CertificateFile != "") != (c.KeyFile != "") {
		s.Add("certificate_file", "give certificate_file and key_file together")
	}
	check.Between(&s, "timeout", c.Timeout, time.Second, 5*time.Minute)
	check.Between(&s, "unknown_after", c.UnknownAfter, time.Second, 24*time.Hour)
	check.Between(&s, "not_ready_after", c.NotReadyAfter, time.Second, 24*time.Hour)
	return s.Problems
}
