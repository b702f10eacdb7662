package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// serving answers on a port of this machine until the test ends.
func serving(t *testing.T, handler http.Handler) (dial func() net.Conn) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, listener, handler, Access{}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func() net.Conn {
		connection, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		return connection
	}
}

// send writes part of a request, or all of it. A connection that was closed meanwhile takes no bytes: that is no failure.
func send(c net.Conn, text string) net.Conn {
	_ = c.SetDeadline(time.Now().Add(patience))
	_, _ = io.WriteString(c, text)
	return c
}

// answered is the status line of the answer to a request.
func answered(c net.Conn, request string) (string, error) {
	line, err := bufio.NewReader(send(c, request)).ReadString('\n')
	return strings.TrimSpace(line), err
}

func request(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n" }

// TestProbesSurviveACrowd: idle connections, half requests, open pages, slow bodies and clients that take no answers, together
// several times as many as may be open, keep no probe from its answer, and close no page that is served.
func TestProbesSurviveACrowd(t *testing.T) {
	live := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{Learner: model.LearnerConfig{Level: .95}})
	live.Watch(judging)
	dial := serving(t, live.Handler(zap.NewAtomicLevel(), board.New(live), Access{}))
	var pages []net.Conn
	for range 100 {
		page := dial()
		if line, err := answered(page, request("/api/v1/events")); err != nil || line != "HTTP/1.1 200 OK" {
			t.Fatalf("a page: %s %v", line, err)
		}
		pages = append(pages, page)
	}
	for range 300 {
		if line, err := answered(dial(), request("/livez")); err != nil || line != "HTTP/1.1 200 OK" {
			t.Fatalf("before it idles: %s %v", line, err)
		}
	}
	crowd := func(each int) {
		for range each {
			send(dial(), "GET /metrics HTTP/1.1\r\nHost: x\r\nX: ")
			send(dial(), "PUT /loglevel HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
			send(dial(), "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n")
			send(dial(), request("/api/v1/events"))
			send(dial(), strings.Repeat(request("/assets/app.js"), 20))
		}
	}
	crowd(200)
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	for i := range rounds {
		crowd(4)
		for _, path := range []string{"/livez", "/readyz", "/metrics"} {
			if line, err := answered(dial(), request(path)); err != nil || line != "HTTP/1.1 200 OK" {
				t.Fatalf("probe %d of %s: %s %v", i, path, line, err)
			}
		}
	}
	for i, page := range pages {
		_ = page.SetDeadline(time.Now().Add(patience))
		if _, err := page.Read(make([]byte, 1)); err != nil {
			t.Errorf("page %d: %v", i, err)
		}
	}
}

// TestWorkIsNotClosed: a request that the server works on is answered, whoever comes meanwhile.
func TestWorkIsNotClosed(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	dial := serving(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/work" {
			close(begun)
			<-finish
		}
	}))
	worker := send(dial(), request("/work"))
	<-begun
	before := madeRoom.Load()
	for range mostConnections + 50 {
		if line, err := answered(dial(), request("/")); err != nil {
			t.Fatal(line, err)
		}
	}
	if closed := madeRoom.Load() - before; closed < 50 {
		t.Errorf("%d connections gave way", closed)
	}
	close(finish)
	if line, err := bufio.NewReader(worker).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Error(line, err)
	}
}

// silent is a connection that only has an address.
type silent struct {
	net.Conn
	from   string
	closed bool
}

func (s *silent) RemoteAddr() net.Addr {
	address, _ := net.ResolveTCPAddr("tcp", s.from)
	return address
}

func (s *silent) Close() error { s.closed = true; return nil }

// TestWhoGivesWay: the connection that has waited longest, of the client with the most that wait; nobody who works.
func TestWhoGivesWay(t *testing.T) {
	for name, test := range map[string]struct {
		there []string // in the order of their coming; with an exclamation mark: the server works for it
		comes string
		want  int // which of them leaves; -1: the newcomer
	}{
		"the longest of one client":       {[]string{"10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3"}, "10.0.0.1:4", 0},
		"of the client with most":         {[]string{"10.0.0.2:1", "10.0.0.1:2", "10.0.0.1:3"}, "10.0.0.3:4", 1},
		"not of a client with fewer":      {[]string{"10.0.0.2:1", "10.0.0.1:2", "10.0.0.1:3"}, "10.0.0.1:4", 1},
		"not one that works":              {[]string{"10.0.0.1:1!", "10.0.0.1:2", "10.0.0.1:3"}, "10.0.0.1:4", 1},
		"work does not count as waiting":  {[]string{"10.0.0.2:1", "10.0.0.1:2!", "10.0.0.1:3!"}, "10.0.0.1:4", 0},
		"all work":                        {[]string{"10.0.0.1:1!", "10.0.0.1:2!", "10.0.0.1:3!"}, "10.0.0.2:4", -1},
		"a network of IPv6 is one client": {[]string{"[2001:db8:1::1]:1", "[2001:db8::1]:2", "[2001:db8::2]:3"}, "10.0.0.1:4", 1},
		"IPv4 within IPv6":                {[]string{"10.0.0.2:1", "[::ffff:10.0.0.1]:2", "10.0.0.1:3"}, "10.0.0.3:4", 1},
	} {
		c := newCrowd(len(test.there))
		var there []*silent
		for i, from := range test.there {
			from, works := strings.CutSuffix(from, "!")
			s := &silent{from: from}
			m := c.admit(s)
			m.working, m.since = works, time.Unix(int64(i), 0)
			there = append(there, s)
		}
		came := c.admit(&silent{from: test.comes})
		if (came == nil) != (test.want < 0) {
			t.Errorf("%s: the newcomer is %v", name, came)
		}
		for i, s := range there {
			if s.closed != (i == test.want) {
				t.Errorf("%s: connection %d closed: %v", name, i, s.closed)
			}
		}
		if len(c.members) != len(test.there) {
			t.Errorf("%s: %d connections are counted", name, len(c.members))
		}
	}
}

// TestConnectionsAreBounded: as many are open at once as are allowed, and those that end make room.
func TestConnectionsAreBounded(t *testing.T) {
	c := newCrowd(3)
	var members []*member
	for i := range 20 {
		m := c.admit(&silent{from: fmt.Sprintf("10.0.0.1:%d", i)})
		members = append(members, m)
		if len(c.members) > 3 {
			t.Fatalf("%d connections are open", len(c.members))
		}
	}
	for _, m := range members {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(c.members) != 0 {
		t.Errorf("%d closed connections are counted", len(c.members))
	}
}
