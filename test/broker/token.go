package broker

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// Tokens is a token server (RFC 6749, section 4.4) that signs JSON Web Tokens, and publishes its key for the broker.
type Tokens struct {
	Endpoint string // where a client asks for a token
	Listener string // address of the broker's OAUTHBEARER listener, without TLS

	server   *httptest.Server
	key      *rsa.PrivateKey
	lifetime atomic.Int64
	asked    atomic.Int64
	refusing atomic.Bool
}

// The one client that the server knows, and what its tokens say.
const (
	TokenClient   = "token-client"
	TokenSecret   = "token-secret"
	TokenAudience = "kafka"
	TokenIssuer   = "https://issuer.invalid"
)

// StartWithTokens starts a broker of the test's own with one more listener, for OAUTHBEARER. Whoever has a token may do
// everything.
func StartWithTokens(t testing.TB) (*Broker, *Tokens) {
	t.Helper()
	skipShort(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := &Tokens{key: key}
	s.Last(time.Hour)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", s.give)
	mux.HandleFunc("GET /keys", s.keys)
	s.server = httptest.NewServer(mux)
	t.Cleanup(s.server.Close)
	s.Endpoint = s.server.URL + "/token"

	b, err := tryPorts(t.TempDir(), func(directory string) (*Broker, error) {
		b, err := prepare(directory)
		if err != nil {
			return nil, err
		}
		b.heap = "-Xms512m -Xmx512m -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + s.server.URL + "/keys"
		if err := s.addListener(b); err != nil {
			return nil, err
		}
		return b, b.Restart()
	})
	skipOrFail(t, err)
	t.Cleanup(b.end)
	return b, s
}

// addListener adds to the broker's properties; the last of two equal keys wins.
func (s *Tokens) addListener(b *Broker) error {
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	s.Listener = net.JoinHostPort("127.0.0.1", ports[0])
	properties := fmt.Sprintf(`
listeners=PLAINTEXT://127.0.0.1:%s,CONTROLLER://127.0.0.1:%s,BEARER://%s
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,BEARER:SASL_PLAINTEXT
sasl.enabled.mechanisms=OAUTHBEARER
authorizer.class.name=
listener.name.bearer.connections.max.reauth.ms=3600000
listener.name.bearer.oauthbearer.sasl.server.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler
listener.name.bearer.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
listener.name.bearer.oauthbearer.sasl.oauthbearer.jwks.endpoint.url=%s/keys
listener.name.bearer.oauthbearer.sasl.oauthbearer.expected.audience=%s
listener.name.bearer.oauthbearer.sasl.oauthbearer.expected.issuer=%s
listener.name.bearer.oauthbearer.sasl.oauthbearer.clock.skew.seconds=0
`, b.ports[0], b.ports[1], s.Listener, s.server.URL, TokenAudience, TokenIssuer)
	return os.WriteFile(filepath.Clean(b.Security.properties), []byte(properties), 0o600)
}

// Last sets how long tokens last that are given from now on.
func (s *Tokens) Last(lifetime time.Duration) { s.lifetime.Store(int64(lifetime)) }

// Asked is how many tokens were given.
func (s *Tokens) Asked() int { return int(s.asked.Load()) }

// Refuse makes the server answer 503, or not any more.
func (s *Tokens) Refuse(refuse bool) { s.refusing.Store(refuse) }

func (s *Tokens) give(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	client, secret, basic := r.BasicAuth()
	if !basic {
		client, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	switch {
	case s.refusing.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case client != TokenClient || secret != TokenSecret:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":"%s is not %s's secret"}`, secret, client) // a careless server
	case r.PostFormValue("grant_type") != "client_credentials":
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"error":"unsupported_grant_type"}`)
	default:
		s.asked.Add(1)
		lifetime := time.Duration(s.lifetime.Load())
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":%d}`, s.Sign(TokenAudience, lifetime), int(lifetime.Seconds()))
	}
}

// Sign gives a token for an audience.
func (s *Tokens) Sign(audience string, lifetime time.Duration) string {
	now := time.Now()
	head, _ := json.Marshal(map[string]any{"alg": "RS256", "kid": "test", "typ": "JWT"})
	body, _ := json.Marshal(map[string]any{"sub": TokenClient, "aud": audience, "iss": TokenIssuer, "scope": "kafka",
		"iat": now.Add(-time.Second).Unix(), "exp": now.Add(lifetime).Unix()})
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(body)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, digest[:])
	if err != nil {
		panic("broker: a token could not be signed")
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func (s *Tokens) keys(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
	_ = json.NewEncoder(w).Encode(map[string]any{"keys": []map[string]string{{"kty": "RSA", "kid": "test", "use": "sig", "alg": "RS256",
		"n": number(s.key.N), "e": number(big.NewInt(int64(s.key.E)))}}})
}
