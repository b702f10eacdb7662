package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// brokers are three of a cluster that has the topic "seen" with four partitions, and a link to them.
func brokers(t *testing.T) (*devbroker.Broker, *Link) {
	t.Helper()
	b, err := devbroker.Start(devbroker.Options{Brokers: 3, Fake: []kfake.Opt{kfake.SeedTopics(4, "seen")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, opened(t, Config{Brokers: b.Addresses()}, Options{})
}

func opened(t *testing.T, config Config, options Options) *Link {
	t.Helper()
	l, err := Open(config, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestWhoLeadsWhat: leaders, ids and bounds of a topic, and which of them are requested again once they are forgotten.
func TestWhoLeadsWhat(t *testing.T) {
	b, l := brokers(t)
	ctx := t.Context()
	if err := l.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	topic, err := l.Topic(ctx, "seen")
	if err != nil || topic.Name != "seen" || topic.Partitions != 4 || topic.ID == (wire.TopicID{}) {
		t.Errorf("%+v, %v", topic, err)
	}
	if _, err := l.Topic(ctx, "unseen"); !errors.Is(err, kafkago.UnknownTopicOrPartition) || !strings.Contains(err.Error(), "unseen") {
		t.Errorf("a topic that is not there: %v", err)
	}
	leader, id, err := l.Leader(ctx, "seen", 2)
	if err != nil || id != topic.ID || leader.Broker < 0 {
		t.Errorf("%+v, %v", leader, err)
	}
	for _, partition := range []int32{-1, 4} {
		if _, _, err := l.Leader(ctx, "seen", partition); !errors.Is(err, kafkago.UnknownTopicOrPartition) || !strings.Contains(err.Error(), "4 partitions") {
			t.Errorf("partition %d: %v", partition, err)
		}
	}
	known, err := l.Layout(ctx, "seen", false)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.Layout(ctx, "seen", false); again != known || err != nil {
		t.Errorf("what is known was asked again: %v", err)
	}
	to := (leader.Broker + 1) % 3
	if err := b.Cluster.MoveTopicPartition("seen", 2, to); err != nil {
		t.Fatal(err)
	}
	if stale, _, _ := l.Leader(ctx, "seen", 2); stale.Broker != leader.Broker {
		t.Errorf("nobody said that the leader moved, and it is %+v", stale)
	}
	l.Forget("seen")
	if moved, _, err := l.Leader(ctx, "seen", 2); err != nil || moved.Broker != to {
		t.Errorf("after the move: %+v, %v, want %d", moved, err, to)
	}
	if controller, err := l.Controller(ctx); err != nil || controller < 0 || controller > 2 {
		t.Errorf("controller %d, %v", controller, err)
	}
	for range 2 {
		if version, err := l.Version(ctx, 1, protocol.Metadata); err != nil || version < 10 {
			t.Errorf("version %d of Metadata, %v", version, err)
		}
	}
	if _, err := l.Version(ctx, 9, protocol.Metadata); err == nil {
		t.Error("a broker that is not there answered")
	}
}

// written writes so many records to a partition with a client of others.
func written(t *testing.T, b *devbroker.Broker, partition, number int, at time.Time) {
	t.Helper()
	w := kafkago.Writer{Addr: kafkago.TCP(b.Addresses()...), Topic: "seen", Balancer: kafkago.BalancerFunc(func(kafkago.Message, ...int) int { return partition }), BatchTimeout: time.Millisecond, RequiredAcks: kafkago.RequireAll}
	for i := range number {
		if err := w.WriteMessages(t.Context(), kafkago.Message{Value: []byte("x"), Time: at.Add(time.Duration(i) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestBounds: of each partition by number, whoever leads it; by time, the end where no record is as late.
func TestBounds(t *testing.T) {
	b, l := brokers(t)
	at := time.UnixMilli(1_750_000_000_000)
	written(t, b, 1, 3, at)
	written(t, b, 3, 2, at)
	for _, isolation := range []string{readCommitted, readUncommitted} {
		l := opened(t, Config{Brokers: b.Addresses(), IsolationLevel: isolation}, Options{})
		bounds, err := l.Bounds(t.Context(), "seen")
		if want := []fault.Bounds{{}, {End: 3}, {}, {End: 2}}; err != nil || !slices.Equal(bounds, want) {
			t.Errorf("%s: %+v, %v", isolation, bounds, err)
		}
	}
	for after, want := range map[time.Duration][]int64{0: {0, 0, 0, 0}, time.Second: {0, 1, 0, 1}, 2 * time.Second: {0, 2, 0, 2}, time.Hour: {0, 3, 0, 2}} {
		if got, err := l.OffsetsAt(t.Context(), "seen", at.Add(after)); err != nil || !slices.Equal(got, want) {
			t.Errorf("after %v: %v, %v, want %v", after, got, err, want)
		}
	}
	layout, err := l.Layout(t.Context(), "seen", false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.ListOffsetsOf(t.Context(), "seen", layout, []int32{3, 1}, LatestTime, wire.Committed); err != nil || !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("in the order asked for: %v, %v", got, err)
	}
	headless := *layout
	headless.Leaders = slices.Clone(layout.Leaders)
	headless.Leaders[1].Broker = -1
	if _, err := l.ListOffsetsOf(t.Context(), "seen", &headless, []int32{3, 1}, LatestTime, wire.Committed); !errors.Is(err, kafkago.LeaderNotAvailable) {
		t.Errorf("without a leader: %v", err)
	}
	if _, err := l.Bounds(t.Context(), "unseen"); !errors.Is(err, kafkago.UnknownTopicOrPartition) {
		t.Errorf("%v", err)
	}
	if _, err := l.OffsetsAt(t.Context(), "unseen", at); !errors.Is(err, kafkago.UnknownTopicOrPartition) {
		t.Errorf("%v", err)
	}
	b.Cluster.ControlKey(int16(protocol.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) { return nil, io.ErrUnexpectedEOF, true })
	if _, err := l.Bounds(t.Context(), "seen"); err == nil || !strings.Contains(err.Error(), "seen") {
		t.Errorf("a broker that hangs up: %v", err)
	}
}

// TestABrokerThatIsGone: another one answers what any can answer.
func TestABrokerThatIsGone(t *testing.T) {
	b, l := brokers(t)
	if err := l.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	var failed atomic.Int32
	b.Cluster.ControlKey(int16(protocol.Metadata), func(kmsg.Request) (kmsg.Response, error, bool) {
		if failed.Add(1) > 1 {
			return nil, nil, false
		}
		return nil, io.ErrUnexpectedEOF, true
	})
	if topic, err := l.Topic(t.Context(), "seen"); err != nil || topic.Partitions != 4 || failed.Load() == 0 {
		t.Errorf("%+v, %v, after %d failures", topic, err, failed.Load())
	}
}

// TestClose: calls and connections that begin afterwards end with ErrClosed. A link may be closed twice.
func TestClose(t *testing.T) {
	_, l := brokers(t)
	if err := l.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := l.Telling(func(Outage) {})
	if err := errors.Join(l.Close(), told.Close()); err != nil {
		t.Error(err)
	}
	if err := told.Ping(t.Context()); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := l.dialer.dial(t.Context(), "tcp", l.Config.Brokers[0]); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("a connection after the end: %v", err)
	}
}

// TestASilentBroker: a request ends with its timeout, or with its context if that is sooner.
func TestASilentBroker(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	l := opened(t, Config{Brokers: []string{listener.Addr().String()}, RequestTimeoutMillis: 1000}, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := l.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 900*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if err := l.Ping(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// TestEncryption: the certificate must be signed by ssl.ca.location, and name the host unless that is switched off.
func TestEncryption(t *testing.T) {
	server := httptest.NewTLSServer(nil) // its certificate names 127.0.0.1 and example.com
	defer server.Close()
	directory := t.TempDir()
	ca, other := filepath.Join(directory, "ca.pem"), filepath.Join(directory, "other.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	dial := func(c Config, host string) error {
		c.Brokers, c.SecurityProtocol = []string{"127.0.0.1:1"}, ssl
		l, err := Open(c, Options{Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}})
		if err != nil {
			return err
		}
		defer func() { _ = l.Close() }()
		connection, err := l.dialer.dial(t.Context(), "tcp", net.JoinHostPort(host, port))
		if err == nil {
			err = connection.Close()
		}
		return err
	}
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	if err := dial(Config{CALocation: ca}, "127.0.0.1"); err != nil {
		t.Errorf("its own authority: %v", err)
	}
	if err := dial(Config{}, "127.0.0.1"); !errors.As(err, &authority) {
		t.Errorf("an authority that the system does not know: %v", err)
	}
	if err := dial(Config{CALocation: ca}, "kafka.internal"); !errors.As(err, &name) {
		t.Errorf("another host: %v", err)
	}
	if err := dial(Config{CALocation: ca, EndpointIdentification: identifyNone}, "kafka.internal"); err != nil {
		t.Errorf("another host, which is allowed: %v", err)
	}
	if err := dial(Config{EndpointIdentification: identifyNone}, "kafka.internal"); !errors.As(err, &authority) {
		t.Errorf("the authority is checked even where names are not: %v", err)
	}
	if err := dial(Config{CALocation: other}, "127.0.0.1"); err == nil || !strings.Contains(err.Error(), "ssl.ca.location") {
		t.Errorf("a file that is not there: %v", err)
	}
	if pool, err := (settings{CALocation: ca}).tokenTLS(); err != nil || pool.MinVersion != tls.VersionTLS12 {
		t.Errorf("%v", err)
	}
	if _, err := (settings{CALocation: other}).tokenTLS(); err == nil {
		t.Error("a file that is not there passed")
	}
	if err := os.WriteFile(other, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (settings{CALocation: other}).tokenTLS(); !errors.Is(err, errNotPEM) {
		t.Errorf("%v", err)
	}
}

// TestSASLMechanisms: each has its name, and a password comes from its file or its variable.
func TestSASLMechanisms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KAFKA_PASSWORD_OF_A_TEST", "secret")
	for name, c := range map[string]settings{
		"PLAIN":         {SASLMechanism: mechanismPlain, SASLPassword: "secret"},
		"SCRAM-SHA-256": {SASLMechanism: mechanismSCRAM256, SASLPasswordFile: file},
		"SCRAM-SHA-512": {SASLMechanism: mechanismSCRAM512, SASLPasswordEnv: "KAFKA_PASSWORD_OF_A_TEST"},
	} {
		c.SecurityProtocol, c.SASLUsername = saslSSL, "ada"
		m, err := c.saslMechanism()
		if err != nil || m.Name() != name {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if password, err := c.password(); err != nil || password != "secret" {
			t.Errorf("%s: password %q, %v", name, password, err)
		}
	}
	if m, err := (settings{}).saslMechanism(); m != nil || err != nil {
		t.Errorf("without SASL: %v, %v", m, err)
	}
	for _, c := range []settings{{SASLMechanism: mechanismPlain, SASLPasswordFile: file + "s"}, {SASLMechanism: mechanismBearer, TokenEndpoint: "http://127.0.0.1:1/", SASLPasswordFile: file + "s"}} {
		c.SecurityProtocol, c.SASLUsername = saslSSL, "ada"
		if _, err := c.saslMechanism(); err == nil || !strings.HasPrefix(err.Error(), "sasl.password_file: ") {
			t.Errorf("%v", err)
		}
	}
	if _, err := (settings{SecurityProtocol: saslSSL, SASLMechanism: mechanismBearer, TokenEndpoint: "https://127.0.0.1:1/", SASLUsername: "a", SASLPassword: "b", CALocation: file + "s"}).saslMechanism(); err == nil || !strings.HasPrefix(err.Error(), "ssl.ca.location: ") {
		t.Errorf("%v", err)
	}
}

// jwt is a token that ends at a time.
func jwt(ends time.Time) string {
	claims, _ := json.Marshal(map[string]int64{"exp": ends.Unix()})
	return "e30." + base64.RawURLEncoding.EncodeToString(claims) + ".c2lnbmVk"
}

// issued is a token endpoint of a test, and a bearer that asks it.
func issued(t *testing.T, answer http.HandlerFunc) *bearer {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	b, err := settings{TokenEndpoint: server.URL, SASLUsername: "client", SASLPassword: "secret", TokenScope: "kafka read", RequestTimeoutMillis: 5000}.newBearer()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTokensOfAnEndpoint: one is asked for with the client's credentials, kept until four fifths of its life are over, and connections are renewed then.
func TestTokensOfAnEndpoint(t *testing.T) {
	asked := 0
	life := 3600
	b := issued(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		id, secret, _ := r.BasicAuth()
		if id != "client" || secret != "secret" || r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != "kafka read" {
			t.Errorf("asked with %s, %s, %v", id, secret, r.Form)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"bearer","expires_in":%d}`, asked, life)
	})
	if b.Name() != "OAUTHBEARER" {
		t.Error(b.Name())
	}
	for range 3 {
		session, message, err := b.Start(t.Context())
		if err != nil || string(message) != "n,,\x01auth=Bearer token-1\x01\x01" {
			t.Fatalf("%q, %v", message, err)
		}
		if done, _, err := session.Next(t.Context(), nil); !done || err != nil {
			t.Errorf("accepted: %v, %v", done, err)
		}
		var refused *fault.TokenError
		if _, _, err := session.Next(t.Context(), []byte(`{"status":"invalid_token"}`)); !errors.As(err, &refused) || refused.Class != fault.Fatal {
			t.Errorf("refused: %v", err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	now := time.Now()
	for after, want := range map[time.Duration]bool{time.Minute: false, time.Duration(float64(time.Hour)*renewAt) - time.Minute: false} {
		if b.stale(now.Add(after)) != want {
			t.Errorf("stale after %v", after)
		}
	}
	if end := now.Add(time.Duration(float64(time.Hour)*renewAt) + time.Minute); !b.stale(end) || b.stale(end) {
		t.Error("connections are to be renewed once, when most of the token's life is over")
	}
	if (*bearer)(nil).stale(now.Add(100 * time.Hour)) {
		t.Error("another mechanism has no tokens")
	}
	b.renew = now.Add(-time.Second)
	if _, message, err := b.Start(t.Context()); err != nil || !strings.Contains(string(message), "token-2") {
		t.Errorf("after most of its life: %q, %v", message, err)
	}
}

// TestTokensThatNameTheirEnd: where the endpoint does not say how long a token lives, the token itself does; the soonest end counts.
func TestTokensThatNameTheirEnd(t *testing.T) {
	ends := time.Now().Add(time.Hour)
	b := issued(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer"}`, jwt(ends))
	})
	if _, _, err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.stop.Before(ends.Add(-time.Hour/2)) || b.stop.After(ends) {
		t.Errorf("to be renewed at %v, and it ends at %v", b.stop, ends)
	}
	first := b.stop
	ends = time.Now().Add(100 * time.Hour)
	b.kept = token{}
	if _, _, err := b.Start(t.Context()); err != nil || !b.stop.Equal(first) {
		t.Errorf("a connection with a sooner end is still there: %v, %v", b.stop, err)
	}
}

// TestEndpointsThatRefuse: what passes is tried again, and no secret is in a message.
func TestEndpointsThatRefuse(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		class  fault.Class
		says   string
	}{
		{500, "", fault.Retry, "the endpoint answers 500"}, {503, "", fault.Retry, "503"}, {429, "", fault.Retry, "429"}, {408, "", fault.Retry, "408"},
		{401, `{"error":"invalid_client","error_description":"secret"}`, fault.Fatal, "the endpoint answers 401, invalid_client"},
		{400, `{"error":"secret"}`, fault.Fatal, "the endpoint answers 400"}, {404, "secret", fault.Fatal, "404"}, {302, "", fault.Fatal, "302"},
	} {
		b := issued(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		})
		var refused *fault.TokenError
		if _, _, err := b.Start(t.Context()); !errors.As(err, &refused) || refused.Class != c.class || !strings.HasSuffix(refused.Problem, c.says) || strings.Contains(refused.Problem, "secret") {
			t.Errorf("%d: %v", c.status, err)
		}
	}
	b, err := settings{TokenEndpoint: "http://127.0.0.1:1/tokens?me=secret", SASLUsername: "client", SASLPassword: "secret", RequestTimeoutMillis: 5000}.newBearer()
	if err != nil {
		t.Fatal(err)
	}
	var away *fault.TokenError
	if _, _, err := b.Start(t.Context()); !errors.As(err, &away) || away.Class != fault.Retry || strings.Contains(away.Problem, "secret") || !strings.HasPrefix(away.Problem, "no token: ") {
		t.Errorf("nobody is there: %v", err)
	}
}

// TestTokensOfAFile: the file is read for each connection, so a token that has expired, or a file that is missing, may be repaired.
func TestTokensOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	b, err := settings{TokenFile: path}.newBearer()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"opaque", ""}, {jwt(time.Now().Add(time.Hour)) + "\n", ""}, {jwt(time.Now().Add(-time.Minute)), "ended at "}, {"", "holds no token"}, {"a b", "holds no token"}, {"caf\u00e9", "holds no token"},
		{strings.Repeat("x", largestToken), ""}, {strings.Repeat("x", largestToken+1), "holds no token"}, {"a.b.c", ""}, {"e30.e30.", ""}, {"~", ""},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, message, err := b.Start(t.Context())
		if c.want == "" && (err != nil || string(message) != "n,,\x01auth=Bearer "+strings.TrimSpace(c.text)+"\x01\x01") {
			t.Errorf("%.30q: %.40q, %v", c.text, message, err)
		}
		var problem *fault.TokenError
		if c.want != "" && (!errors.As(err, &problem) || problem.Class != fault.Retry || !strings.Contains(problem.Problem, c.want)) {
			t.Errorf("%.30q: %v", c.text, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "sasl.oauthbearer.token_file: ") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]bool{"a.b": false, "e30.e30.e30": false, "!.!.!": false, "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":1e13}`)) + ".e": false,
		"e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":-5}`)) + ".e": false, jwt(time.Unix(5, 0)): true} {
		if got := expiryOf(text); got.IsZero() == want || want && got.Unix() != 5 {
			t.Errorf("%q ends %v", text, got)
		}
	}
}

// TestStrikes: connections that are closed before any was of use mean another protocol, after five of them.
func TestStrikes(t *testing.T) {
	var c contact
	for i := range 2 * closedStrikes {
		var closed *fault.ClosedError
		if err := c.closed(io.EOF); !errors.As(err, &closed) || closed.Final != (i >= closedStrikes-1) {
			t.Errorf("strike %d: %v", i+1, err)
		}
	}
	if err := c.closed(net.ErrClosed); err != net.ErrClosed {
		t.Errorf("%v", err)
	}
	c.useful.Store(true)
	if err := c.closed(io.EOF); err != io.EOF {
		t.Errorf("after a useful answer: %v", err)
	}
}
