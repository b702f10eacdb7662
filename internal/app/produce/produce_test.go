package produce

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRowsAreWritten: each row becomes a message, with its key if the configuration names one, but for those that are passed over.
func TestRowsAreWritten(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	apptest.InDirectory(t, map[string]string{"a.csv": apptest.CSV(120), "empty.csv": apptest.Header + "\n", "keys.jsonl": "{\"k\":\"a\",\"id\":1}\n{\"id\":2}\nno\n{\"k\":null}\n"})
	for i, c := range []struct {
		file string
		with record.Config
		skip int64
		want []string // key and the beginning of the value
	}{
		{"keys.jsonl", record.Config{Key: "k", ID: "id"}, 0, []string{`a:{"k":"a","id":1}`, `2:{"id":2}`, ":no", `:{"k":null}`}},
		{"keys.jsonl", record.Config{ID: "id"}, 1, []string{`2:{"id":2}`, ":no", `:{"k":null}`}},
		{"keys.jsonl", record.Config{}, 3, []string{`:{"k":null}`}},
		{"keys.jsonl", record.Config{}, 4, nil},
		{"empty.csv", record.Config{}, 0, nil},
		{"a.csv", record.Config{}, 117, []string{`:{"age":`, `:{"age":`, `:{"age":`}},
	} {
		topic := fmt.Sprint("to-", i)
		if _, err := j.Client.CreateTopics(t.Context(), kafka.TopicSpec{Name: topic, Kind: kafka.InputTopic, Partitions: 1}); err != nil {
			t.Fatal(err)
		}
		c.with.Label = record.Label{Field: "y", Positive: "1"}
		schema, err := record.NewSchema(c.with.WithDefaults(), nil)
		if err != nil {
			t.Fatal(err)
		}
		from, err := input.NewSource(c.file, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		work := &Work{Streams: stage.Streams, Source: from, Schema: schema.LabelOptional(), Topic: topic, Skip: c.skip}
		stage.Says(t, topic+".txt", func(ctx context.Context) error { return work.Run(ctx, j.Client) })
		var got []string
		if _, err := j.Client.Read(t.Context(), topic, 0, 0, int64(len(c.want)), func(r *kafka.Record) error {
			got = append(got, string(r.Key)+":"+string(r.Value))
			return nil
		}); err != nil && len(c.want) > 0 {
			t.Fatal(err)
		}
		if len(got) != len(c.want) {
			t.Fatalf("%s: %d messages, want %d: %v", topic, len(got), len(c.want), got)
		}
		for k := range got {
			if !strings.HasPrefix(got[k], c.want[k]) {
				t.Errorf("%s: message %d is %s, want %s", topic, k, got[k], c.want[k])
			}
		}
	}
	from, err := input.NewSource("a.csv", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	stage.Says(t, "nowhere.txt", func(ctx context.Context) error {
		return (&Work{Streams: stage.Streams, Source: from, Topic: "nowhere"}).Run(ctx, j.Client)
	})
}
