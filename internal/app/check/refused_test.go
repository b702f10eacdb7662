package check

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors, whichever request is refused; and so is an output that takes nothing.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(120))
	commands := map[string]func(context.Context, *program.Streams) error{"check": func(ctx context.Context, s *program.Streams) error {
		return (&Records{Streams: s, Config: j.Config.Model(), Topic: j.Config.Topics.Input}).OfTopic(ctx, j.Client)
	}}
	j.Refused(t, commands)
	apptest.Unwritten(t, commands)
}
