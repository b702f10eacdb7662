package draft

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
)

// TestRequests: whole configurations for records of a file and of a topic, with and without a wish.
func TestRequests(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(200))
	apptest.InDirectory(t, map[string]string{"loans.csv": apptest.CSV(300), "odd ones.csv": apptest.OddCSV(300), "empty.csv": apptest.Header + "\n", "bad.csv": apptest.Header + "\n1,2\n",
		"cut.parquet": "PAR1 and no more", "twice.csv": apptest.OddCSV(300) + strings.SplitN(apptest.OddCSV(300), "\n", 2)[1],
		"copies.csv": apptest.CSV(40) + apptest.CSV(40)[len(apptest.Header)+1:]})
	for name, r := range map[string]Request{
		"loans":     {Input: "loans.csv"},
		"positive":  {Input: "loans.csv", Label: "paid", Positive: "0", Attribute: "part", Job: "named"},
		"number":    {Input: "loans.csv", Label: "pay", Attribute: "sex"},
		"odd":       {Input: "odd ones.csv"},
		"odd-label": {Input: "odd ones.csv", Label: "approved", Attribute: "country"},
		"unknown":   {Input: "odd ones.csv", Label: "aproved"},
		"value":     {Input: "odd ones.csv", Label: "approved", Positive: "maybe"},
		"empty":     {Input: "empty.csv"},
		"bad":       {Input: "bad.csv"},
		"copies":    {Input: "copies.csv"},
		"twice":     {Input: "twice.csv"},
		"cut":       {Input: "cut.parquet"},
	} {
		r.Streams = stage.Streams
		stage.Says(t, name+".txt", func(ctx context.Context) error {
			from, err := input.NewSource(r.Input, "", nil)
			if err != nil {
				return err
			}
			return r.OfFile(ctx, from)
		})
	}
	gone, err := input.NewSource("gone.csv", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Request{Streams: stage.Streams}).OfFile(t.Context(), gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	commands := map[string]func(context.Context, *program.Streams) error{"topic": func(ctx context.Context, s *program.Streams) error {
		return (&Request{Streams: s, Topic: j.Config.Topics.Input}).OfTopic(ctx, j.Client)
	}}
	j.Refused(t, commands)
	apptest.Unwritten(t, commands)
	of := Request{Streams: stage.Streams, Topic: j.Config.Topics.Input, Brokers: []string{"a:9092", "b:9092"}}
	stage.Says(t, "topic.txt", func(ctx context.Context) error { return of.OfTopic(ctx, j.Client) })
	for _, c := range []struct{ input, topic, want string }{
		{"a/b c.csv.gz", "", "b-c"}, {"x.jsonl", "", "x"}, {"-", "", "fairstream"}, {"x.csv", "topic", "topic"}, {"..csv", "", "fairstream"},
	} {
		if got := jobOf(c.input, c.topic); got != c.want {
			t.Errorf("%s, %s: job %q, want %q", c.input, c.topic, got, c.want)
		}
	}
}
