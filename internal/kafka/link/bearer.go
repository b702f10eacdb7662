package link

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/fairstream/fairstream/internal/kafka/fault"
)

// token is what proves who we are, and when it ends; the zero time if that is not known.
type token struct {
	text    string
	expires time.Time
}

// bearer is the mechanism OAUTHBEARER (RFC 7628): each connection begins with a token. kafka-go does not
// authenticate a connection again (KIP-368), and a broker closes one whose token has ended; so connections are
// replaced before.
type bearer struct {
	fetch func(context.Context) (token, error)

	mutex sync.Mutex
	kept  token     // from a token endpoint
	renew time.Time // of kept
	stop  time.Time // when the first connection is to be replaced; zero: none is
}

// renewAt is the part of its life after which a token is not used any more.
const renewAt = .8

// newBearer is the mechanism of a configuration.
func (c settings) newBearer() (*bearer, error) {
	if c.TokenFile != "" {
		return &bearer{fetch: func(context.Context) (token, error) { return tokenOfFile(c.TokenFile, time.Now()) }}, nil
	}
	secret, err := c.password()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.passwordPath(), err)
	}
	client, err := c.tokenClient()
	if err != nil {
		return nil, fmt.Errorf("ssl.ca.location: %w", err)
	}
	credentials := &clientcredentials.Config{ClientID: c.SASLUsername, ClientSecret: secret, TokenURL: c.TokenEndpoint, Scopes: strings.Fields(c.TokenScope)}
	b := &bearer{}
	b.fetch = func(ctx context.Context) (token, error) { return b.ask(ctx, client, credentials) }
	return b, nil
}

// Name is part of sasl.Mechanism.
func (*bearer) Name() string { return mechanismBearer }

// Start is part of sasl.Mechanism.
func (b *bearer) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	t, err := b.fetch(ctx)
	if err != nil {
		return nil, nil, err
	}
	if now := time.Now(); !t.expires.IsZero() {
		end := now.Add(time.Duration(renewAt * float64(t.expires.Sub(now))))
		b.mutex.Lock()
		if b.stop.IsZero() || end.Before(b.stop) {
			b.stop = end
		}
		b.mutex.Unlock()
	}
	return bearerSession{}, []byte("n,,\x01auth=Bearer " + t.text + "\x01\x01"), nil
}

// stale says once that connections are to be replaced. A nil bearer has none.
func (b *bearer) stale(now time.Time) bool {
	if b == nil {
		return false
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.stop.IsZero() || now.Before(b.stop) {
		return false
	}
	b.stop = time.Time{}
	return true
}

// bearerSession is what follows the token: nothing, or why it is refused.
type bearerSession struct{}

// Next is part of sasl.StateMachine.
func (bearerSession) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	if len(challenge) > 0 {
		return false, nil, &fault.TokenError{Class: fault.Fatal, Problem: "the broker refuses the token", Advice: "check its issuer, audience, scope and signature against the listener's sasl.oauthbearer settings, and the clocks"}
	}
	return true, nil, nil
}

// ask gives the kept token, or a new one from the endpoint.
func (b *bearer) ask(ctx context.Context, client *http.Client, credentials *clientcredentials.Config) (token, error) {
	b.mutex.Lock()
	kept, renew := b.kept, b.renew
	b.mutex.Unlock()
	now := time.Now()
	if kept.text != "" && now.Before(renew) {
		return kept, nil
	}
	given, err := credentials.Token(context.WithValue(ctx, oauth2.HTTPClient, client))
	if err != nil {
		return token{}, endpointError(err)
	}
	kept = token{given.AccessToken, given.Expiry}
	if kept.expires.IsZero() {
		kept.expires = expiryOf(kept.text)
	}
	b.mutex.Lock()
	b.kept, b.renew = kept, now.Add(time.Duration(renewAt*float64(kept.expires.Sub(now))))
	b.mutex.Unlock()
	return kept, nil
}

// endpointError says what went wrong at a token endpoint. Of its answer only the code is shown: a careless
// server may repeat the secret.
func endpointError(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		var unreachable *url.Error
		if errors.As(err, &unreachable) {
			err = unreachable.Err // without the URL
		}
		return &fault.TokenError{Class: fault.Retry, Problem: fmt.Sprintf("no token: %v", err), Advice: "the token endpoint cannot be reached: check sasl.oauthbearer.token.endpoint.url and its certificate"}
	}
	status := refused.Response.StatusCode
	problem := fmt.Sprintf("no token: the endpoint answers %d", status)
	switch refused.ErrorCode { // RFC 6749, section 5.2
	case "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
		problem += ", " + refused.ErrorCode
	}
	if status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout {
		return &fault.TokenError{Class: fault.Retry, Problem: problem, Advice: "the token server is out of order, or busy"}
	}
	return &fault.TokenError{Class: fault.Fatal, Problem: problem, Advice: "check sasl.username (the client's id), the password (its secret) and sasl.oauthbearer.scope"}
}

// largestToken bounds the bytes of a token: a header of HTTP takes less.
const largestToken = 64 << 10

// tokenOfFile reads a token. One that has ended is an error that passes when somebody renews the file.
func tokenOfFile(path string, now time.Time) (token, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return token{}, &fault.TokenError{Class: fault.Retry, Problem: fmt.Sprintf("sasl.oauthbearer.token_file: %v", unread(err)), Advice: "whoever renews the token writes this file"}
	}
	text := strings.TrimSpace(string(content))
	if text == "" || len(text) > largestToken || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return token{}, &fault.TokenError{Class: fault.Retry, Problem: "sasl.oauthbearer.token_file: " + path + " holds no token", Advice: "it is to hold one token, and nothing else"}
	}
	expires := expiryOf(text)
	if !expires.IsZero() && !expires.After(now) {
		return token{}, &fault.TokenError{Class: fault.Retry, Problem: fmt.Sprintf("sasl.oauthbearer.token_file: the token in %s ended at %s", path, expires.UTC().Format(time.RFC3339)),
			Advice: "whoever renews the token has stopped"}
	}
	return token{text, expires}, nil
}

// expiryOf reads the claim exp of a JSON Web Token, without checking it; zero if there is none. The broker
// checks.
func expiryOf(text string) time.Time {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Expires float64 `json:"exp"`
	}
	if err != nil || json.Unmarshal(body, &claims) != nil || claims.Expires <= 0 || claims.Expires > 1<<40 {
		return time.Time{}
	}
	return time.Unix(int64(claims.Expires), 0)
}

// tokenClient asks a token endpoint. It follows no redirection: the secret goes to the configured host alone.
func (c settings) tokenClient() (*http.Client, error) {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSHandshakeTimeout: dialTimeout}
	if c.CALocation != "" {
		config, err := c.tokenTLS()
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = config
	}
	return &http.Client{Transport: transport, Timeout: c.requestTimeout(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, nil
}
