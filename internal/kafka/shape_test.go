package kafka

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"net"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
)

// filled is an answer with two elements in every array, written as a broker would.
func filled(t testing.TB, api protocol.ApiKey, version int16) []byte {
	t.Helper()
	value := reflect.New(answersOfKafkaGo[api])
	fill(value.Elem())
	var answer bytes.Buffer
	if err := protocol.WriteResponse(&answer, version, 7, value.Interface().(protocol.Message)); err != nil {
		t.Fatal(err)
	}
	return answer.Bytes()
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("abcdef")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// everyAnswer runs over the kinds and versions of answers that kafka-go decodes.
func everyAnswer(t testing.TB, use func(api protocol.ApiKey, version int16, answer []byte)) {
	for _, api := range slices.Sorted(maps.Keys(answersOfKafkaGo)) {
		for version := api.MinVersion(); version <= api.MaxVersion(); version++ {
			use(api, version, filled(t, api, version))
		}
	}
}

// decodeWithin gives an answer to kafka-go if its shape is right, and the bytes that were allocated for it.
func decodeWithin(api protocol.ApiKey, version int16, answer []byte) (fits bool, allocated uint64) {
	if len(answer) < answerHead || shapeOf(api, version).check(answer[answerHead:]) != nil {
		return false, 0
	}
	answer = slices.Clone(answer)
	binary.BigEndian.PutUint32(answer, uint32(len(answer)-answerHead)) // as the guard has read it
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, _ = protocol.ReadResponse(bytes.NewReader(answer), api, version) // whether it fails is not asked: it must not allocate
	runtime.ReadMemStats(&after)
	return true, after.TotalAlloc - before.TotalAlloc
}

const allowance = 256 << 10

// fixed are answers without any length, but for that of the whole.
var fixed = map[protocol.ApiKey]bool{protocol.InitProducerId: true, protocol.EndTxn: true, protocol.AddOffsetsToTxn: true}

// Whatever bit of whatever answer is flipped, kafka-go is not given a length that the answer cannot hold.
func TestFlippedBitsAllocateNothing(t *testing.T) {
	everyAnswer(t, func(api protocol.ApiKey, version int16, answer []byte) {
		if fits, _ := decodeWithin(api, version, answer); !fits {
			t.Errorf("%v %d: a good answer is refused", api, version)
		}
		refused := 0
		for bit := answerHead * 8; bit < len(answer)*8; bit++ {
			flipped := slices.Clone(answer)
			flipped[bit/8] ^= 1 << (bit % 8)
			fits, allocated := decodeWithin(api, version, flipped)
			if !fits {
				refused++
			}
			if allocated > allowance {
				t.Errorf("%v %d: bit %d of %d bytes allocates %d bytes", api, version, bit, len(answer), allocated)
			}
		}
		if refused == 0 && !fixed[api] {
			t.Errorf("%v %d: nothing is refused", api, version)
		}
	})
}

func FuzzAnswerShape(f *testing.F) {
	everyAnswer(f, func(api protocol.ApiKey, version int16, answer []byte) { f.Add(int16(api), version, answer) })
	f.Fuzz(func(t *testing.T, key, version int16, answer []byte) {
		api := protocol.ApiKey(key)
		if version < 0 || shapeOf(api, version) == nil || version < api.MinVersion() {
			return
		}
		if _, allocated := decodeWithin(api, version, answer); allocated > allowance+64*uint64(len(answer)) {
			t.Errorf("%v %d: %d bytes allocate %d", api, version, len(answer), allocated)
		}
	})
}

// On a connection, a size that is too large, a wrong shape and what follows an answer are refused; an answer of our own
// passes as it is.
func TestGuardedConnection(t *testing.T) {
	ask := func(api protocol.ApiKey, version int16, answer []byte) ([]byte, error) {
		ours, theirs := net.Pipe()
		defer func() { _ = ours.Close() }()
		go func() {
			_, _ = io.ReadFull(theirs, make([]byte, 10))
			_, _ = theirs.Write(answer) // refused halfway, it fails
			_ = theirs.Close()
		}()
		c := &guardedConn{Conn: ours, contact: new(contact)}
		request := binary.BigEndian.AppendUint32(nil, 6)
		request = binary.BigEndian.AppendUint16(request, uint16(api))
		request = binary.BigEndian.AppendUint16(request, uint16(version))
		if _, err := c.Write(append(request, 0, 0)); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(answer))
		_, err := io.ReadFull(c, got)
		return got, err
	}
	good := filled(t, protocol.Produce, 8)
	bad := slices.Clone(good)
	binary.BigEndian.PutUint32(bad[8:], 0x20000001)
	for _, test := range []struct {
		name    string
		api     protocol.ApiKey
		version int16
		answer  []byte
		passes  bool
	}{
		{"good", protocol.Produce, 8, good, true},
		{"forged count", protocol.Produce, 8, bad, false},
		{"2 GiB", protocol.Produce, 8, binary.BigEndian.AppendUint32(nil, 0x7fffffff), false},
		{"negative size", protocol.Fetch, 13, binary.BigEndian.AppendUint32(nil, 0xffffffff), false},
		{"our own", protocol.Fetch, 13, bad, true},
		{"TLS", protocol.Metadata, 8, []byte{0x15, 0x03, 0x03, 0, 2, 2, 40}, false},
		{"more than its size", protocol.Fetch, 13, append(slices.Clone(good), 0x7f, 0xff, 0xff, 0xff, 0), false},
	} {
		got, err := ask(test.api, test.version, test.answer)
		if test.passes != (err == nil) || test.passes && !bytes.Equal(got, test.answer) {
			t.Errorf("%s: %x, %v", test.name, got, err)
		}
	}
}
