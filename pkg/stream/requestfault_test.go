package stream

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
)

// ordered are the steps that a person asked for.
func ordered(t *testing.T, world *clustertest.Memory, options Options) (kinds []string) {
	t.Helper()
	for _, s := range agrees(t, world, options) {
		if s.Request != "" {
			kinds = append(kinds, s.Step)
		}
	}
	return kinds
}

// TestARequestMovesAliases: a person promotes, rolls back and pins; topic, history and state agree, with and without a
// process that learns.
func TestARequestMovesAliases(t *testing.T) {
	for _, owned := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			world, options := releasing(0)
			options.KeepVersions, options.Release.CoolDown = 10, 1_000_000
			inStages(t, world, options, adultLines()[:1500])
			models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil || len(models.Versions) < 3 {
				t.Fatalf("%d versions, %v", len(models.Versions), err)
			}
			oldest, newest := &models.Versions[0], models.Newest()
			if owned {
				b := inBackground(t, world, options)
				defer func() {
					if err := b.end(); err != nil {
						t.Error(err)
					}
					if got := ordered(t, world, options); len(got) != 3 {
						t.Errorf("in the end %v were asked for", got)
					}
				}()
				time.Sleep(time.Second)
			}
			order := func(action string, m *Model) (*Answer, error) {
				r := Request{Action: action, Reason: "a trial", Actor: "maria"}
				if m != nil {
					r.Version = m.Version
				}
				return Ask(t.Context(), world, options, r, Asking{Wait: time.Minute, Claim: true})
			}
			before := models.Aliases[StableAlias]
			if oldest.Version == before.Version {
				oldest = &models.Versions[1]
			}
			answer, err := order(Promote, oldest)
			if err != nil || answer.Before[StableAlias] != before || answer.After[StableAlias].Version != oldest.Version || answer.After[PreviousAlias] != before {
				t.Fatalf("promote: %+v, %v", answer, err)
			}
			var refused *RequestRefused
			if _, err := order(Promote, oldest); !errors.As(err, &refused) || !strings.Contains(err.Error(), "stable already") || strings.Contains(err.Error(), "release:") {
				t.Errorf("promote again: %v", err)
			}
			if answer, err = order(Rollback, nil); err != nil || answer.After[StableAlias] != before {
				t.Errorf("rollback: %+v, %v", answer, err)
			}
			if _, err := order(Promote, oldest); !errors.As(err, &refused) {
				t.Errorf("promote what is barred: %v", err)
			}
			if answer, err = order(Pin, newest); err != nil || answer.After[StableAlias].Version != newest.Version {
				t.Errorf("pin: %+v, %v", answer, err)
			}
			if got := ordered(t, world, options); !slices.Equal(got, []string{"promoted", "rolled_back", "pinned"}) {
				t.Errorf("asked for %v", got)
			}
		})
	}
}

// aRequestAlone fails that is carried out without a process that learns, and a process goes on: the request was carried out once or not at all, and if
// it was answered, once. Topic, history and state agree.
func aRequestAlone(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	prepared, options := releasing(0)
	options.KeepVersions, options.Release.CoolDown = 10, 1_000_000
	inStages(t, prepared, options, adultLines()[:1200])
	models, err := ReadModels(t.Context(), prepared, testTopics.Model, "adult")
	if err != nil || len(models.Versions) < 2 {
		t.Fatalf("%d versions, %v", len(models.Versions), err)
	}
	r := Request{Action: Promote, Version: models.Newest().Version, Reason: "a trial", Actor: "maria"}
	carriedOut := map[clustertest.Fault]int{}
	return func(t *testing.T, f *failure) {
			world := prepared.Copy()
			f.in(world, nil)
			answer, err := Ask(t.Context(), world, options, r, Asking{Wait: time.Minute, Claim: true})
			f.end()
			if !f.injected(err) {
				t.Fatal(err)
			}
			if f.fault.Err == clustertest.ErrRetryable && err != nil && strings.HasPrefix(f.operation, "append ") { // those are tried again
				t.Fatalf("the request failed: %v", err)
			}
			idle(t, world, options)
			steps := ordered(t, world, options)
			if len(steps) > 1 || err == nil && len(steps) != 1 {
				t.Errorf("answer %+v, %v, and the steps %v", answer, err, steps)
			}
			if keys := requestKeys(world); slices.Contains(keys, "request") {
				t.Errorf("left on the topic: %v", keys)
			}
			carriedOut[f.fault] += len(steps)
		}, func(t *testing.T) {
			for fault, count := range carriedOut {
				if count == 0 {
					t.Errorf("no request was carried out under %+v", fault)
				}
			}
		}
}
