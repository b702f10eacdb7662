package audit

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestJob: the history of a job that has learnt twice, of a period before it, and of a job that has none.
func TestJob(t *testing.T) {
	stage := apptest.NewStage(t)
	fresh := apptest.NewJob(t, apptest.Loans)
	stage.Says(t, "none.txt", (&Job{Streams: stage.Streams, Config: fresh.Config, Gap: time.Hour}).Run)
	j := apptest.Learnt(t)
	whole := &Job{Streams: stage.Streams, Config: j.Config, Gap: time.Hour, JSON: true}
	var found history.Audit
	if err := json.Unmarshal([]byte(stage.Writes(t, whole.Run)), &found); err != nil || !found.Chain.Whole || found.Job != "loans" || found.Chain.Entries == 0 {
		t.Errorf("%+v (%v)", found, err)
	}
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	stage.Says(t, "before.txt", (&Job{Streams: stage.Streams, Config: j.Config, Gap: time.Hour, Period: history.Period{Since: at, Until: at.Add(time.Hour)}}).Run)
}
