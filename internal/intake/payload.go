package intake

import (
	"encoding/binary"
	"math"

	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// payload is a record as it waits: how it was decided (a byte), the score and the number, and its bytes as they came.
func payload(w *observe.Waiting, value []byte) []byte {
	d := undecided
	switch {
	case w.Known && w.Positive:
		d = positive
	case w.Known:
		d = negative
	}
	b := make([]byte, 0, payloadHead+len(value))
	b = binary.LittleEndian.AppendUint64(append(b, byte(d)), math.Float64bits(w.Score))
	return append(binary.LittleEndian.AppendUint64(b, uint64(w.Number)), value...)
}

const payloadHead = 1 + 8 + 8

// readPayload reads what payload wrote.
func readPayload(b []byte) (w *observe.Waiting, value []byte, ok bool) {
	if len(b) < payloadHead || decision(b[0]) > positive {
		return nil, nil, false
	}
	return &observe.Waiting{Known: decision(b[0]) != undecided, Positive: decision(b[0]) == positive,
		Score: math.Float64frombits(binary.LittleEndian.Uint64(b[1:])), Number: int64(binary.LittleEndian.Uint64(b[9:]))}, b[payloadHead:], true
}

// decision is how a record was decided when it came.
type decision byte

const (
	undecided decision = iota
	negative
	positive
)

// label is what the message of a label brings.
type label struct {
	positive          bool
	value, propensity float64
}

func labelOf(r *record.Record) label { return label{r.Positive, r.Label, r.Propensity} }

const labelHead = 1 + 8 + 8

// append writes the label, and behind it the record that waited for it.
func (l label) append(dst, waits []byte) []byte {
	d := negative
	if l.positive {
		d = positive
	}
	dst = binary.LittleEndian.AppendUint64(append(dst, byte(d)), math.Float64bits(l.value))
	return append(binary.LittleEndian.AppendUint64(dst, math.Float64bits(l.propensity)), waits...)
}

// readLabel reads what append wrote.
func readLabel(b []byte) (l label, waits []byte, ok bool) {
	if len(b) < labelHead || decision(b[0]) > positive {
		return l, nil, false
	}
	return label{decision(b[0]) == positive, math.Float64frombits(binary.LittleEndian.Uint64(b[1:])), math.Float64frombits(binary.LittleEndian.Uint64(b[9:]))}, b[labelHead:], true
}
