package deadletters

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, append(apptest.JSON(120), "no object"))
	j.Learn(t.Context(), t)
	replay := func(dry bool) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error { return Replay(ctx, s, j.Client, j.Config, dry) }
	}
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"dry": replay(true), "written": replay(false)})
}
