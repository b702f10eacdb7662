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
	base := Config{Brokers: []string{tokens.Listener}, SecurityProtocol: "SASL_PLAINTEXT", SASLMechanism: "OAUTHBEARER"}
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
