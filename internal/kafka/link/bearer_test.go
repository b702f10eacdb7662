package link

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTokenConfigurations(t *testing.T) {
	directory := t.TempDir()
	good, empty, two := filepath.Join(directory, "good"), filepath.Join(directory, "empty"), filepath.Join(directory, "two")
	for path, text := range map[string]string{good: "opaque", empty: "\n", two: "one two"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	base := Config{Brokers: []string{"b:9092"}, SecurityProtocol: saslSSL, SASLMechanism: mechanismBearer}
	server := func(url string) func(*Config) {
		return func(c *Config) { c.TokenEndpoint, c.SASLUsername, c.SASLPassword = url, "client", "secret" }
	}
	for _, test := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"a file", func(c *Config) { c.TokenFile = good }, ""},
		{"a server", server("https://login.example.com/token"), ""},
		{"a server on this machine", server("http://127.0.0.1:8080/token"), ""},
		{"neither", func(*Config) {}, "sasl.oauthbearer.token.endpoint.url: is missing"},
		{"both", func(c *Config) { server("https://x/t")(c); c.TokenFile = good }, "keep one of them"},
		{"a file and a name", func(c *Config) { c.TokenFile, c.SASLUsername = good, "client" }, "ignores sasl.username"},
		{"no file", func(c *Config) { c.TokenFile = filepath.Join(directory, "none") }, "no such file"},
		{"an empty file", func(c *Config) { c.TokenFile = empty }, "holds no token"},
		{"two tokens", func(c *Config) { c.TokenFile = two }, "holds no token"},
		{"no secret", func(c *Config) { c.TokenEndpoint, c.SASLUsername = "https://x/t", "client" }, "sasl.password: is missing"},
		{"no client", func(c *Config) { c.TokenEndpoint, c.SASLPassword = "https://x/t", "secret" }, "sasl.username: is missing"},
		{"not encrypted", server("http://login.example.com/token"), "is not encrypted"},
		{"a password in the URL", server("https://me:pass@login.example.com/token"), "holds a name or a password"},
		{"no URL", server("login"), "is no URL"},
		{"another mechanism", func(c *Config) { server("https://x/t")(c); c.SASLMechanism = mechanismPlain }, "ignores the sasl.oauthbearer keys"},
		{"no SASL", func(c *Config) { *c = Config{Brokers: c.Brokers, TokenFile: good} }, "which ignores the sasl keys"},
	} {
		config := base
		test.change(&config)
		found := fmt.Sprint(Problems(config))
		if test.want == "" && found != "[]" || !strings.Contains(found, test.want) {
			t.Errorf("%s: %s, want %q", test.name, found, test.want)
		}
		if strings.Contains(found, "me:pass") {
			t.Errorf("%s: shows the password", test.name)
		}
	}
}

// TestWhenATokenEnds: at the second that its claim names, if that is a number of seconds after 1970 and not in tens of thousands of years.
func TestWhenATokenEnds(t *testing.T) {
	for claim, want := range map[string]int64{"1": 1, "1763800000": 1763800000, "1763800000.75": 1763800000, "1099511627776": 1 << 40, "1099511627777": 0, "0": 0, "-1": 0, `"1"`: 0, "null": 0} {
		at := expiryOf("head." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":`+claim+`}`)) + ".signature")
		if want == 0 && !at.IsZero() || want != 0 && !at.Equal(time.Unix(want, 0)) {
			t.Errorf("a claim of %s is %v", claim, at)
		}
	}
	for _, text := range []string{"opaque", "a.b", "a.e30.c.d", "a.!.c", "a.e30.c"} {
		if at := expiryOf(text); !at.IsZero() {
			t.Errorf("%s is %v", text, at)
		}
	}
}

func FuzzTokenExpiry(f *testing.F) {
	f.Add("eyJhbGciOiJub25lIn0.eyJleHAiOjE3NjM4MDAwMDB9.x")
	f.Add("opaque")
	f.Fuzz(func(t *testing.T, text string) {
		if at := expiryOf(text); at.Unix() > 1<<40 {
			t.Errorf("a token that ends at %v", at)
		}
	})
}
