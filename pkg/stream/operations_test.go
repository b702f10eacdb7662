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
	"github.com/fairstream/fairstream/internal/intake"
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
		owing := fresh.Copy() // an entry of the history has no event yet
		owing.Inject = func(of string) (f clustertest.Fault) {
			if strings.HasPrefix(of, "append "+testTopics.Events) {
				f.Err = clustertest.ErrFatal
			}
			return f
		}
		if err := New(owing, options).Run(t.Context()); !errors.Is(err, clustertest.ErrFatal) {
			t.Fatalf("without the topic of events: %v", err)
		}
		seldom := options // in worlds that are about a beginning
		seldom.Snapshot, seldom.Publish = Cadence{Records: 1000}, Cadence{Records: 1000}
		elsewhere, timed, standing, strict := seldom, seldom, seldom, seldom
		elsewhere.Topics.State, elsewhere.BeginAgain = "state2", true
		moved := old.Copy()
		moved.Make("state2", 1)
		timed.Start, timed.Model.Learner.MinimumRecords = "1970-01-01T00:00:01.01Z", 5
		standing.Standby, standing.UntilEnd = true, false
		strict.RejectLimit = intake.RejectLimit{Share: .01, Window: 10}
		lettered := old.Copy()
		lettered.Topics[testTopics.Input].Partitions[0].Records = all[:120]
		ordered, releases := releasing(0)
		releases.KeepVersions = 10
		inStages(t, ordered, releases, adultLines()[:600])
		of := func(o Options) func(context.Context, *clustertest.Memory) error {
			return func(ctx context.Context, m *clustertest.Memory) error { return New(m, o).Run(ctx) }
		}
		for name, c := range map[string]struct {
			world *clustertest.Memory
			do    func(context.Context, *clustertest.Memory) error
			least int // operations
		}{
			"a first run": {fresh, of(options), 40}, "one that goes on": {old, of(options), 30}, "labels that come late": {late, of(waits), 30},
			"one that owes an event": {owing, of(seldom), 20}, "one whose weights came from elsewhere": {moved, of(elsewhere), 20}, "one from a time on": {fresh, of(timed), 20},
			"one on standby": {fresh, func(ctx context.Context, m *clustertest.Memory) error {
				ctx, stop := context.WithTimeout(ctx, 10*time.Second)
				defer stop()
				return New(m, standing).Run(ctx)
			}, 20},
			"one that rejects too many": {fresh, func(ctx context.Context, m *clustertest.Memory) error {
				err := New(m, strict).Run(ctx)
				var tooMany *intake.TooManyRejected
				if errors.As(err, &tooMany) { // so it ends
					return nil
				}
				return err
			}, 20},
			"an order": {ordered, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := Ask(ctx, m, releases, Request{Action: Rollback, Reason: "a trial", Actor: "maria"}, Asking{Wait: time.Minute, Claim: true})
				var refused *RequestRefused
				if errors.As(err, &refused) { // so it is answered
					return nil
				}
				return err
			}, 20},
			"dead letters": {lettered, func(ctx context.Context, m *clustertest.Memory) error {
				_, err := ReplayDeadLetters(ctx, m, options.Model, options.Format, testTopics, "adult", false)
				return err
			}, 4},
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
