package backfill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/app/output"
)

// part is how far a backfill is.
type part struct {
	Format string `json:"format"`
	// Of is the hash of what the backfill is of.
	Of string `json:"of"`
	// Saved is what pkg/backfill goes on from.
	Saved json.RawMessage `json:"saved"`
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
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
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
	p := b.parse(data)
	if p == nil {
		b.say("%s belongs to other files or to another configuration, and is replaced.\n", partName(b.Output))
	}
	return p, nil
}

// parse returns what was saved, nil if it is of something else.
func (b *Backfill) parse(data []byte) json.RawMessage {
	var p part
	if json.Unmarshal(data, &p) != nil || p.Format != partFormat || p.Of != b.of {
		return nil
	}
	return p.Saved
}

// save keeps how far the backfill is.
func (b *Backfill) save(saved []byte) error {
	data, err := json.Marshal(part{partFormat, b.of, saved})
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	return output.File{Name: partName(b.Output), Kind: partKind}.Write(data)
}
