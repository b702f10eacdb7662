package model

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/envelope"
)

// A state is laid out as follows; numbers are little-endian. These bytes are in users' topics: a part may
// get further fields at its end; any other change needs a new version.
//
//	0       8        10       18        18+c      26+c       ...    end-4   end
//	┌───────┬────────┬────────┬─────────┬─────────┬──────────┬──────┬───────┐
//	│ magic │version │ c      │ config  │ length  │ body     │      │ CRC-32C of all before
//	│ 8     │ uint16 │ uint64 │ c, JSON │ uint64  │ zstd     │      │ uint32│
//	└───────┴────────┴────────┴─────────┴─────────┴──────────┴──────┴───────┘
//
// length is that of the body before compression. The body is written field by field, by the Fields of every part.
var stateFormat = envelope.Format{Magic: "FAIRSTRM", Version: 4, What: "the state of a learner"}

const (
	// largestState bounds what Restore takes, before and after decompression.
	largestState = 1 << 30
	// pieceBytes is the length of the pieces of a state: one slice would be copied as it grows, so that its bytes were in memory twice.
	pieceBytes = 256 << 10
	// mostHeld bounds the bytes that Hold keeps beside copied weights: remembered rows of wide records are not to be in memory twice.
	mostHeld = 32 << 20
	// leastWindow is how far back the compressor refers, and the memory that the decompressor asks for however short the body is.
	leastWindow = 1 << 20
)

// ConfigChanged says that a state was made under a configuration that learns something else.
type ConfigChanged struct {
	Keys []string // that differ
}

func (e *ConfigChanged) Error() string {
	back := "it"
	if len(e.Keys) > 1 {
		back = "them"
	}
	return fmt.Sprintf("model: the state was learnt with another %s: set %s back, or start over with `fairstream state reset`",
		strings.Join(e.Keys, ", "), back)
}

// AppendState appends the whole state to dst. It changes nothing, and the same state gives the same bytes.
func (l *Learner) AppendState(dst []byte) []byte {
	return slices.Concat(append([][]byte{dst}, l.seal(l.fields)...)...)
}

// Hold takes the state of this moment, and returns what gives the bytes that AppendState would have appended, in pieces. That takes most of the
// time, and may happen on another goroutine while the learner goes on. Where records are so wide that remembered rows would fill the memory a
// second time, Hold compresses the state itself.
func (l *Learner) Hold() (state func() [][]byte) {
	if !l.long {
		if held := codec.Hold(mostHeld, l.fields); held != nil {
			return func() [][]byte { return l.seal(held) }
		}
		l.long = true
	}
	sealed := l.seal(l.fields)
	return func() [][]byte { return sealed }
}

// seal gives the state whose body fields codes. It reads nothing of the learner that learning changes.
func (l *Learner) seal(fields func(*codec.Coder)) pieces {
	config := l.config.json()
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(leastWindow))
	if err != nil {
		panic("model: the compressor refuses its options")
	}

	// The body may be longer than all that the learner keeps, so it is compressed as it is written.
	head := binary.LittleEndian.AppendUint64(stateFormat.Begin(nil), uint64(len(config)))
	head = append(head, config...)
	var sealed pieces
	err = codec.Stream(func(length int64) io.Writer {
		sealed = pieces{binary.LittleEndian.AppendUint64(head, uint64(length))}
		compressor.ResetContentSize(&sealed, length)
		return compressor
	}, fields)
	if err = errors.Join(err, compressor.Close()); err != nil {
		panic("model: a state that cannot be compressed")
	}
	return append(sealed, envelope.Checksum(sealed...))
}

// pieces are bytes in their order.
type pieces [][]byte

// Write puts bytes into pieces of pieceBytes.
func (p *pieces) Write(b []byte) (int, error) {
	written := len(b)
	for len(b) > 0 {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == cap((*p)[last]) {
			*p = append(*p, make([]byte, 0, pieceBytes))
			last++
		}
		piece := (*p)[last]
		n := copy(piece[len(piece):cap(piece)], b)
		(*p)[last], b = piece[:len(piece)+n], b[n:]
	}
	return written, nil
}

// Restore returns the learner whose state these bytes are. config may differ from the one that it was
// learnt with in the keys that Changeable lists; any other difference is a *ConfigChanged.
func Restore(config Config, state []byte) (*Learner, error) {
	saved, body, err := openState(state)
	if err != nil {
		return nil, err
	}
	l, err := New(config)
	if err != nil {
		return nil, err
	}
	if keys := config.conflicts(saved); len(keys) > 0 {
		return nil, &ConfigChanged{Keys: keys}
	}
	r := codec.NewReader(body)
	l.fields(r)
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("model: restore: %w", err)
	}
	if !config.identifies(saved, func(field string) bool { return !l.ready || l.encoder.Has(field) }) {
		return nil, &ConfigChanged{Keys: []string{"record.id"}}
	}
	return l, nil
}

// openState checks everything that is outside the body.
func openState(state []byte) (saved Config, body []byte, err error) {
	rest, err := stateFormat.Open(state)
	if err != nil {
		return saved, nil, fmt.Errorf("model: restore: %w", err)
	}
	if len(rest) < 8 {
		return saved, nil, fmt.Errorf("model: restore: %w", codec.ErrDamaged)
	}
	size := binary.LittleEndian.Uint64(rest)
	rest = rest[8:]
	if size > uint64(len(rest)) || len(rest)-int(size) < 8 {
		return saved, nil, fmt.Errorf("model: restore: %w", codec.ErrDamaged)
	}
	if err := json.Unmarshal(rest[:size], &saved); err != nil {
		return saved, nil, fmt.Errorf("model: restore: the configuration in the state: %w", err)
	}
	rest = rest[size:]
	length := binary.LittleEndian.Uint64(rest)
	if length > largestState {
		return saved, nil, fmt.Errorf("model: restore: %w", codec.ErrDamaged)
	}
	expander, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(length, leastWindow)))
	if err != nil {
		return saved, nil, fmt.Errorf("model: restore: %w", err)
	}
	defer expander.Close()
	body, err = expander.DecodeAll(rest[8:], nil)
	if err != nil || uint64(len(body)) != length {
		return saved, nil, fmt.Errorf("model: restore: %w", codec.ErrDamaged)
	}
	return saved, body, nil
}

// fields codes all that has been learnt. To read, l must be new.
func (l *Learner) fields(c *codec.Coder) {
	c.Count(&l.version)
	c.Bool(&l.ready)
	l.foundFields(c)
	if c.Err() != nil {
		return
	}
	levels := l.levelCounts()
	codec.Slice(c, &l.first, 4, func(h *held) { h.code(c, levels) })
	c.Check(!l.ready || len(l.first) == 0)
	l.encoder.Fields(c)
	if c.Err() != nil {
		return
	}
	if l.strata != nil {
		l.strata.fields(c)
	}
	l.method.fields(c, l.encoder.Size())
	l.evaluation.fields(c)
	c.Section(func() { l.absences.Fields(c, func(a absences) { a.fields(c) }) })
	if l.config.Evaluation.Share > 0 {
		l.reserve.Fields(c, len(l.levels))
		c.Check(l.reserve.Count() <= l.version)
	}
	if c.More() {
		l.unlabelled.fields(c, &l.encoder.Frozen)
	}
	if c.More() {
		l.order.Fields(c, len(l.encoder.Parts().Columns))
	}
}

// foundFields codes the groups and strata that were met.
func (l *Learner) foundFields(c *codec.Coder) {
	c.Section(func() {
		found := l.grouper.Found()
		texts := func(list *[]string) { codec.Slice(c, list, 1, func(text *string) { codec.Text(c, text) }) }
		codec.Slice(c, &found.Values, 1, texts)
		codec.Slice(c, &found.Groups, 1, func(groups *[][]string) { codec.Slice(c, groups, 1, texts) })
		codec.Slice(c, &found.Best, 1, texts)
		texts(&found.Refused)
		if c.Reading() && c.Err() == nil {
			c.Check(l.grouper.Adopt(found) == nil)
		}
	})
}

// levelCounts is how many levels each attribute has.
func (l *Learner) levelCounts() []int {
	counts := make([]int, len(l.levels))
	for i := range counts {
		counts[i] = l.grouper.Levels(i)
	}
	return counts
}
