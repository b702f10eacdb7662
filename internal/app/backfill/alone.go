package backfill

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockName is the file whose lock says that a backfill writes to an output, whatever links lead there.
func lockName(output string) string {
	if target, err := filepath.EvalSymlinks(output); err == nil {
		output = target
	} else if directory, err := filepath.EvalSymlinks(filepath.Dir(output)); err == nil {
		output = filepath.Join(directory, filepath.Base(output))
	}
	return output + ".lock"
}

// mostTries is how often the lock is tried: more often than backfills end at the same moment.
const mostTries = 100

// alone keeps other backfills from writing to the output until done is called. The system lets go of the lock when the process ends, however it
// ends.
func (b *Backfill) alone() (done func(), err error) {
	name := lockName(b.Output)
	for range mostTries {
		lock := flock.New(name, flock.SetPermissions(0o644)) // other users meet the lock, too
		held, err := lock.TryLock()
		switch {
		case err != nil: // some file systems have no locks
			b.say("%s could not be locked, so another backfill could write to it at the same time: %v\n", b.Output, err)
			return func() {}, nil
		case !held:
			return nil, fmt.Errorf("another backfill is writing to %s: wait until it ends, or name another file by --output", b.Output)
		}
		mine, err := lock.Stat()
		if err == nil {
			if there, err := os.Stat(name); err == nil && os.SameFile(mine, there) {
				return func() { _ = os.Remove(name); _ = lock.Close() }, nil // a file that stays is locked by nobody
			}
		}
		_ = lock.Close() // it was removed by the backfill that has just ended
	}
	return nil, fmt.Errorf("%s could not be locked, because it was removed again and again: name another file by --output", name)
}
