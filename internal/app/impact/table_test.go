package impact

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/config"
)

// TestTables: of decisions, of scores, and of what the monitor of a job counted; and what is refused.
func TestTables(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.Learnt(t)
	apptest.InDirectory(t, map[string]string{"a.csv": apptest.CSV(300), "scores.csv": "sex,race,score\nM,a,0.9\nF,b,0.2\nM,b,x\nF,a,0.8\nF,,0.1\n?,a,0.3\nM,a,Inf\nM,a,-Inf\n"})
	loans := apptest.Load(t, apptest.Loans, config.Learning)
	for name, c := range map[string]Table{
		"decisions":      {Sex: "sex", Race: "part", Decision: "paid=1"},
		"json":           {Sex: "sex", Race: "part", Decision: "paid=1", JSON: true},
		"configured":     {Sex: "sex", Race: "part", Config: loans},
		"no-race":        {Sex: "sex", Race: "race", Decision: "paid=0"},
		"nobody":         {Sex: "sex", Race: "part", Decision: "paid=yes"},
		"no-field":       {Sex: "sex", Race: "part", Decision: "hired=yes"},
		"half":           {Decision: "paid="},
		"half-too":       {Decision: "=1"},
		"no-value":       {Decision: "paid"},
		"nothing":        {},
		"scores":         {Sex: "sex", Race: "race", Score: "score"},
		"scores-unknown": {Sex: "sex", Race: "race", Score: "points"},
	} {
		file := "a.csv"
		if c.Score != "" {
			file = "scores.csv"
		}
		from, err := input.NewSource(file, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Streams, c.Source = stage.Streams, from
		stage.Says(t, name+".txt", func(ctx context.Context) error {
			if err := c.Decisions(); err != nil {
				return err
			}
			return c.OfFile(ctx)
		})
	}
	for name, c := range map[string]Table{
		"job":      {Sex: "sex", Race: "race"},
		"job-json": {Sex: "sex", Race: "race", JSON: true},
		"job-none": {Sex: "gender", Race: "race"},
	} {
		c.Streams, c.Config = stage.Streams, j.Config
		stage.Says(t, name+".txt", c.OfJob)
	}
	fresh := apptest.NewJob(t, apptest.Loans)
	stage.Says(t, "job-new.txt", (&Table{Streams: stage.Streams, Config: fresh.Config, Sex: "sex", Race: "race"}).OfJob)
}
