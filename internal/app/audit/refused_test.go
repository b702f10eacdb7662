package audit

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"audit": func(ctx context.Context, _ *program.Streams) error { // which tells how long ago
		return (&Job{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Config: j.Config, Gap: time.Hour}).Run(ctx)
	}})
}
