package devbroker

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrInUse: another broker uses the data directory. Two of them would write the same files, each without knowing what
// the other has written.
var ErrInUse = errors.New("another broker uses this directory")

// lockFile stays when a broker ends: to remove it is to take it from under one that has just opened it. The system
// itself lets go of the lock when its process ends, however it ends.
const lockFile = ".lock"

func acquire(directory string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(directory, lockFile))
	held, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("devbroker: %w", err)
	case !held:
		return nil, fmt.Errorf("devbroker: %s: %w", directory, ErrInUse)
	}
	return lock, nil
}

func unlock(lock *flock.Flock) error {
	if lock == nil {
		return nil
	}
	return lock.Unlock()
}
