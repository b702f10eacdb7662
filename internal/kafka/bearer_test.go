package kafka

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fairstream/fairstream/test/broker"
)

// TestTokens logs in on a real broker with the tokens of a real token server, and with what is none.
func TestTokens(t *testing.T) {
	b, tokens := broker.StartWithTokens(t)
	admin := newClient(t, Config{Brokers: []string{b.Address}}, Options{})
	if _, err := admin.CreateTopics(t.Context(), TopicSpec{Name: "t", Kind: InputTopic}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "token")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(tokens.Sign(broker.TokenAudience, time.Hour) + "\n")
	base := Config{Brokers: []string{tokens.Listener}, SecurityProtocol: saslPlaintext, SASLMechanism: mechanismBearer}
	ofFile, ofServer := base, base
	ofFile.TokenFile = file
	ofServer.TokenEndpoint, ofServer.SASLUsername, ofServer.SASLPassword, ofServer.TokenScope = tokens.Endpoint, broker.TokenClient, broker.TokenSecret, "kafka"
	wrong := ofServer
	wrong.SASLPassword = "wrong-secret"
	nobody := ofServer
	nobody.TokenEndpoint = "http://127.0.0.1:1/token"

	for _, test := range []struct {
		name   string
		config Config
		before func()
		want   string // empty: it works
		class  Class
	}{
		{"a file", ofFile, func() {}, "", 0},
		{"a token server", ofServer, func() {}, "", 0},
		{"a wrong secret", wrong, func() {}, "the endpoint answers 401, invalid_client: check sasl.username", Fatal},
		{"no token server", nobody, func() {}, "the token endpoint cannot be reached", Retry},
		{"a token server out of order", ofServer, func() { tokens.Refuse(true) }, "the endpoint answers 503", Retry},
		{"another audience", ofFile, func() { tokens.Refuse(false); write(tokens.Sign("other", time.Hour)) }, "the broker refuses the token: check its issuer", Fatal},
		{"no signature", ofFile, func() { write("eyJhbGciOiJub25lIn0.e30.") }, "the broker refuses the token", Fatal},
		{"a token that ended", ofFile, func() { write(tokens.Sign(broker.TokenAudience, -time.Minute)) }, "ended at 20", Retry},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.before()
			c := newClient(t, test.config, Options{})
			_, err := c.Append(t.Context(), "t", 0, Message{Value: []byte(test.name)})
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || ClassOf(err) != test.class {
				t.Errorf("class %v, %v; want %v, %q", ClassOf(err), err, test.class, test.want)
			}
			if err != nil && (strings.Contains(err.Error(), "secret ") || strings.Contains(err.Error(), "wrong-secret") || strings.Contains(err.Error(), "eyJ")) {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}

	// The broker closes a connection when its token ends. A client that renews tokens in time does not notice; one that
	// does not is told of an outage at the end of each token. A machine that stands still for a second may miss one.
	t.Run("renewed before they end", func(t *testing.T) {
		tokens.Last(5 * time.Second)
		asked := tokens.Asked()
		var outages atomic.Int32
		c := newClient(t, ofServer, Options{Notify: func(o Outage) {
			if o.Err != nil && o.Attempt <= 1 {
				t.Logf("told of an outage: %+v", o)
				outages.Add(1)
			}
		}})
		for i := 0; tokens.Asked()-asked < 4; i++ {
			err := c.Retry(t.Context(), "write", func(ctx context.Context) error {
				_, err := c.Append(ctx, "t", 0, Message{Value: fmt.Append(nil, i)})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
		}
		if n := outages.Load(); n > 1 {
			t.Errorf("told of %d outages in the life of three tokens", n)
		}
	})
}

func newClient(t *testing.T, config Config, options Options) *Client {
	t.Helper()
	c, err := Open(config, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

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
		found := fmt.Sprint(config.Validate())
		if test.want == "" && found != "[]" || !strings.Contains(found, test.want) {
			t.Errorf("%s: %s, want %q", test.name, found, test.want)
		}
		if strings.Contains(found, "me:pass") {
			t.Errorf("%s: shows the password", test.name)
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
