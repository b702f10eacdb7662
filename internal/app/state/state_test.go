package state

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/command"
)

// TestALife: what is said of the state of a job before it begins, while it has learnt, when it has forgotten.
func TestALife(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	say := func(name string, do func(context.Context) error) { t.Helper(); stage.Says(t, name, do) }
	show := func(asJSON bool) func(context.Context) error {
		return func(ctx context.Context) error { return Show(ctx, stage.Streams, j.Client, j.Config, asJSON) }
	}
	verify := func(asJSON bool) func(context.Context) error {
		return func(ctx context.Context) error { return Verify(ctx, stage.Streams, j.Client, j.Config, asJSON) }
	}
	reset := func(ctx context.Context) error {
		return Reset(ctx, stage.Streams, j.Client, j.Config, command.Said{Actor: "maria", Reason: "a trial"})
	}
	say("new.txt", show(false))
	say("new-verify.txt", verify(false))
	say("new-reset.txt", reset)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(600))
	j.Learn(t.Context(), t)
	say("learnt-verify.txt", verify(false))
	say("learnt.txt", show(false))
	var shown struct {
		Holder   struct{ Term int64 }
		Snapshot struct{ Version int64 }
	}
	text := stage.Writes(t, show(true))
	if err := json.Unmarshal([]byte(text), &shown); err != nil || shown.Holder.Term != 2 || shown.Snapshot.Version != 594 {
		t.Errorf("%s (%v)", text, err)
	}
	var verified struct{ Records, Claims, Snapshots, Documents int64 }
	text = stage.Writes(t, verify(true))
	if err := json.Unmarshal([]byte(text), &verified); err != nil || verified.Records != 5 || verified.Claims != 2 || verified.Snapshots != 2 || verified.Documents != 1 {
		t.Errorf("%s (%v)", text, err)
	}
	for _, dry := range []bool{true, false} {
		say(map[bool]string{true: "prune-dry.txt", false: "prune.txt"}[dry], func(ctx context.Context) error {
			return Prune(ctx, stage.Streams, j.Client, j.Config, dry)
		})
	}
	say("reset.txt", reset)
	say("again.txt", show(false))
	j.Config.Topics.State = "nowhere"
	say("nowhere.txt", show(false))
	say("nowhere-verify.txt", verify(false))
	say("nowhere-reset.txt", reset)
}
