package link

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestValidate(t *testing.T) {
	t.Setenv("EMPTY_SECRET", "")
	t.Setenv("FULL_SECRET", "secret")
	sasl := func(change func(*Config)) Config {
		c := Config{Brokers: []string{"b:9092"}, SecurityProtocol: saslSSL, SASLMechanism: mechanismPlain, SASLUsername: "u", SASLPassword: "p"}
		change(&c)
		return c
	}
	notPEM, password := write(t, "ca", "text"), write(t, "password", "secret\n")
	const encryptedKey = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
	for _, test := range []struct {
		name   string
		config Config
		want   []string // of every problem, its path and a part of its message
	}{
		{"the smallest", Config{Brokers: []string{"b:9092"}}, nil},
		{"IPv6", Config{Brokers: []string{"[::1]:9092"}}, nil},
		{"lower case", sasl(func(c *Config) { c.SecurityProtocol, c.SASLMechanism = "sasl_ssl", "scram-sha-256" }), nil},
		{"password in a file", sasl(func(c *Config) { c.SASLPassword, c.SASLPasswordFile = "", password }), nil},
		{"password in the environment", sasl(func(c *Config) { c.SASLPassword, c.SASLPasswordEnv = "", "FULL_SECRET" }), nil},
		{"nothing", Config{}, []string{"brokers: name at least one"}},
		{"brokers", Config{Brokers: []string{"b", "b:0", "b:x", ":9092", "kafka://b:9092", "a:1,b:2"}},
			[]string{"brokers[0]: ", "brokers[1]: ", "brokers[2]: ", "brokers[3]: ", "brokers[4]: ", "brokers[5]: "}},
		{"every enumeration", Config{Brokers: []string{"b:1"}, SecurityProtocol: "TLS", IsolationLevel: "all", CompressionType: "brotli", EndpointIdentification: "no", RequestTimeoutMillis: 5},
			[]string{`security.protocol: "TLS" is none of PLAINTEXT, SSL`, "isolation.level: ", "compression.type: ", "ssl.endpoint.identification.algorithm: ", "request.timeout.ms: 5 is outside"}},
		{"SASL keys without SASL", Config{Brokers: []string{"b:1"}, SASLUsername: "u"}, []string{"security.protocol: is PLAINTEXT, which ignores the sasl keys"}},
		{"TLS keys without TLS", Config{Brokers: []string{"b:1"}, CALocation: "ca.pem"}, []string{"security.protocol: is PLAINTEXT, which ignores the ssl keys"}},
		{"SASL without a thing", Config{Brokers: []string{"b:1"}, SecurityProtocol: saslPlaintext}, []string{"sasl.mechanism: ", "sasl.username: ", "sasl.password: is missing"}},
		{"GSSAPI", sasl(func(c *Config) { c.SASLMechanism = "GSSAPI" }), []string{`sasl.mechanism: "GSSAPI" is none of`}},
		{"two passwords", sasl(func(c *Config) { c.SASLPasswordEnv = "FULL_SECRET" }), []string{"sasl.password: is given more than once"}},
		{"no such password file", sasl(func(c *Config) { c.SASLPassword, c.SASLPasswordFile = "", "/no/such/file" }), []string{"sasl.password_file: cannot read"}},
		{"an empty password", sasl(func(c *Config) { c.SASLPassword, c.SASLPasswordEnv = "", "EMPTY_SECRET" }), []string{"sasl.password_env: the password is empty"}},
		{"CA that is not there", sasl(func(c *Config) { c.CALocation = "/no/such/file" }), []string{"ssl.ca.location: "}},
		{"CA that is no PEM", sasl(func(c *Config) { c.CALocation = notPEM }), []string{"contains no PEM block"}},
		{"a certificate alone", sasl(func(c *Config) { c.CertificateLocation = notPEM }), []string{"ssl.key.location: is missing"}},
		{"a key alone", sasl(func(c *Config) { c.KeyLocation = notPEM }), []string{"ssl.certificate.location: is missing"}},
		{"a key that is encrypted", sasl(func(c *Config) {
			c.CertificateLocation = write(t, "k", encryptedKey)
			c.KeyLocation = c.CertificateLocation
		}),
			[]string{"is encrypted: decrypt it"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := Problems(test.config)
			if len(problems) != len(test.want) {
				t.Fatalf("problems %v; want %d", problems, len(test.want))
			}
			for i, problem := range problems {
				if !strings.Contains(problem.String(), test.want[i]) {
					t.Errorf("%q does not say %q", problem, test.want[i])
				}
			}
			client, err := Open(test.config, Options{})
			if (err != nil) != (len(test.want) > 0) {
				t.Errorf("Open: %v", err)
			}
			if err == nil {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	c := Config{Brokers: []string{"b:9092"}, SASLUsername: "user", SASLPassword: "hush-hush"}
	text, err := c.SASLPassword.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{fmt.Sprint(c), fmt.Sprintf("%v %+v %#v", c, c, c), fmt.Sprintf("%s %x %q %v", c.SASLPassword, c.SASLPassword, c.SASLPassword, &c.SASLPassword), string(text)} {
		if strings.Contains(shown, "hush") || strings.Contains(shown, fmt.Sprintf("%x", "hush")) {
			t.Errorf("shown: %s", shown)
		}
	}
	if got := fmt.Sprint(Secret("")); got != "" {
		t.Errorf("an empty secret shows as %q", got)
	}
	if password, err := settings(c).password(); err != nil || password != "hush-hush" {
		t.Errorf("password: %v", err)
	}
}
