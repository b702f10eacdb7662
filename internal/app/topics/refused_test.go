package topics

import (
	"context"
	"errors"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	run := func(create bool) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			return (&Topics{Streams: s, Config: j.Config, Create: create, Partitions: 1}).Run(ctx, j.Client)
		}
	}
	commands := map[string]func(context.Context, *program.Streams) error{"verify": run(false), "create": run(true)}
	j.Refused(t, commands)
	apptest.Unwritten(t, commands)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out apptest.Screen
	if err := run(false)(ctx, &program.Streams{Out: &out, Err: &out}); !errors.Is(err, context.Canceled) || out.String() != "" { // what topics there are is not known
		t.Errorf("interrupted: %v\n%s", err, out.String())
	}
}
