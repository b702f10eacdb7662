package backfill

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
)

// file is one file of a history.
type file struct {
	source   input.Source
	key      string
	bytes    int64
	changed  time.Time
	surveyed bool
	records  int64
	columns  []string // of a CSV file
	sha256   string
	blocks   []input.Block // of a far file
	summed   bool          // all rows were read
	sum      uint64        // of these
}

// A file may get other records without a change of its size or its time, for example by a program that sets the time back. So each pass sums up
// the rows as it reads them, and the sums of two passes must agree.

// errChanged says that a file is not what it was in an earlier pass.
var errChanged = errors.New("was changed while the backfill read it")

// unchanged says whether a file is what it was at the beginning.
func (f *file) unchanged() error {
	info, err := os.Stat(f.source.Name)
	if err != nil {
		return err
	}
	if info.Size() != f.bytes || !info.ModTime().Equal(f.changed) {
		return fmt.Errorf("%s %w: begin again when it is complete", f.source.Name, errChanged)
	}
	return nil
}

// agree says whether the sum of all rows is that of the pass before.
func (f *file) agree(sum uint64) error {
	if f.summed && f.sum != sum {
		return fmt.Errorf("%s %w, and its size and time stayed the same: begin again when it is complete", f.source.Name, errChanged)
	}
	f.summed, f.sum = true, sum
	return nil
}
