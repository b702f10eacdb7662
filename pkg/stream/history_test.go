package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
)

// auditOf audits the whole history of a job, and expects what snapshot and documents refer to.
func auditOf(t *testing.T, cluster Cluster, topics Topics) *history.Audit {
	t.Helper()
	audit, err := AuditHistory(t.Context(), cluster, topics, "adult", history.Period{Until: time.Now().Add(time.Hour)}, time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	return audit
}

// whole fails a test whose history is broken, forked, or does not tell of a document.
func whole(t *testing.T, cluster Cluster, topics Topics) *history.Audit {
	t.Helper()
	audit := auditOf(t, cluster, topics)
	if !audit.Chain.Whole || len(audit.Owners) == 0 || len(audit.Versions) == 0 {
		t.Fatalf("history %+v of %d owners and %d versions", audit.Chain, len(audit.Owners), len(audit.Versions))
	}
	term, sums := int64(0), map[int64]string{}
	for _, v := range audit.Versions {
		if v.Term < term {
			t.Fatalf("term %d behind %d", v.Term, term)
		}
		if known := sums[v.Version]; known != "" && known != v.WeightsSHA256 {
			t.Fatalf("two lineages: version %d with weights %s and %s", v.Version, known, v.WeightsSHA256)
		}
		term, sums[v.Version] = v.Term, v.WeightsSHA256
	}
	return audit
}

func TestTheHistoryOfAChangedTau(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		c.put(t, 1, adultLines()[:3000])
		options := c.options()
		c.run(t, options)
		c.put(t, 1, adultLines()[3000:6000])
		var told events
		options.Notify = told.add
		options.Actor, options.Reason = "ada", "the committee's decision of May"
		options.Model.Constraints = slices.Clone(options.Model.Constraints)
		options.Model.Constraints[0].Tau = .15
		c.run(t, options)
		audit := whole(t, c, c.topics)
		if len(audit.Owners) != 2 || audit.Owners[1].Before != 1 || len(audit.Changes) != 1 {
			t.Fatalf("owners %+v, changes %+v", audit.Owners, audit.Changes)
		}
		change := audit.Changes[0]
		if change.String() != "constraints[0].tau: 0.05 -> 0.15" || change.Version != 3000 || change.Term != 2 || change.Who.Actor != "ada" || change.Who.Host != owner.Hostname() ||
			change.Who.Service != "fairstream run" || time.Since(change.Time) > time.Minute {
			t.Errorf("change %+v", change)
		}
		if changed := of[ConfigChanged](&told); len(changed) != 1 || len(changed[0].Changes) != 1 {
			t.Errorf("told %+v", changed)
		}
		if taus := audit.Constraints[0].Taus; fmt.Sprint(taus) != "[0.05 0.15]" {
			t.Errorf("taus %v", taus)
		}
		models, err := ReadModels(t.Context(), c, c.topics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		first, err := models.Versions[0].Document()
		if err != nil {
			t.Fatal(err)
		}
		last, err := models.Newest().Document()
		if err != nil {
			t.Fatal(err)
		}
		if len(first.Lineage.Changes) != 0 || len(last.Lineage.Changes) != 1 || first.Lineage.ConfigSHA256 == last.Lineage.ConfigSHA256 || last.Lineage.History.Sequence < 5 {
			t.Errorf("lineages %+v and %+v", first.Lineage, last.Lineage)
		}
		if got := last.Lineage.Changes[0]; string(got.Old) != "0.05" || string(got.New) != "0.15" || got.Version != 3000 {
			t.Errorf("change %+v", got)
		}
	})
}

// TestADeletedEntryIsFound copies the history without one entry, for every entry.
func TestADeletedEntryIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		entries := world.Topics[testTopics.History].Partitions[0].Records
		if len(entries) < 3 { // the owner, the configuration and at least one publication
			t.Fatalf("%d entries", len(entries))
		}
		whole(t, world, testTopics)
		for i := range entries {
			world.Topics[testTopics.History].Partitions[0].Records = slices.Delete(slices.Clone(entries), i, i+1)
			if audit := auditOf(t, world, testTopics); audit.Chain.Whole {
				t.Errorf("entry %d was deleted unnoticed", i+1)
			}
			altered := slices.Clone(entries)
			altered[i].Value = []byte(strings.Replace(string(altered[i].Value), `"service":"fairstream run"`, `"service":"fairstream Run"`, 1))
			world.Topics[testTopics.History].Partitions[0].Records = altered
			if audit := auditOf(t, world, testTopics); audit.Chain.Whole {
				t.Errorf("entry %d was altered unnoticed", i+1)
			}
		}
	})
}

// TestLossesAndResetsAreRecorded, and a topic that is gone is noticed.
func TestLossesAndResetsAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		options.DataLoss = kafka.LossEarliest
		run(t, world, options)
		world.Put(testTopics.Input, 0, adultLines()[300:500]...)
		log := world.Topics[testTopics.Input].Partitions[0]
		log.Start, log.Records = 350, log.Records[350:]
		run(t, world, options)
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		run(t, world, options)
		audit := whole(t, world, testTopics)
		if len(audit.Losses) != 1 || audit.Losses[0].Lost != 50 || audit.Losses[0].Offset != 300 || audit.Losses[0].Resume != 350 || len(audit.Resets) != 1 || len(audit.Changes) != 0 {
			t.Errorf("losses %+v, resets %+v, changes %+v", audit.Losses, audit.Resets, audit.Changes)
		}

		world.Make(testTopics.History, 1)
		var told events
		options.Notify = told.add
		run(t, world, options)
		if damaged := of[HistoryDamaged](&told); len(damaged) != 1 || !strings.Contains(damaged[0].Problem, "is not on the topic") {
			t.Errorf("told %+v", damaged)
		}
		if audit := auditOf(t, world, testTopics); audit.Chain.Whole || audit.Chain.Breaks[0].Sequence != 1 {
			t.Errorf("a history that lost its beginning: %+v", audit.Chain)
		}
	})
}

// TestAPausedOwnerDoesNotForkTheHistory: an owner is paused while it writes to the history, another one takes
// the job over, and the first goes on: once after the other has written, once before.
func TestAPausedOwnerDoesNotForkTheHistory(t *testing.T) {
	for _, first := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			world, options := shortRun(1)
			appends, stage, second := 0, 0, make(chan error, 1)
			ready, written, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
			wait := func(c <-chan struct{}) {
				world.Mutex.Unlock()
				<-c
				world.Mutex.Lock()
			}
			world.Inject = func(operation string) clustertest.Fault {
				appending := strings.HasPrefix(operation, "append "+testTopics.History)
				if appending {
					appends++
				}
				switch {
				case appending && appends == 3: // the first owner is about to record a publication
					stage = 1
					go func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						err := New(world, options).Run(ctx)
						close(ended)
						second <- err
					}()
					if first {
						wait(ready)
					} else {
						wait(ended)
					}
				case appending && stage == 1 && first: // the second one has read the history, and is about to write
					stage = 2
					close(ready)
					wait(written)
				}
				return clustertest.Fault{}
			}
			err := New(world, options).Run(t.Context())
			close(written)
			var superseded *owner.Superseded
			if !errors.As(err, &superseded) {
				t.Errorf("the paused owner ended with %v", err)
			}
			if err := <-second; err != nil {
				t.Fatal(err)
			}
			world.Inject = nil
			audit := whole(t, world, testTopics)
			if len(audit.Owners) != 2 || audit.Chain.Superseded == 0 {
				t.Errorf("first %t: %d owners, %+v", first, len(audit.Owners), audit.Chain)
			}
		})
	}
}

// aChangedTau comes with a run that fails: the change then stands in the history once.
func aChangedTau(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	return func(t *testing.T, f *failure) {
		world, options := shortRun(1)
		run(t, world, options)
		options.Configuration = json.RawMessage(`{"tau":0.15}`)
		f.in(world, nil)
		err := New(world, options).Run(t.Context())
		if !f.injected(err) {
			t.Fatal(err)
		}
		f.end()
		run(t, world, options)
		audit := whole(t, world, testTopics)
		if len(audit.Changes) != 4 { // of the three sections, to one key
			t.Errorf("changes %+v", audit.Changes)
		}
	}, nothingMore
}
