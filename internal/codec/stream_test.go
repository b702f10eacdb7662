package codec

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
)

// nested has sections within sections, before and behind much that is passed on in pieces.
func nested(c *Coder) {
	small, large := full(), make([]float64, 3*passedAt/8+1)
	c.Section(func() {
		small.fields(c)
		c.Section(func() {
			c.Floats(&large)
			small.fields(c)
		})
		c.Section(func() {})
	})
	text := string(make([]byte, 2*passedAt))
	Text(c, &text)
	small.fields(c)
}

// A stream has the bytes that a writer has, and knows their length before.
func TestStreamWritesTheSameBytes(t *testing.T) {
	want := NewWriter(nil)
	nested(want)
	var got bytes.Buffer
	err := Stream(func(length int64) io.Writer {
		if length != int64(len(want.Bytes())) {
			t.Errorf("the length is %d, and was %d before", len(want.Bytes()), length)
		}
		return &got
	}, nested)
	if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v: %d bytes differ from %d", err, got.Len(), len(want.Bytes()))
	}
}

// broken fails at its second piece.
type broken struct{ pieces int }

var errBroken = errors.New("broken")

func (b *broken) Write(p []byte) (int, error) {
	if b.pieces++; b.pieces == 2 {
		return 0, errBroken
	}
	return len(p), nil
}

// The first error of the writer is returned, and nothing is written after it.
func TestStreamReturnsTheErrorOfItsWriter(t *testing.T) {
	to := &broken{}
	if err := Stream(func(int64) io.Writer { return to }, nested); !errors.Is(err, errBroken) || to.pieces != 2 {
		t.Errorf("%v after %d pieces", err, to.pieces)
	}
}

// What is passed on does not pile up.
func TestStreamHoldsLittle(t *testing.T) {
	most := 0
	if err := Stream(func(int64) io.Writer { return io.Discard }, func(c *Coder) {
		floats := make([]float64, 1000)
		for range 1000 {
			c.Floats(&floats)
			most = max(most, cap(slices.Clip(c.Bytes())))
		}
	}); err != nil || most > 2*passedAt {
		t.Errorf("%v: it holds up to %d bytes", err, most)
	}
}

// TestStreamHoldsFewSmallNumbers, whatever kind of number comes often.
func TestStreamHoldsFewSmallNumbers(t *testing.T) {
	whole, count, truth, number, single, text := int64(-3), uint64(300), true, 2.5, float32(2.5), "text"
	for kind, write := range map[string]func(c *Coder){
		"Int": func(c *Coder) { c.Int(&whole) }, "Uint": func(c *Coder) { c.Uint(&count) }, "Bool": func(c *Coder) { c.Bool(&truth) },
		"Float": func(c *Coder) { c.Float(&number) }, "Single": func(c *Coder) { c.Single(&single) }, "Text": func(c *Coder) { Text(c, &text) },
	} {
		most := 0
		if err := Stream(func(int64) io.Writer { return io.Discard }, func(c *Coder) {
			for range 4 * passedAt {
				write(c)
				most = max(most, len(c.Bytes()))
			}
		}); err != nil || most > 2*passedAt {
			t.Errorf("%s: %v, it holds up to %d bytes", kind, err, most)
		}
	}
}
