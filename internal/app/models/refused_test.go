package models

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/export"
)

// TestRefusedRequests are errors of each command, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	of := func(show func(context.Context, *Weights) error) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			return show(ctx, &Weights{Streams: s, Config: j.Config})
		}
	}
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{
		"list":    of(func(ctx context.Context, w *Weights) error { return w.List(ctx) }),
		"show":    of(func(ctx context.Context, w *Weights) error { return w.Show(ctx) }),
		"explain": of(func(ctx context.Context, w *Weights) error { return w.Explain(ctx, 5) }),
		"columns": of(func(ctx context.Context, w *Weights) error { return (&ByColumn{Weights: w}).Explain(ctx) }),
		"onnx":    of(func(ctx context.Context, w *Weights) error { return w.Graph(ctx) }),
		"card":    of(func(ctx context.Context, w *Weights) error { return w.Card(ctx, export.Card{}) }),
		"report":  of(func(ctx context.Context, w *Weights) error { return w.Report(ctx) }),
		"prune":   func(ctx context.Context, s *program.Streams) error { return Prune(ctx, s, j.Client, j.Config, true) },
	})
}
