package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is the connections of a server, of which there are at most most. A connection waits while its client has the next
// move: it has to shake hands, to send the rest of a request, or to take the bytes of an answer. When there is no room for
// a new connection, one that waits is closed: the one that has waited longest, of the client with the most that wait. So
// neither idle nor slow clients keep a probe out, and a crowd of one client does not close the connections of others.
// A connection whose request the server works on is never closed.
type crowd struct {
	most int

	mutex   sync.Mutex
	members map[*member]struct{}
}

// madeRoom counts the connections that this process closed to make room.
var madeRoom atomic.Int64

func newCrowd(most int) *crowd { return &crowd{most: most, members: map[*member]struct{}{}} }

// member is a connection. The fields behind the crowd are guarded by its mutex.
type member struct {
	net.Conn
	crowd   *crowd
	client  netip.Prefix // who is behind it
	since   time.Time    // when it began to wait
	working bool
}

// listener passes on the connections of a listener, for which it makes room.
func (c *crowd) listener(from net.Listener) net.Listener { return crowdListener{from, c} }

type crowdListener struct {
	net.Listener
	crowd *crowd
}

func (l crowdListener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if m := l.crowd.admit(accepted); m != nil {
			return m, nil
		}
		_ = accepted.Close() // the server works for all the others
	}
}

// admit makes a connection a member; nil if there is no room.
func (c *crowd) admit(accepted net.Conn) *member {
	m := &member{Conn: accepted, crowd: c, client: clientOf(accepted.RemoteAddr()), since: time.Now()}
	c.mutex.Lock()
	var leaves *member
	if len(c.members) >= c.most {
		if leaves = c.longest(); leaves == nil {
			c.mutex.Unlock()
			return nil
		}
		delete(c.members, leaves)
		madeRoom.Add(1)
	}
	c.members[m] = struct{}{}
	c.mutex.Unlock()
	if leaves != nil {
		_ = leaves.Conn.Close()
	}
	return m
}

// longest is the connection that gives way; nil if none waits.
func (c *crowd) longest() (longest *member) {
	waiting := map[netip.Prefix]int{}
	for m := range c.members {
		if !m.working {
			waiting[m.client]++
		}
	}
	for m := range c.members {
		switch {
		case m.working:
		case longest == nil, waiting[m.client] > waiting[longest.client],
			waiting[m.client] == waiting[longest.client] && m.since.Before(longest.since):
			longest = m
		}
	}
	return longest
}

// clientOf is the address of a client. A client with IPv6 commonly has all the addresses of a network of 64 bits.
func clientOf(address net.Addr) netip.Prefix {
	full, err := netip.ParseAddrPort(address.String())
	if err != nil {
		return netip.Prefix{} // no address of a network: all such connections count as one client's
	}
	ip, bits := full.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	network, _ := ip.Prefix(bits) // both fit
	return network
}

// turn notes whose move it is.
func (m *member) turn(working bool) {
	m.crowd.mutex.Lock()
	defer m.crowd.mutex.Unlock()
	m.working, m.since = working, time.Now()
}

// Write is part of net.Conn. During a request the client has the next move until it takes the bytes.
func (m *member) Write(b []byte) (int, error) {
	m.crowd.mutex.Lock()
	working := m.working
	m.crowd.mutex.Unlock()
	if working {
		m.turn(false)
		defer m.turn(true)
	}
	return m.Conn.Write(b)
}

// body is that of a request: the client has the next move until it sends the bytes.
type body struct {
	io.ReadCloser
	from *member
}

func (b body) Read(into []byte) (int, error) {
	b.from.turn(false)
	defer b.from.turn(true)
	return b.ReadCloser.Read(into)
}

// Close ends the membership, too.
func (m *member) Close() error {
	m.crowd.mutex.Lock()
	delete(m.crowd.members, m)
	m.crowd.mutex.Unlock()
	return m.Conn.Close()
}

type memberKey struct{}

// remember tells handler which connection a request came by. It is for http.Server.ConnContext.
func (c *crowd) remember(ctx context.Context, connection net.Conn) context.Context {
	if protected, isTLS := connection.(*tls.Conn); isTLS {
		connection = protected.NetConn()
	}
	return context.WithValue(ctx, memberKey{}, connection)
}

// handler notes that the server works on a request while next does.
func (c *crowd) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := r.Context().Value(memberKey{}).(*member)
		m.turn(true)
		defer m.turn(false)
		r.Body = body{r.Body, m}
		next.ServeHTTP(w, r)
	})
}
