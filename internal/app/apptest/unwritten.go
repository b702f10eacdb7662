package apptest

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/fairstream/fairstream/internal/app/program"
)

var errFull = errors.New("the disk is full")

// failing is an output whose writes succeed but for one.
type failing struct {
	left   int // writes before the one that fails
	failed bool
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left--; f.left == -1 {
		f.failed = true
		return 0, errFull
	}
	return len(p), nil
}

// Unwritten runs commands again and again, whose first write to standard output fails, then the second, and so on until none is left. The error says so
// each time.
func Unwritten(t *testing.T, commands map[string]func(context.Context, *program.Streams) error) {
	t.Helper()
	for name, command := range commands {
		for at := 0; ; at++ {
			out := &failing{left: at}
			err := command(t.Context(), &program.Streams{Out: out, Err: io.Discard})
			if errors.Is(err, errFull) != out.failed || err != nil && !out.failed {
				t.Errorf("%s, whose write %d fails: %v", name, at+1, err)
			}
			if !out.failed {
				if at == 0 {
					t.Errorf("%s writes nothing", name)
				}
				break
			}
		}
	}
}
