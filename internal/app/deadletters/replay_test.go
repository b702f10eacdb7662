package deadletters

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestReplay: letters that can be read by now are written once, the others are counted, and a dry call writes none.
func TestReplay(t *testing.T) {
	const header = "\x00\x00\x00\x00" // of a registry's serializer, without the last byte of the schema's id
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, append(apptest.JSON(120), `{"age":"3","sex":"F"}`, `{"age":"4","sex":"F"}`, header+"\x07{", header+"\x08{", header+"\x07{"))
	j.Learn(t.Context(), t)
	replay := func(name string, dry bool) {
		t.Helper()
		stage.Says(t, name, func(ctx context.Context) error {
			return Replay(ctx, &program.Streams{Out: stage.Out, Err: stage.Err}, j.Client, j.Config, dry)
		})
	}
	replay("none.txt", false)
	j.Config.Record.Label.Field = "sex"
	j.Config.Record.Label.Positive = "M"
	j.Config.Constraints = nil
	replay("dry.txt", true)
	replay("wrote.txt", false)
	replay("again.txt", false)
	j.Config.Topics.DeadLetter = "nowhere"
	replay("nowhere.txt", false)
}
