package impact

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.Learnt(t)
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"of a job": func(ctx context.Context, s *program.Streams) error {
		return (&Table{Streams: s, Config: j.Config, Sex: "sex", Race: "race"}).OfJob(ctx)
	}})
}
