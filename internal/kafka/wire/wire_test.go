package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

func TestWhatIsEncodedIsDecoded(t *testing.T) {
	for _, flexible := range []bool{false, true} {
		e := &Encoder{flexible: flexible}
		e.int8(-1)
		e.int16(math.MinInt16)
		e.Int32(math.MaxInt32)
		e.Int64(math.MinInt64)
		e.bool(true)
		e.uuid([16]byte{1, 15: 9})
		e.Text("name")
		e.Text("")
		e.Array(2)
		e.Int32(7)
		e.Int32(8)
		e.Tags()
		d := &Decoder{bytes: e.bytes, flexible: flexible}
		if d.int8() != -1 || d.Int16() != math.MinInt16 || d.Int32() != math.MaxInt32 || d.Int64() != math.MinInt64 || d.int8() != 1 ||
			d.uuid() != [16]byte{1, 15: 9} || d.Text() != "name" || d.Text() != "" {
			t.Errorf("flexible %v: a value changed", flexible)
		}
		d.skipInt32s()
		d.Tags()
		if d.Finish("test") != nil || len(d.bytes) != 0 {
			t.Errorf("flexible %v: %v, %d bytes remain", flexible, d.Err, len(d.bytes))
		}
	}
}

func TestDecoderRefusesLies(t *testing.T) {
	for name, read := range map[string]func(*Decoder){
		"short int64":     func(d *Decoder) { d.Int64() },
		"string too long": func(d *Decoder) { d.Text() },
		"array too long":  func(d *Decoder) { d.Array(1) },
		"bytes too long":  func(d *Decoder) { d.blob() },
		"tags too many":   func(d *Decoder) { d.flexible = true; d.Tags() },
	} {
		d := &Decoder{bytes: []byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff}}
		read(d)
		if d.Finish(name) == nil {
			t.Errorf("%s: no error", name)
		}
		if d.Int32() != 0 || d.Text() != "" || d.Array(1) != 0 || d.uvarint() != 0 {
			t.Errorf("%s: a value after the error", name)
		}
	}
}

// pipe answers one request with these bytes.
type pipe struct {
	bytes.Buffer
	answer io.Reader
}

func (p *pipe) Read(into []byte) (int, error) { return p.answer.Read(into) }

func TestRoundTripRefusesStrangers(t *testing.T) {
	head := func(size int32, id uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size)), id)
	}
	for name, test := range map[string]struct {
		answer []byte
		want   string
	}{
		"silence":          {nil, "unexpected EOF"},
		"half a head":      {[]byte{0, 0, 0}, "unexpected EOF"},
		"half a body":      {append(head(20, 0), 1, 2), "unexpected EOF"},
		"HTTP":             {[]byte("HTTP/1.1 400 Bad Request"), "is this a Kafka listener?"},
		"negative":         {head(-5, 0), "is this a Kafka listener?"},
		"another request":  {head(4, 9), "belongs to request 9"},
		"1000 bytes ahead": {head(1005, 0), "is this a Kafka listener?"},
	} {
		p := &pipe{answer: bytes.NewReader(test.answer)}
		_, buffer, err := RoundTrip(p, NewRequest(3, 4, false, "test"), 1000, Patience{}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if cap(buffer) > 1000 {
			t.Errorf("%s: %d bytes were allocated", name, cap(buffer))
		}
	}
	// A length is believed as its bytes arrive.
	p := &pipe{answer: bytes.NewReader(append(head(1<<30, 0), make([]byte, 100)...))}
	if _, buffer, err := RoundTrip(p, NewRequest(1, 4, false, "test"), 1<<30, Patience{}, nil); err == nil || cap(buffer) > 2*readStep {
		t.Errorf("%d bytes were allocated for 100 of a gigabyte, %v", cap(buffer), err)
	}
	body := bytes.Repeat([]byte("0123456789"), 500_000)
	p = &pipe{answer: bytes.NewReader(append(head(int32(len(body)+4), 0), body...))}
	if d, _, err := RoundTrip(p, NewRequest(1, 4, false, "test"), 1<<30, Patience{}, nil); err != nil || !bytes.Equal(d.bytes, body) {
		t.Errorf("a large answer came differently, %v", err)
	}
}

// patient is a connection that keeps the deadlines of reading, and may refuse to be written to.
type patient struct {
	pipe
	waits []time.Duration
	err   error
}

func (p *patient) SetReadDeadline(at time.Time) error {
	p.waits = append(p.waits, time.Until(at).Round(time.Minute))
	return nil
}

func (p *patient) Write(b []byte) (int, error) { return len(b), p.err }

// TestRoundTripsWait as long as is said, before an answer and within it, and fill the buffer that there is, up to the limit.
func TestRoundTripsWait(t *testing.T) {
	answer := func(size int) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(size+4)), make([]byte, 4+size)...)
	}
	for wait, want := range map[Patience][]time.Duration{{}: nil, {First: time.Hour, Later: 2 * time.Hour}: {time.Hour, 2 * time.Hour}, {Later: time.Hour}: nil} {
		p := &patient{pipe: pipe{answer: bytes.NewReader(answer(10))}}
		if _, buffer, err := RoundTrip(p, NewRequest(1, 4, false, "test"), 10, wait, nil); err != nil || len(buffer) != 10 || !slices.Equal(p.waits, want) {
			t.Errorf("%+v: waits %v, %d bytes, %v", wait, p.waits, len(buffer), err)
		}
	}
	given := make([]byte, 5, 3*readStep)
	asked := 0
	room := func(size int) []byte {
		asked = size
		return given
	}
	for size, same := range map[int]bool{0: true, 3 * readStep: true, 3*readStep + 1: false} {
		p := &patient{pipe: pipe{answer: bytes.NewReader(answer(size))}}
		_, buffer, err := RoundTrip(p, NewRequest(1, 4, false, "test"), size, Patience{First: time.Hour, Later: time.Hour}, room)
		if err != nil || asked != size || len(buffer) != size || (cap(buffer) == cap(given)) != same || same && len(p.waits) != 1+size/readStep {
			t.Errorf("%d bytes: %d in a buffer of %d, asked for with %d, %d deadlines, %v", size, len(buffer), cap(buffer), asked, len(p.waits), err)
		}
		if _, _, err := RoundTrip(&pipe{answer: bytes.NewReader(answer(size + 1))}, NewRequest(1, 4, false, "test"), size, Patience{}, nil); err == nil {
			t.Errorf("more than %d bytes are taken", size)
		}
	}
	refused := errors.New("refused")
	if _, _, err := RoundTrip(&patient{err: refused, pipe: pipe{answer: bytes.NewReader(answer(1))}}, NewRequest(1, 4, false, "test"), 10, Patience{}, nil); !errors.Is(err, refused) {
		t.Errorf("a request that cannot be written: %v", err)
	}
	for n, same := range map[int]bool{0: true, 5: true, 6: false} {
		b := make([]byte, 3, 8)
		if got := Grow(b, n); (&got[0] == &b[0]) != same || len(got) != 3 || cap(got)-3 < n {
			t.Errorf("%d more bytes: the same %v, room for %d", n, !same, cap(got))
		}
	}
}

// TestAFetchThatIsRefusedAsAWhole is an error, and says nothing of partitions.
func TestAFetchThatIsRefusedAsAWhole(t *testing.T) {
	text := append(binary.BigEndian.AppendUint32(nil, 0), 0, 6, 0, 0, 0, 0, 0, 0, 0, 0)
	answer := new(Fetched)
	if err := answer.Read(&Decoder{bytes: text}, 7, &Fetch{}); !errors.Is(err, kafkago.NotLeaderForPartition) || len(answer.Partitions) != 0 {
		t.Errorf("%v", err)
	}
	for _, code := range []int16{0, 6} {
		if err := Code(code); (err == nil) != (code == 0) {
			t.Errorf("code %d: %v", code, err)
		}
	}
	for i, name := range CodecNames {
		if CodecOf(name) != int16(i) {
			t.Errorf("%s is codec %d", name, CodecOf(name))
		}
	}
	defer func() {
		if why, _ := recover().(string); why != "kafka: unknown codec brotli" {
			t.Errorf("an unknown codec: %q", why)
		}
	}()
	CodecOf("brotli")
}

// TestWhatIsNotDecodedHasNoShape: an API of our own, and a version that kafka-go does not know.
func TestWhatIsNotDecodedHasNoShape(t *testing.T) {
	for _, c := range []struct {
		api     protocol.ApiKey
		version int16
		shaped  bool
	}{{protocol.Fetch, 4, false}, {protocol.Produce, protocol.Produce.MaxVersion(), true}, {protocol.Produce, protocol.Produce.MaxVersion() + 1, false}} {
		for range 2 {
			if s := ShapeOf(c.api, c.version); (s != nil) != c.shaped {
				t.Errorf("%v %d: %v", c.api, c.version, s)
			}
		}
	}
}
