package stream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestAnErrorOfAnyOperationIsToldOf: whichever operation on the topics fails for good, a run ends with that error, and so do those who read what a job has left. It
// is TestEveryOperationMayFail in small: of one fault and few records, and without what goes on.
func TestAnErrorOfAnyOperationIsToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fresh, options := shortRun(1)
		inputs := fresh.Topics[testTopics.Input].Partitions[0]
		all := inputs.Records
		inputs.Records = all[:120]
		options.Model.Learner.Warmup = 30
		options.Snapshot, options.Publish = Cadence{Records: 40}, Cadence{Records: 60}
		old := fresh.Copy()
		run(t, old, options)
		old.Topics[testTopics.Input].Partitions[0].Records = all[:180]
		late, waits := newWorld(1), labelOptions()
		for i := range 60 {
			unlabelled, label := split(adultLines()[i], i)
			late.Put(testTopics.Input, 0, unlabelled, label)
		}
		waits.Snapshot, waits.Publish, waits.Model.Learner.Warmup = Cadence{Records: 20}, Cadence{Records: 30}, 20
		of := func(o Options) func(context.Context, *clustertest.Memory) error {
			return func(ctx context.Context, m *clustertest.Memory) error { return New(m, o).Run(ctx) }
		}
		for name, c := range map[string]struct {
			world *clustertest.Memory
			do    func(context.Context, *clustertest.Memory) error
			least int // operations
		}{
			"a first run": {fresh, of(options), 40}, "one that goes on": {old, of(options), 30}, "labels that come late": {late, of(waits), 30},
			"a reset": {old, func(ctx context.Context, m *clustertest.Memory) error { return ResetState(ctx, m, options) }, 5},
			"the state": {old, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := ReadState(ctx, m, testTopics.State, "adult")
				return err
			}, 1},
			"the models": {old, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := ReadModels(ctx, m, testTopics.Model, "adult")
				return err
			}, 1},
			"verifying": {old, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := VerifyState(ctx, m, Options{Job: "adult", Model: options.Model, Monitoring: options.Monitoring, Topics: testTopics})
				return err
			}, 2},
			"the monitor": {old, func(ctx context.Context, m *clustertest.Memory) error {
				_, _, err := ReadMonitored(ctx, m, testTopics.State, "adult", func(json.RawMessage) (model.Config, Monitoring, error) { return options.Model, options.Monitoring, nil })
				return err
			}, 1},
			"an audit": {old, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := AuditHistory(ctx, m, testTopics, "adult", history.Period{}, time.Hour, nil)
				return err
			}, 3},
		} {
			for failing := 1; ; failing++ {
				world, count, operation := c.world.Copy(), 0, ""
				world.Inject = func(of string) (f clustertest.Fault) {
					if count++; count == failing {
						operation, f.Err = of, clustertest.ErrFatal
					}
					return f
				}
				err := c.do(t.Context(), world)
				if count < failing {
					if err != nil || count < c.least {
						t.Errorf("%s: %v after %d operations", name, err, count)
					}
					break
				}
				if beat := strings.Contains(operation, "/beat/"); !errors.Is(err, clustertest.ErrFatal) && !(beat && err == nil) { // the run ended in the meantime
					t.Errorf("%s, operation %d, %s: %v", name, failing, operation, err)
				}
			}
		}
	})
}
