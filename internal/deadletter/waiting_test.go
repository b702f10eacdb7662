package deadletter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheFirstSchema: a wait ends when one of the schemas is there, and with an error when the replay is to end.
func TestTheFirstSchema(t *testing.T) {
	there := make(chan struct{})
	close(there)
	if err := (waiting{0: make(chan struct{}), 3: there}).first(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (waiting{0: make(chan struct{})}).first(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// late is JSON whose messages that say late have a schema that is awaited the first time.
type late struct {
	format.Format
	asked    func() <-chan struct{}
	met      bool
	prepared []string
}

type lateDecoder struct {
	format.Decoder
	late *late
}

func (l *late) NewDecoder(schema *record.Schema) format.Decoder {
	return lateDecoder{l.Format.NewDecoder(schema), l}
}

func (d lateDecoder) Decode(dst *record.Record, message *kafka.Record) error {
	if bytes.Contains(message.Value, []byte("late")) && !d.late.met {
		d.late.met = true
		return &format.Pending{Schema: "late", Ready: d.late.asked()}
	}
	return d.Decoder.Decode(dst, message)
}

func (d lateDecoder) Prepare(message *kafka.Record) {
	d.late.prepared = append(d.late.prepared, string(message.Value))
}

// TestLettersWaitForSchemas: those of a partition of the input behind one whose schema is awaited stay in order, and those of others do not wait.
func TestLettersWaitForSchemas(t *testing.T) {
	s := newShop(t, 2)
	s.Round = 0
	there := make(chan struct{})
	close(there)
	l := &late{Format: format.JSON, asked: func() <-chan struct{} { return there }}
	s.Format = l
	id, first := s.Topics["in"].ID, `{"n":"late","paid":"1"}`
	s.letter(Origin{id, 0}, 0, first)
	s.letter(Origin{id, 0}, 1, good(1))
	s.letter(Origin{id, 1}, 2, good(2))
	s.letter(Origin{id, 0}, 3, good(3))
	result, err := s.Replay(t.Context(), s.schema, false)
	if err != nil || result.Written != 4 || len(result.Unreadable) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
	if want := []string{"0: " + first, "0: " + good(1), "0: " + good(3), "1: " + good(2)}; !slices.Equal(s.written(), want) {
		t.Errorf("in the input: %v", s.written())
	}
	if !slices.Equal(l.prepared, []string{good(1), good(3)}) {
		t.Errorf("prepared %v", l.prepared)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l.met, l.asked = false, func() <-chan struct{} { cancel(); return nil }
	s.letter(Origin{id, 1}, 4, first)
	if result, err := s.Replay(ctx, s.schema, true); !errors.Is(err, context.Canceled) || result.Written != 0 {
		t.Errorf("after the end: %+v, %v", result, err)
	}
}

// TestMailThatIsRefused: what cannot be sent ends the delivery.
func TestMailThatIsRefused(t *testing.T) {
	in := make(chan Mail, 1)
	in <- Mail{Letters: make([]kafka.Message, 1)}
	err := Deliver(t.Context(), refusing{}, in, func(int) { t.Error("acknowledged") })
	if !errors.Is(err, clustertest.ErrFatal) || !strings.HasPrefix(err.Error(), "dead letters: ") {
		t.Error(err)
	}
}

type refusing struct{}

func (refusing) Send(context.Context, *kafka.Message) error { return clustertest.ErrFatal }
func (refusing) Flush(context.Context) error                { return nil }

// TestNotesOfTheInput: only the header of a replay says that a letter is in the input, and a partition that is no more holds none.
func TestNotesOfTheInput(t *testing.T) {
	s := newShop(t, 1)
	for i := range 3 {
		s.letter(Origin{}, int64(i), good(i))
	}
	state := s.Topics["state"].Partitions[0]
	state.Records = append(state.Records, kafka.Message{Key: []byte("loans/replay"), Value: []byte(`{"pending":{"0":[[0,3]]},"ends":{"0":0,"1":0}}`)})
	in := s.Topics["in"].Partitions[0]
	in.Records = append(in.Records, kafka.Message{Value: []byte(good(0)), Headers: []kafka.Header{{Key: "other", Value: []byte("0/1")}, {Key: HeaderReplay, Value: []byte("0/0")}}})
	if result, err := s.Replay(t.Context(), s.schema, true); err != nil || result.Before != 1 || result.Written != 2 || state.End() != 1 || in.End() != 1 {
		t.Errorf("dry: %+v, %v, and %v", result, err, s.Trace)
	}
	if result, err := s.Replay(t.Context(), s.schema, false); err != nil || result.Before != 1 || result.Written != 2 {
		t.Errorf("%+v, %v", result, err)
	}
	var n notes
	if err := n.add("loans", noteKey("loans"), []byte("{")); err == nil {
		t.Error("a note that is cut was read")
	}
}

// TestLettersThatFillATransaction: mostMemory goes into one, and a byte more into two.
func TestLettersThatFillATransaction(t *testing.T) {
	for more, want := range []int{1, 2} {
		s := newShop(t, 1)
		s.Round = 0
		id := s.Topics["in"].ID
		value := `{"n":"%s","paid":"1"}`
		size := mostMemory/4 - len("k") - len(HeaderReplay) - len("0/0/"+id.String())
		for i := range 4 {
			text := strings.Repeat("x", size-len(fmt.Sprintf(value, "")))
			if i == 3 {
				text += strings.Repeat("x", more)
			}
			s.letter(Origin{id, 0}, int64(i), fmt.Sprintf(value, text))
		}
		result, err := s.Replay(t.Context(), s.schema, false)
		commits := 0
		for _, operation := range s.Trace {
			if strings.HasPrefix(operation, "commit") {
				commits++
			}
		}
		if err != nil || result.Written != 4 || commits != want {
			t.Errorf("%d bytes more: %+v in %d transactions, %v", more, result, commits, err)
		}
	}
}
