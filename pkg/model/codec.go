package model

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// A state is laid out as follows; numbers are little-endian. These bytes are in users' topics: a change
// needs a new version, and the golden file of every version stays.
//
//	0       8        10       18        18+c      26+c       ...    end-4   end
//	┌───────┬────────┬────────┬─────────┬─────────┬──────────┬──────┬───────┐
//	│ magic │version │ c      │ config  │ length  │ body     │      │ CRC-32C of all before
//	│ 8     │ uint16 │ uint64 │ c, JSON │ uint64  │ zstd     │      │ uint32│
//	└───────┴────────┴────────┴─────────┴─────────┴──────────┴──────┴───────┘
//
// length is that of the body before compression. The body is the encoder, the trainer, the windows and the
// measurements, written field by field by the code below.
const (
	stateMagic   = "FAIRSTRM"
	stateVersion = 1
	stateHeader  = len(stateMagic) + 2 + 8
	// largestState bounds what Restore takes, before and after decompression.
	largestState = 1 << 30
	// leastWindow is the memory that the decompressor asks for however short the body is.
	leastWindow = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	config, err := json.Marshal(l.config)
	if err != nil {
		panic("model: a configuration that cannot be written as JSON")
	}
	w := &writer{}
	l.write(w)

	start := len(dst)
	dst = append(dst, stateMagic...)
	dst = binary.LittleEndian.AppendUint16(dst, stateVersion)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(config)))
	dst = append(dst, config...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(w.data)))
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic("model: the compressor refuses its options")
	}
	dst = compressor.EncodeAll(w.data, dst)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
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
	if keys := differences(saved.fixed(), config.fixed(), ""); len(keys) > 0 {
		return nil, &ConfigChanged{Keys: keys}
	}
	r := &reader{data: body}
	l.read(r)
	if r.err == nil && len(r.data) > 0 {
		r.err = errors.New("the state is longer than it should be")
	}
	if r.err != nil {
		return nil, fmt.Errorf("model: restore: %w", r.err)
	}
	return l, nil
}

// openState checks everything that is outside the body.
func openState(state []byte) (saved Config, body []byte, err error) {
	switch {
	case len(state) < stateHeader+8+4 || string(state[:len(stateMagic)]) != stateMagic:
		return saved, nil, errors.New("model: restore: not the state of a learner")
	case len(state) > largestState:
		return saved, nil, fmt.Errorf("model: restore: a state of %d bytes is longer than %d", len(state), largestState)
	}
	if version := binary.LittleEndian.Uint16(state[len(stateMagic):]); version != stateVersion {
		return saved, nil, fmt.Errorf("model: restore: the state has format version %d and this program reads version %d: use the program that wrote it, or a newer one", version, stateVersion)
	}
	checked := state[:len(state)-4]
	if crc32.Checksum(checked, castagnoli) != binary.LittleEndian.Uint32(state[len(checked):]) {
		return saved, nil, errors.New("model: restore: the state is damaged: its checksum is wrong")
	}
	rest := checked[len(stateMagic)+2:]
	size := binary.LittleEndian.Uint64(rest)
	rest = rest[8:]
	if size > uint64(len(rest)) || len(rest)-int(size) < 8 {
		return saved, nil, fmt.Errorf("model: restore: %w", errShort)
	}
	if err := json.Unmarshal(rest[:size], &saved); err != nil {
		return saved, nil, fmt.Errorf("model: restore: the configuration in the state: %w", err)
	}
	rest = rest[size:]
	length := binary.LittleEndian.Uint64(rest)
	if length > largestState {
		return saved, nil, fmt.Errorf("model: restore: %w", errShort)
	}
	expander, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(length, leastWindow)))
	if err != nil {
		return saved, nil, fmt.Errorf("model: restore: %w", err)
	}
	defer expander.Close()
	body, err = expander.DecodeAll(rest[8:], nil)
	if err != nil || uint64(len(body)) != length {
		return saved, nil, fmt.Errorf("model: restore: %w", errShort)
	}
	return saved, body, nil
}

func (l *Learner) write(w *writer) {
	w.int(l.version)
	w.bool(l.decided)
	w.uint(uint64(len(l.held)))
	for i := range l.held {
		l.held[i].write(w)
	}
	w.coded(l.encoder.Fields)
	if l.regression != nil {
		l.regression.write(w)
		return
	}
	l.trainer.write(w)
	for _, sides := range l.windows {
		for _, side := range sides {
			side.write(w)
		}
	}
	l.measured.write(w, writeTally)
	if l.unconstrained != nil {
		l.unconstrained.write(w, writeTally)
	}
}

func (l *Learner) read(r *reader) {
	l.version = r.int()
	l.decided = r.bool()
	for range r.length(4) {
		l.held = append(l.held, l.readHeldBack(r))
	}
	r.coded(l.encoder.Fields)
	if l.regression != nil {
		l.regression.read(r, l.encoder.Size())
	} else {
		l.readClassifier(r)
	}
	if l.version < 0 || l.decided && len(l.held) > 0 {
		r.fail()
	}
}

func (l *Learner) readClassifier(r *reader) {
	l.trainer.read(r, l.encoder.Size())
	for _, sides := range l.windows {
		for _, side := range sides {
			side.read(r, l.encoder.Size())
		}
	}
	l.measured.read(r, readTally)
	if l.unconstrained != nil {
		l.unconstrained.read(r, readTally)
	}
}

// levelCount is how many levels an attribute has.
func (l *Learner) levelCount(attribute int) int {
	last := fairness.OtherLevel
	name := l.grouper.Attributes()[attribute]
	for _, c := range l.comparisons {
		for _, term := range slices.Concat(c.Group, c.Versus) {
			if term.Attribute == name {
				last = max(last, l.grouper.LevelString(attribute, term.Value))
			}
		}
	}
	return int(last) + 1
}

func (h *heldBack) write(w *writer) {
	w.bool(h.positive)
	w.float(h.label)
	w.float(h.weight)
	for _, level := range h.levels {
		w.uint(uint64(level))
	}
	w.uint(uint64(len(h.features)))
	for i := range h.features {
		f := &h.features[i]
		w.text(f.Name)
		w.bool(f.Missing)
		w.text(string(f.Text))
	}
}

func (l *Learner) readHeldBack(r *reader) heldBack {
	h := heldBack{positive: r.bool(), label: r.float(), weight: r.float()}
	if !(math.Abs(h.label) <= record.MaxLabel && h.weight > 0 && h.weight <= record.MaxWeight) {
		r.fail()
	}
	for attribute := range l.levels {
		h.levels = append(h.levels, fairness.Level(r.index(l.levelCount(attribute))))
	}
	for range r.length(3) {
		f := record.Field{ID: record.NoName, Name: r.text(), Missing: r.bool()}
		if text := r.text(); !f.Missing {
			f.Text = []byte(text)
			f.Hash = record.Hash(f.Text)
		}
		h.features = append(h.features, f)
	}
	return h
}
