package state

import (
	"context"
	"io"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors of each command, whichever request is refused; and so is an output that takes nothing.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	commands := map[string]func(context.Context, *program.Streams) error{
		"show":   func(ctx context.Context, s *program.Streams) error { return Show(ctx, s, j.Client, j.Config, false) },
		"verify": func(ctx context.Context, s *program.Streams) error { return Verify(ctx, s, j.Client, j.Config, false) },
		"prune":  func(ctx context.Context, s *program.Streams) error { return Prune(ctx, s, j.Client, j.Config, true) },
		"reset": func(ctx context.Context, _ *program.Streams) error { // which forgets another thing each time
			return Reset(ctx, &program.Streams{Out: io.Discard, Err: io.Discard}, j.Client, j.Config, command.Said{Actor: "maria", Reason: "a trial"})
		},
	}
	j.Refused(t, commands)
	delete(commands, "reset")
	commands["json"] = func(ctx context.Context, s *program.Streams) error { return Show(ctx, s, j.Client, j.Config, true) }
	commands["json of verify"] = func(ctx context.Context, s *program.Streams) error { return Verify(ctx, s, j.Client, j.Config, true) }
	apptest.Unwritten(t, commands)
}
