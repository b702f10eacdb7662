package batches

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// What is written is what is read: nil stays nil, empty stays empty, in every codec and batch shape.
func TestWrittenIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	blob := func() []byte {
		switch random.IntN(4) {
		case 0:
			return nil
		case 1:
			return []byte{}
		}
		b := make([]byte, random.IntN(300))
		for i := range b {
			b[i] = byte(random.IntN(4))
		}
		return b
	}
	for codec := range int16(len(wire.CodecNames)) {
		for range 40 {
			var messages []Message
			for range 1 + random.IntN(50) {
				m := Message{Timestamp: 1 + random.Int64N(1<<41), Key: blob(), Value: blob()}
				for range random.IntN(3) {
					m.Headers = append(m.Headers, Header{"header", blob()})
				}
				messages = append(messages, m)
			}
			encoded := forge{base: 100, codec: codec, producer: -1, messages: messages}.bytes(t)
			records, next, err := decodeAll(encoded, 100)
			if err != nil {
				t.Fatalf("%s: %v", wire.CodecNames[codec], err)
			}
			if next != 100+int64(len(messages)) || len(records) != len(messages) {
				t.Fatalf("%s: %d records, next %d; want %d", wire.CodecNames[codec], len(records), next, len(messages))
			}
			for i := range records {
				if got := records[i].Message(); !reflect.DeepEqual(got, messages[i]) || records[i].Offset != 100+int64(i) {
					t.Fatalf("%s: record %d is %+v, was %+v", wire.CodecNames[codec], i, got, messages[i])
				}
			}
		}
	}
}

func TestMessageOutlivesItsChunk(t *testing.T) {
	encoded := forge{producer: -1, messages: []Message{{Timestamp: 5, Key: []byte("key"), Value: []byte("value"), Headers: []Header{{"h", []byte("v")}}}}}.bytes(t)
	records, _, err := decodeAll(encoded, 0)
	if err != nil {
		t.Fatal(err)
	}
	message := records[0].Message()
	for i := range encoded {
		encoded[i] = 'x'
	}
	want := Message{Timestamp: 5, Key: []byte("key"), Value: []byte("value"), Headers: []Header{{"h", []byte("v")}}}
	if !reflect.DeepEqual(message, want) {
		t.Errorf("the copy changed with the buffer: %+v", message)
	}
}

func TestTimestamps(t *testing.T) {
	message := []Message{{Timestamp: 1000}, {Timestamp: 3000}, {Timestamp: 2000}}
	for _, test := range []struct {
		name       string
		attributes int16
		want       []int64
	}{
		{"create time", 0, []int64{1000, 3000, 2000}},
		{"append time is the batch's", appendTime, []int64{3000, 3000, 3000}},
		{"delete horizon changes nothing", deleteHorizon, []int64{1000, 3000, 2000}},
	} {
		records, _, err := decodeAll(forge{attributes: test.attributes, producer: -1, messages: message}.bytes(t), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			if records[i].Timestamp != test.want[i] {
				t.Errorf("%s: record %d at %d, want %d", test.name, i, records[i].Timestamp, test.want[i])
			}
		}
	}
}

// A decompression bomb ends at the bound, in every codec.
func TestInflatedSizeIsBounded(t *testing.T) {
	const limit = 1 << 20
	bomb := bytes.Repeat([]byte{0}, limit+1)
	for codec := int16(wire.Gzip); codec <= wire.Zstd; codec++ {
		packed, err := deflate(codec, bomb, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := inflate(codec, packed, nil, limit); !errors.Is(err, errInflated) {
			t.Errorf("%s: error %v", wire.CodecNames[codec], err)
		}
		packed, err = deflate(codec, bomb[:limit], nil)
		if err != nil {
			t.Fatal(err)
		}
		if inflated, err := inflate(codec, packed, nil, limit); err != nil || len(inflated) != limit {
			t.Errorf("%s: %d bytes, error %v, at the bound", wire.CodecNames[codec], len(inflated), err)
		}
	}
	// zstd's own bound ends it before so much is allocated.
	packed, err := deflate(wire.Zstd, make([]byte, MaxInflated+1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inflate(wire.Zstd, packed, nil, MaxInflated); !errors.Is(err, errInflated) {
		t.Errorf("zstd: error %v", err)
	}
}

// Java frames snappy blocks as xerial does; a block says how long it becomes, and may lie.
func TestSnappyFrames(t *testing.T) {
	block := func(s string) []byte {
		packed, err := deflate(wire.Snappy, []byte(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		return packed
	}
	framed := append(append([]byte(nil), xerialMagic...), 0, 0, 0, 1, 0, 0, 0, 1)
	for _, part := range []string{"hello ", "", "world"} {
		b := block(part)
		framed = append(append(framed, int32Bytes(int32(len(b)))...), b...)
	}
	got, err := inflate(wire.Snappy, framed, []byte("before "), MaxInflated)
	if err != nil || string(got) != "before hello world" {
		t.Errorf("%q, %v", got, err)
	}
	for name, bad := range map[string][]byte{
		"header cut":           framed[:12],
		"block length cut":     framed[:18],
		"block cut":            framed[:22],
		"block of 4 GiB":       append(append([]byte(nil), framed[:16]...), 0xff, 0xff, 0xff, 0xff, 1),
		"claims to be 4 GiB":   {0xff, 0xff, 0xff, 0xff, 0x0f, 0},
		"claims to be 128 MiB": {0x80, 0x80, 0x80, 0x40, 0},
		"nothing":              {},
	} {
		if got, err := inflate(wire.Snappy, bad, nil, MaxInflated); err == nil {
			t.Errorf("%s: %d bytes and no error", name, len(got))
		}
	}
}

// TestHeader: the last header of a name is found, null is not the absence of one, and finding one allocates nothing.
func TestHeader(t *testing.T) {
	r := Record{HeaderCount: 4, HeaderBytes: []byte("\x02a\x021\x02b\x01\x02a\x022\x02c\x00")}
	for key, want := range map[string]string{"a": "2", "c": ""} {
		if value, found := r.Header(key); !found || value == nil || string(value) != want {
			t.Errorf("%s: %q, %v", key, value, found)
		}
	}
	if value, found := r.Header("b"); !found || value != nil {
		t.Errorf("null: %q, %v", value, found)
	}
	if value, found := r.Header("d"); found || value != nil {
		t.Errorf("none: %q, %v", value, found)
	}
	if n := testing.AllocsPerRun(10, func() { r.Header("a") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
