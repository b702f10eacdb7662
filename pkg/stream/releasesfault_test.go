package stream

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// drifting are records of which the second field says more and more: at first nothing, then what the label is, and in the
// end the group as well. Versions that learnt the second field treat the groups alike until then, and not any more.
func drifting(first, second, third int) []string {
	random := rand.New(rand.NewPCG(16, 4))
	var lines []string
	for i := range first + second + third {
		group, x, z, likely := "b", "lo", "n", .2
		if random.Float64() < .5 {
			group = "a"
		}
		if random.Float64() < .5 {
			x, likely = "hi", .7
		}
		if i >= first {
			if i < first+second && random.Float64() < .5 || i >= first+second && group == "a" {
				z, likely = "y", .97
			} else {
				likely = .03
			}
		}
		label := 0
		if random.Float64() < likely {
			label = 1
		}
		lines = append(lines, fmt.Sprintf(`{"group":%q,"x":%q,"z":%q,"label":%d}`, group, x, z, label))
	}
	return lines
}

// driftingOptions are those of a job about drifting records.
func driftingOptions() Options {
	options := testOptions()
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "group", model.OneOrMore{"group"}
	constraint.Group, constraint.Versus, constraint.Enforce = model.Values("a"), model.Values("b"), new(bool)
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	options.Model = model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}},
		Learner: model.DefaultLearner(), Constraints: []model.Constraint{constraint}}
	options.Model.Learner.Warmup = 50
	options.Snapshot, options.Publish = Cadence{Records: 10_000}, Cadence{Records: 1500}
	options.Decoders, options.KeepVersions = 1, 1
	options.Release = release.Config{Limit: .3, Delta: .9, MinimumRecords: 10, MinimumLabels: 100, CoolDown: 1, RunLength: 1000, AlarmRunLength: 1000, Measured: true}
	return options
}

// TestAStableVersionIsWithdrawn: it drifts beyond its limit, an earlier one does not, and readers get that one back.
func TestAStableVersionIsWithdrawn(t *testing.T) {
	regression := driftingOptions() // of the same label, as a number
	regression.Model.Record.Label.Positive, regression.Model.Learner.Task = "", model.Regression
	means := &regression.Model.Constraints[0]
	means.Criterion, means.Relaxation, means.Tau = fairness.MeanDifference, "", .2
	for name, options := range map[string]Options{"classification": driftingOptions(), "regression": regression} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "regression" {
				t.Skip("learns from many records, as others do: left out by -short")
			}
			synctest.Test(t, func(t *testing.T) {
				world := newWorld(1)
				inStages(t, world, options, drifting(2000, 1500, 1500))
				steps := agrees(t, world, options)
				var first, second *history.Weights
				for _, s := range steps {
					switch s.Step {
					case "promoted":
						first, second = second, s.To
					case "withdrawn":
						if first == nil || *s.Version != *second || *s.To != *first || len(s.Gates) != 1 {
							t.Errorf("%+v, after the promotions of %+v and %+v", s, first, second)
						}
					}
				}
				if kinds(steps)["withdrawn"] != 1 {
					t.Errorf("%v", kinds(steps))
				}
			})
		})
	}
}

// aWithdrawal and promotions happen in a run that fails, and another owner goes on: topic, history and state agree before it learns anything, and in
// the end.
func aWithdrawal(*testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	lines, withdrawn := drifting(2000, 1500, 1100), 0
	return func(t *testing.T, f *failure) {
			world, options := newWorld(1), driftingOptions()
			f.in(world, nil)
			b, ended := inBackground(t, world, options), false
			for chunk := range slices.Chunk(lines, 100) {
				world.Put(testTopics.Input, 0, chunk...)
				time.Sleep(time.Second)
				select {
				case err := <-b.result:
					if !errors.Is(err, clustertest.ErrInjected) {
						t.Fatal(err)
					}
					ended = true
					f.end()
					idle(t, world, options)
					agrees(t, world, options)
					b = inBackground(t, world, options)
				default:
				}
			}
			if err := b.end(); !f.injected(err) { // that it leaves may get lost
				t.Fatal(err)
			} else if f.end() && !ended {
				b = inBackground(t, world, options)
				time.Sleep(time.Second)
				err = b.end()
				if err != nil {
					t.Fatal(err)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			got := kinds(agrees(t, world, options))
			if got["promoted"] == 0 {
				t.Errorf("steps %v", got)
			}
			withdrawn += got["withdrawn"] // a restart publishes at other records, which may leave nothing to withdraw
			if t.Failed() {
				t.Fatalf("%s; writes:\n%s", f, strings.Join(writesOf(world), "\n"))
			}
		}, func(t *testing.T) {
			if withdrawn < 1 {
				t.Errorf("%d withdrawals in all runs", withdrawn)
			}
		}
}

// idle runs a job that learns nothing, until its first snapshot is saved.
func idle(t *testing.T, world *clustertest.Memory, options Options) {
	t.Helper()
	input := world.Topics[testTopics.Input].Partitions[0]
	waiting := input.Records
	now, err := owner.Read(t.Context(), New(world, options).owning())
	if err != nil {
		t.Fatal(err)
	}
	next := int64(0)
	if info := infoOf(now.State); len(info.Partitions) > 0 {
		next = info.Partitions[0].Next
	}
	input.Records = waiting[:next]
	b := inBackground(t, world, options)
	time.Sleep(time.Second)
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	input.Records = waiting
}
