package link

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestBoundsOfAConfiguration: the least and the largest port and time limit are taken, and the next ones are not; a host is a name or an address alone.
func TestBoundsOfAConfiguration(t *testing.T) {
	for broker, good := range map[string]bool{"b:1": true, "b:65535": true, "b:0": false, "b:65536": false, "b/c:1": false, "b c:1": false, "b,c:1": false, ":1": false} {
		if problem := addressProblem(broker); (problem == "") != good {
			t.Errorf("%s: %q", broker, problem)
		}
	}
	for millis, good := range map[int]bool{999: false, 1000: true, 600_000: true, 600_001: false} {
		problems := Problems(Config{Brokers: []string{"b:1"}, RequestTimeoutMillis: millis})
		if good != (len(problems) == 0) || !good && (problems[0].Path != "request.timeout.ms" || !strings.Contains(problems[0].Message, fmt.Sprint(millis))) {
			t.Errorf("%d ms: %v", millis, problems)
		}
	}
	if c := (settings{RequestTimeoutMillis: 1500}); c.requestTimeout() != 1500*time.Millisecond {
		t.Errorf("1500 ms are %v", c.requestTimeout())
	}
	for _, c := range []Config{{CertificateLocation: "x"}, {KeyLocation: "x"}} {
		c.Brokers = []string{"b:1"}
		if problems := Problems(c); len(problems) != 1 || !strings.Contains(problems[0].Message, "ignores the ssl keys") {
			t.Errorf("%+v: %v", c, problems)
		}
	}
	for _, c := range []Config{{SASLMechanism: "PLAIN"}, {SASLPassword: "x"}, {TokenScope: "x"}, {TokenEndpoint: "x"}} {
		c.Brokers = []string{"b:1"}
		if problems := Problems(c); len(problems) != 1 || !strings.Contains(problems[0].Message, "ignores the sasl keys") {
			t.Errorf("%+v: %v", c, problems)
		}
	}
	for isolation, want := range map[string]int8{readCommitted: wire.Committed, readUncommitted: wire.Uncommitted, "": wire.Committed} {
		if got := (settings{IsolationLevel: isolation}).Isolation(); got != want {
			t.Errorf("%q is %d", isolation, got)
		}
	}
}

// TestLivesOfTokens: a claim between 0 and 2^40 s is a time; without another one it says nothing.
func TestLivesOfTokens(t *testing.T) {
	for claim, want := range map[string]int64{"0": 0, "1": 1, "0.5": 0, "1099511627776": 1 << 40, "1099511627777": 0} {
		at := expiryOf("e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":`+claim+`}`)) + ".e")
		if zero := claim == "0" || claim == "1099511627777"; at.IsZero() != zero || !zero && at.Unix() != want {
			t.Errorf("exp %s: %v", claim, at)
		}
	}
	b := &bearer{stop: time.Unix(100, 0)}
	if b.stale(time.Unix(99, 0)) || !b.stale(time.Unix(100, 0)) || b.stale(time.Unix(100, 0)) {
		t.Error("connections are to be replaced once, from their moment on")
	}
}

// TestAnAnswerIsReadAsItComes, and what was read is given beside the error if it ends early.
func TestAnAnswerIsReadAsItComes(t *testing.T) {
	for _, size := range []int{0, 1, 64 << 10, 64<<10 + 1, 300_000} {
		sent := bytes.Repeat([]byte("abc"), size/3+1)[:size]
		got, err := readSized(bytes.NewReader(sent), []byte("head"), size)
		if err != nil || string(got) != "head"+string(sent) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
		if size == 0 {
			continue
		}
		if got, err := readSized(bytes.NewReader(sent[:size-1]), nil, size); err == nil || len(got) != size-1 {
			t.Errorf("%d of %d bytes: %d, %v", size-1, size, len(got), err)
		}
	}
}

// conversation is a connection that gives what the other side sends, and keeps what is written.
type conversation struct {
	net.Conn
	sends   io.Reader
	written bytes.Buffer
	most    int // bytes of one write; 0: all
}

func (c *conversation) Read(into []byte) (int, error) { return c.sends.Read(into) }

func (c *conversation) Write(text []byte) (int, error) {
	if c.most > 0 {
		text = text[:min(len(text), c.most)]
	}
	return c.written.Write(text)
}

// sized is a message with its length before it.
func sized(message ...byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
}

// requestOf is a request of some API with so many bytes behind its version.
func requestOf(api protocol.ApiKey, version int16, more int) []byte {
	message := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(api)), uint16(version))
	return sized(append(message, make([]byte, more)...)...)
}

// TestMessagesOfSASL: behind SaslHandshake 0 they are no requests of an API, whose answers pass up to the bound, and TLS is not told from them.
func TestMessagesOfSASL(t *testing.T) {
	looksLikeTLS := []byte{0x15, 0x03, 0, 1, 'x'} // the size of a message of SASL
	for name, c := range map[string]struct {
		handshake int16
		token     []byte
		answer    []byte
		wants     error
	}{
		"a message":              {0, sized([]byte("n,,n=user")...), sized([]byte("r=nonce")...), nil},
		"behind another version": {1, requestOf(protocol.Metadata, 8, 2), looksLikeTLS, fault.ErrSpeaksTLS},
	} {
		other := &conversation{sends: bytes.NewReader(c.answer)}
		conn := &guardedConn{Conn: other, contact: new(contact)}
		conn.begin(protocol.SaslHandshake, c.handshake)
		if _, err := conn.Write(c.token); err != nil || !conn.asked {
			t.Fatal(name, err)
		}
		got := make([]byte, len(c.answer))
		if _, err := io.ReadFull(conn, got); !errors.Is(err, c.wants) || err == nil && !bytes.Equal(got, c.answer) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	conn := &guardedConn{contact: new(contact)}
	conn.begin(protocol.SaslHandshake, 0)
	for _, version := range []int16{-1, 32} {
		if conn.begin(protocol.Metadata, version); !conn.opaque || conn.shape != nil {
			t.Errorf("version %d is one of an API", version)
		}
	}
	for _, version := range []int16{0, 31} {
		if conn.begin(protocol.Metadata, version); conn.opaque {
			t.Errorf("version %d is a message of SASL", version)
		}
	}
	conn.opaque = true
	conn.asked, conn.Conn = true, &conversation{sends: strings.NewReader("\x15\x03\x00\x01")}
	if _, err := conn.Read(make([]byte, 9)); err == nil || errors.Is(err, fault.ErrSpeaksTLS) || !strings.Contains(err.Error(), "the limit is") {
		t.Errorf("a message of SASL beyond the bound: %v", err)
	}
}

// TestSizesOfAnswers: none, and the largest that is decoded, are taken; a larger one is not, unless kafka-go does not decode it.
func TestSizesOfAnswers(t *testing.T) {
	for _, c := range []struct {
		size    int
		decoded bool
		refused bool
	}{{0, false, false}, {-1, false, true}, {decodedLimit, true, false}, {decodedLimit + 1, true, true}, {decodedLimit + 1, false, false}} {
		head := binary.BigEndian.AppendUint32(nil, uint32(c.size))
		conn := &guardedConn{contact: new(contact), asked: true, opaque: c.decoded, Conn: &conversation{sends: bytes.NewReader(head)}}
		if err := conn.answer(); (err != nil) != c.refused || err == nil && conn.passing != c.size {
			t.Errorf("%d bytes, decoded %v: %v", c.size, c.decoded, err)
		}
	}
	conn := &guardedConn{Conn: &conversation{}, contact: new(contact)}
	if _, err := conn.Write(requestOf(protocol.ApiVersions, 0, 0)); err != nil || !conn.asked || conn.unsent != 0 {
		t.Errorf("the shortest request: %v, asked %v, %d bytes are to come", err, conn.asked, conn.unsent)
	}
}

// TestARequestInPieces begins once, however it is cut; an answer is given in pieces, and the next request begins behind it.
func TestARequestInPieces(t *testing.T) {
	request := requestOf(protocol.Fetch, 13, 20)
	answer := sized(slices.Repeat([]byte("answer"), 5)...)
	other := &conversation{sends: bytes.NewReader(append(slices.Clone(answer), answer...)), most: 9}
	conn := &guardedConn{Conn: other, contact: new(contact)}
	for range 2 {
		for sent := 0; sent < len(request); {
			n, err := conn.Write(request[sent:])
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			if sent += n; conn.unsent != len(request)-sent || conn.api != protocol.Fetch {
				t.Fatalf("%d of %d bytes are sent, and %d are to come, of %v", sent, len(request), conn.unsent, conn.api)
			}
		}
		if n, err := conn.Read(nil); n != 0 || err != nil || !conn.asked {
			t.Errorf("nothing is read: %d, %v", n, err)
		}
		var got []byte
		for len(got) < len(answer) {
			piece := make([]byte, 7)
			n, err := conn.Read(piece)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, piece[:n]...)
		}
		if !bytes.Equal(got, answer) || !conn.contact.useful.Load() {
			t.Errorf("%q", got)
		}
	}
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, errNotAsked) {
		t.Errorf("behind the answers: %v", err)
	}
	if other.written.Len() != 2*len(request) {
		t.Errorf("%d bytes are written", other.written.Len())
	}
}
