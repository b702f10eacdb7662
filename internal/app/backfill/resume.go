package backfill

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/output"
)

// part is how far a backfill is.
type part struct {
	Format string `json:"format"`
	// Of is the hash of what the backfill is of, Files are the files of it.
	Of    string `json:"of"`
	Files []seen `json:"files"`
	// Sums are those of the rows of each file.
	Sums []uint64 `json:"sums,omitempty"`
	// Saved is what pkg/backfill goes on from, SHA256 its hash: a number that a disk changed would be a number, too.
	Saved  json.RawMessage `json:"saved"`
	SHA256 string          `json:"sha256"`
}

// seen is a file as a backfill found it.
type seen struct {
	Name    string
	Key     string
	Bytes   int64
	Changed time.Time
}

func (f *files) seen() (list []seen) {
	for i := range f.list {
		one := &f.list[i]
		list = append(list, seen{one.source.Name, one.key, one.bytes, one.changed.UTC()})
	}
	return list
}

// sums are those of all files; nil if these were not all read.
func (f *files) sums() (all []uint64) {
	for i := range f.list {
		if !f.list[i].summed {
			return nil
		}
		all = append(all, f.list[i].sum)
	}
	return all
}

// changes says how files differ from those of an earlier backfill; empty if they do not.
func changes(before, now []seen) string {
	was, texts := map[string]seen{}, []string(nil)
	for _, one := range before {
		was[one.Name] = one
	}
	for _, one := range now {
		switch other, known := was[one.Name]; {
		case !known:
			texts = append(texts, one.Name+" is new")
		case other != one:
			texts = append(texts, one.Name+" was changed")
		}
		delete(was, one.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		texts = append(texts, name+" is gone")
	}
	if more := len(texts) - mostUneven; more > 0 {
		texts = append(texts[:mostUneven], english.Sprintf("%s more", english.Counted(more, "file")))
	}
	return strings.Join(texts, ", ")
}

// fingerprint is a hash of all that the result depends on.
func (b *Backfill) fingerprint() (string, error) {
	data, err := json.Marshal([]any{b.config.Model(), b.files.seen(), b.TimeField, b.Sample})
	if err != nil {
		return "", fmt.Errorf("backfill: %w", err)
	}
	return sumOf(data), nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// saved returns how far a backfill of the same files and configuration was, nil if there is none.
func (b *Backfill) saved() (json.RawMessage, error) {
	data, err := os.ReadFile(partName(b.Output))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := readPart(data)
	switch {
	case p == nil:
		b.say("%s is damaged, and is replaced: the backfill begins from the start.\n", partName(b.Output))
		return nil, nil
	case p.Of != b.of:
		why := "the configuration, --time or --sample has changed"
		if of := changes(p.Files, b.files.seen()); of != "" && len(p.Files) > 0 { // an older program kept none
			why = "its files differ: " + of
		}
		b.say("%s is from another backfill, and is replaced: %s. This one begins from the start.\n", partName(b.Output), why)
		return nil, nil
	}
	if len(p.Sums) == len(b.files.list) { // an older program kept none
		for i := range p.Sums {
			b.files.list[i].summed, b.files.list[i].sum = true, p.Sums[i]
		}
	}
	return p.Saved, nil
}

// readPart returns nil of data that is damaged.
func readPart(data []byte) *part {
	var p part
	if json.Unmarshal(data, &p) != nil || p.Format != partFormat || p.SHA256 != sumOf(p.Saved) {
		return nil
	}
	return &p
}

// sweep removes what killed backfills had begun to write.
func (b *Backfill) sweep() error {
	directory, name := filepath.Split(b.Output)
	entries, err := os.ReadDir(cmp.Or(directory, "."))
	if err != nil {
		return err
	}
	torn := regexp.MustCompile("^" + regexp.QuoteMeta(name) + `(\.rounds)?\.part-\d+$`)
	for _, entry := range entries {
		if torn.MatchString(entry.Name()) {
			if err := os.Remove(filepath.Join(directory, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// save keeps how far the backfill is.
func (b *Backfill) save(saved []byte) error {
	data, err := json.Marshal(part{partFormat, b.of, b.files.seen(), b.files.sums(), saved, sumOf(saved)})
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	return output.File{Name: partName(b.Output), Kind: partKind}.Write(data)
}

// forget removes how far the backfill is if a file was changed: nothing goes on from there.
func (b *Backfill) forget(err error) error {
	if !errors.Is(err, errChanged) {
		return err
	}
	if removed := os.Remove(partName(b.Output)); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
