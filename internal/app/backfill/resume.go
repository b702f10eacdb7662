package backfill

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/fairstream/fairstream/internal/app/output"
)

// part is how far a backfill is.
type part struct {
	Format string `json:"format"`
	// Of is the hash of what the backfill is of.
	Of string `json:"of"`
	// Saved is what pkg/backfill goes on from, SHA256 its hash: a number that a disk changed would be a number, too.
	Saved  json.RawMessage `json:"saved"`
	SHA256 string          `json:"sha256"`
}

// fingerprint is a hash of all that the result depends on.
func (b *Backfill) fingerprint() (string, error) {
	type one struct {
		Name    string
		Key     string
		Bytes   int64
		Changed time.Time
	}
	var list []one
	for i := range b.files.list {
		f := &b.files.list[i]
		list = append(list, one{f.source.Name, f.key, f.bytes, f.changed.UTC()})
	}
	data, err := json.Marshal([]any{b.config.Model(), list, b.TimeField, b.Sample})
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
		b.say("%s belongs to other files or to another configuration, and is replaced.\n", partName(b.Output))
		return nil, nil
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
	data, err := json.Marshal(part{partFormat, b.of, saved, sumOf(saved)})
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	return output.File{Name: partName(b.Output), Kind: partKind}.Write(data)
}
