package state

import (
	"bytes"
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRefusedRequests are errors of each command, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	for name, do := range map[string]func(context.Context, *program.Streams) error{
		"show":   func(ctx context.Context, s *program.Streams) error { return Show(ctx, s, j.Client, j.Config, false) },
		"verify": func(ctx context.Context, s *program.Streams) error { return Verify(ctx, s, j.Client, j.Config, false) },
		"prune":  func(ctx context.Context, s *program.Streams) error { return Prune(ctx, s, j.Client, j.Config, true) },
		"reset": func(ctx context.Context, s *program.Streams) error {
			return Reset(ctx, s, j.Client, j.Config, command.Said{Actor: "maria", Reason: "a trial"})
		},
	} {
		times := j.Refused(t, func(ctx context.Context) (string, error) {
			var out bytes.Buffer
			if err := do(ctx, &program.Streams{Out: &out, Err: &out}); err != nil || name == "reset" { // what was forgotten is another thing each time
				return "", err
			}
			return out.String(), nil
		})
		if t.Logf("%s: %d requests", name, times); times < 2 {
			t.Errorf("%s makes %d requests", name, times)
		}
	}
}
