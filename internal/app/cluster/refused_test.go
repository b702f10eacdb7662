package cluster_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestRefusedRequests are errors of what is read, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	reading := func(read func(context.Context) (any, error)) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			found, err := read(ctx)
			if err == nil {
				_, err = fmt.Fprintf(s.Out, "%T", found)
			}
			return err
		}
	}
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{
		"models": func(ctx context.Context, s *program.Streams) error {
			found, err := cluster.ReadModels(ctx, j.Config, s.Err)
			if err == nil {
				_, err = fmt.Fprint(s.Out, found.Newest().Version)
			}
			return err
		},
		"state": reading(func(ctx context.Context) (any, error) { return cluster.ReadState(ctx, j.Client, j.Config) }),
		"audit": reading(func(ctx context.Context) (any, error) {
			return cluster.ReadAudit(ctx, j.Client, j.Config, history.Period{}, time.Hour)
		}),
		"monitored": reading(func(ctx context.Context) (any, error) {
			_, found, err := cluster.ReadMonitored(ctx, j.Client, j.Config)
			return found, err
		}),
	})
}
