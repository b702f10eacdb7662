package topics

import (
	"context"
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
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"verify": run(false), "create": run(true)})
}
