package wire

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"
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
