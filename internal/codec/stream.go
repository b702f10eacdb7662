package codec

import (
	"encoding/binary"
	"io"
)

// Stream writes what fields codes to a writer, without holding it in memory. fields is called twice, because the length of a
// section stands before it: it must write the same both times. begin takes the length of all, before anything is
// written.
//
// The bytes are those that a NewWriter has after fields.
func Stream(begin func(length int64) io.Writer, fields func(c *Coder)) error {
	c := &Coder{stream: &stream{measures: true}}
	fields(c)
	s := c.stream
	s.pass(c)
	s.measures, s.to = false, begin(s.passed)
	s.begun = 0
	fields(c)
	s.pass(c)
	return s.err
}

// stream is where a Coder passes on what it has written. While it measures that is nowhere.
type stream struct {
	measures bool
	to       io.Writer
	passed   int64    // bytes
	lengths  []uint32 // of the sections, in the order in which they begin
	begun    int      // sections
	err      error    // the first one
}

// passedAt is how many bytes are passed on at once.
const passedAt = 64 << 10

// wrote passes on or holds what a Coder has written, if it is much.
func (c *Coder) wrote() {
	switch {
	case len(c.data) < passedAt:
	case c.stream != nil:
		c.stream.pass(c)
	case c.hold != nil:
		c.hold.full(c)
	}
}

func (s *stream) pass(c *Coder) {
	s.passed += int64(len(c.data))
	if !s.measures && s.err == nil {
		_, s.err = s.to.Write(c.data)
	}
	c.data = c.data[:0]
}

// section is Coder.Section.
func (s *stream) section(c *Coder, fields func()) {
	i := s.begun
	s.begun++
	if s.measures {
		s.lengths = append(s.lengths, 0)
	}
	c.data = binary.LittleEndian.AppendUint32(c.data, s.lengths[i])
	start := s.passed + int64(len(c.data))
	fields()
	if s.measures {
		s.lengths[i] = uint32(s.passed + int64(len(c.data)) - start)
	}
}
