package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/bycommit"
)

// filled is an answer with two elements in every array, written as a broker would.
func filled(t testing.TB, api protocol.ApiKey, version int16) []byte {
	t.Helper()
	value := reflect.New(answersOfKafkaGo[api])
	fill(value.Elem())
	return written(t, version, value)
}

// written is an answer as a broker would write it.
func written(t testing.TB, version int16, value reflect.Value) []byte {
	t.Helper()
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
	if len(answer) < AnswerHead || ShapeOf(api, version).Check(answer[AnswerHead:]) != nil {
		return false, 0
	}
	answer = slices.Clone(answer)
	binary.BigEndian.PutUint32(answer, uint32(len(answer)-AnswerHead)) // as the guard has read it
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
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	everyAnswer(t, func(api protocol.ApiKey, version int16, answer []byte) {
		if fits, _ := decodeWithin(api, version, answer); !fits {
			t.Errorf("%v %d: a good answer is refused", api, version)
		}
		refused := 0
		first, every := bycommit.Of(t, fmt.Sprintf("bits of %v %d", api, version), 5)
		for bit := AnswerHead*8 + first; bit < len(answer)*8; bit += every {
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
		if version < 0 || ShapeOf(api, version) == nil || version < api.MinVersion() {
			return
		}
		if _, allocated := decodeWithin(api, version, answer); allocated > allowance+64*uint64(len(answer)) {
			t.Errorf("%v %d: %d bytes allocate %d", api, version, len(answer), allocated)
		}
	})
}

// TestChecksTakeNoMemoryForWhatAnAnswerHolds: as few allocations for an answer of thousands of values as for a short one.
func TestChecksTakeNoMemoryForWhatAnAnswerHolds(t *testing.T) {
	everyAnswer(t, func(api protocol.ApiKey, version int16, answer []byte) {
		s := ShapeOf(api, version)
		if n := testing.AllocsPerRun(10, func() { _ = s.Check(answer[AnswerHead:]) }); n > 16 || s != ShapeOf(api, version) {
			t.Errorf("%v %d: %v allocations", api, version, n)
		}
	})
}
