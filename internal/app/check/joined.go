package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// mostHeld is how many bytes of records are held at most, for labels that come later.
	mostHeld = 64 << 20
	// mostKeys is how many keys are known of.
	mostKeys = 1 << 20
)

// joined decides what is a record where labels come later (record.key): a message that brings the label of a record that waits is none, but
// completes that record, as it does in a stream. Records are used in their order.
type joined struct {
	decoder *record.Decoder
	rec     record.Record
	brought []string // the fields that a label message brings, the label first; others are read by no learner, or ignored
	use     func(raw []byte, line int64)

	held    []held
	first   int             // the number of the first record held
	size    int             // of all that are held
	most    int             // that it may be
	waiting map[string]int  // by key, the number of the newest record without a label
	records int             // that were used, or are held
	found   int             // labels that completed a record
	keys    map[uint64]bool // of records
	spent   int             // labels whose record had one before
	alone   int             // labels whose record is not there
	orphans map[uint64]bool // keys of such labels
	early   int             // of these, those whose record came after them
	delays  []time.Duration // between a record and the message with its label, where both have a time
}

// held is a record that may get a label, or a message with a label only.
type held struct {
	raw  []byte
	line int64
	key  string
	bare bool
	at   time.Time // zero if it is not known
}

// newJoined is nil where labels come with their records.
func newJoined(of model.Config, use func(raw []byte, line int64)) (*joined, error) {
	if of.Record.Key == "" {
		return nil, nil
	}
	schema, err := of.Schema()
	if err != nil {
		return nil, err
	}
	j := &joined{decoder: schema.LabelOptional().NewDecoder(), use: use, most: mostHeld, waiting: map[string]int{}, keys: map[uint64]bool{}, orphans: map[uint64]bool{}}
	for _, field := range append([]string{of.Record.Label.Field, of.Record.Label.Time, of.Record.Propensity}, of.Record.Ignore...) {
		if field != "" {
			j.brought = append(j.brought, strings.TrimPrefix(string(of.Record.At)+"."+field, "."))
		}
	}
	return j, nil
}

// add takes in one message, a JSON object.
func (j *joined) add(raw []byte, line int64) {
	if j.decoder.DecodeJSON(&j.rec, raw) != nil {
		j.use(raw, line)
		return
	}
	key := string(j.rec.Key)
	of := held{raw: bytes.Clone(raw), line: line, at: j.rec.Time}
	switch number, waits := j.waiting[key]; {
	case !j.rec.HasLabel && key == "":
	case !j.rec.HasLabel:
		of.key = key
		j.waiting[key] = j.first + len(j.held)
		if hash := record.Hash(j.rec.Key); j.orphans[hash] {
			delete(j.orphans, hash)
			j.early++
		}
	case waits:
		delete(j.waiting, key)
		waited := &j.held[number-j.first]
		if !of.at.IsZero() && !waited.at.IsZero() && len(j.delays) < mostKeys {
			j.delays = append(j.delays, of.at.Sub(waited.at))
		}
		if j.complete(waited, raw) {
			j.found++
		} else {
			j.alone++
		}
		return
	case bare(&j.rec):
		if of.bare = true; j.keys[record.Hash(j.rec.Key)] {
			j.spent++
		} else if len(j.orphans) < mostKeys {
			j.orphans[record.Hash(j.rec.Key)] = true
		}
	}
	if !of.bare {
		j.records++
		if len(j.keys) < mostKeys {
			j.keys[record.Hash(j.rec.Key)] = true
		}
	}
	j.held, j.size = append(j.held, of), j.size+len(raw)
	for j.size > j.most {
		j.next()
	}
}

// bare says whether a record has no feature and no attribute.
func bare(r *record.Record) bool {
	return len(r.Features) == 0 && !slices.ContainsFunc(r.Attributes, func(v record.Value) bool { return !v.Missing })
}

// complete gives a record its label, if that is possible.
func (j *joined) complete(of *held, label []byte) bool {
	raw := merged(of.raw, label, "", j.brought)
	if j.decoder.DecodeJSON(&j.rec, raw) != nil || !j.rec.HasLabel {
		return false
	}
	j.size += len(raw) - len(of.raw)
	of.raw, of.key = raw, ""
	return true
}

// next uses the first message that is held. Labels alone are used only where there is no record at all, so that what is missing is told.
func (j *joined) next() {
	of := j.held[0]
	j.held[0] = held{}
	if j.waiting[of.key] == j.first {
		delete(j.waiting, of.key)
	}
	j.held, j.first, j.size = j.held[1:], j.first+1, j.size-len(of.raw)
	switch {
	case !of.bare || j.records == 0:
		j.use(of.raw, of.line)
	default:
		j.alone++
	}
}

// finish uses all that is held, and returns how many labels came in messages of their own for records that are there.
func (j *joined) finish() int {
	for len(j.held) > 0 {
		j.next()
	}
	return j.found + j.spent
}

// write says how many labels came in messages of their own.
func (j *joined) write(w io.Writer) {
	if j == nil {
		return
	}
	if j.found > 0 {
		english.Fprintf(w, "%d of these bring the label of an earlier one, and are looked at together with it (record.key).\n", j.found)
	}
	if j.alone > 0 {
		english.Fprintf(w, "%d of these only bring a label that no earlier record waits for: they are left out.\n", j.alone)
	}
}

// member is a field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// merged is a JSON object with some fields, named by their dotted paths, of another one. But for the first of these, a value that is there stays.
func merged(raw, other []byte, path string, fields []string) []byte {
	all := members(raw)
	for _, m := range members(other) {
		at := slices.IndexFunc(all, func(of member) bool { return of.name == m.name })
		if below := path + m.name + "."; !slices.Contains(fields, path+m.name) {
			if m.value[0] != '{' || !slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, below) }) {
				continue
			}
			into := []byte("{}")
			if at >= 0 && all[at].value[0] == '{' {
				into = all[at].value
			}
			m.value = merged(into, m.value, below, fields)
		}
		switch {
		case at < 0:
			all = append(all, m)
		case path+m.name == fields[0] || m.value[0] == '{' || slices.Contains([]string{"null", `""`}, string(all[at].value)):
			all[at] = m
		}
	}
	text := []byte{'{'}
	for k, m := range all {
		if k > 0 {
			text = append(text, ',')
		}
		name, _ := json.Marshal(m.name) // a text always can be written
		text = append(append(append(text, name...), ':'), m.value...)
	}
	return append(text, '}')
}

// members are the fields of a JSON object in their order, as far as it can be read.
func members(raw []byte) (all []member) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, err := decoder.Token()
	for err == nil && decoder.More() {
		var name json.Token
		name, err = decoder.Token()
		text, _ := name.(string)
		m := member{name: text}
		if err = errors.Join(err, decoder.Decode(&m.value)); err == nil {
			all = append(all, m)
		}
	}
	return all
}
