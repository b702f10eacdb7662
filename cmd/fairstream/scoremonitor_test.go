package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/monitor"
)

const scoredSections = `job: adult
record: {id: case, label: {field: income, positive: ">50K"}}
learner: {warmup: 500}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}
`

// watchedSections monitor what score writes; docs/decisions.md has the same.
const watchedSections = `job: adult-decisions
record:
  key: id
  label: {field: income, positive: ">50K"}
monitor:
  decision: {field: decision, positive: "1"}
  score: {field: score}
constraints:
  - {name: sex, attribute: attributes.sex, group: Male, versus: Female, tau: 0.05}
  - {name: opportunity, attribute: attributes.sex, group: Male, versus: Female, tau: 0.05, criterion: equal-opportunity}
topics: {input: decisions}
`

// TestScoredDecisionsAreMonitored: score decides a topic, monitor reads the decisions, and labels that come later join them
// by key. All counts are those of a count by hand.
func TestScoredDecisionsAreMonitored(t *testing.T) {
	t.Parallel()
	learning, client, _ := onEmbedded(t, scoredSections)
	watching := filepath.Join(t.TempDir(), "watch.yaml")
	brokers := mustLoad(t, learning).Kafka.Brokers
	if err := os.WriteFile(watching, fmt.Appendf(nil, "%skafka: {brokers: [%q]}\nserver: {address: \"\"}\n", watchedSections, brokers[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	file := func(lines []string) string {
		name := filepath.Join(t.TempDir(), "lines.jsonl")
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var people, unlabelled, labels []string
	truth, sexes := map[string]bool{}, map[string]string{}
	for i, line := range adultJSON(t)[:7000] {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("case %d", i)
		fields["case"] = id
		encode := func(v any) string {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if i < 4000 {
			people = append(people, encode(fields))
			continue
		}
		labels = append(labels, encode(map[string]any{"id": id, "income": fields["income"]}))
		truth[id], sexes[id] = fields["income"] == ">50K", fields["sex"].(string)
		delete(fields, "income")
		unlabelled = append(unlabelled, encode(fields))
	}
	succeed(t, "topics", "create", "--config", learning, "--partitions", "3")
	if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "applicants", Kind: kafka.InputTopic, Partitions: 3}); err != nil {
		t.Fatal(err)
	}
	succeed(t, "produce", "--config", learning, "--input", file(people))
	succeed(t, "run", "--config", learning, "--until-end")
	succeed(t, "produce", "--config", learning, "--input", file(unlabelled), "--topic", "applicants")
	contains(t, succeed(t, "score", "--config", learning, "--from", "applicants", "--to", "decisions", "--attributes", "--until-end"), "Wrote 3,000 decisions")

	// By hand.
	byHand := map[string]*monitor.Outcomes{"Male": {}, "Female": {}}
	for partition := range int32(3) {
		_, err := client.ReadInput(t.Context(), "decisions", partition, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			var d struct {
				ID         string
				Decision   int
				Attributes struct{ Sex string }
			}
			if err := json.Unmarshal(r.Value, &d); err != nil {
				return err
			}
			if d.Attributes.Sex != sexes[d.ID] {
				t.Fatalf("sex of %s: %s", d.ID, r.Value)
			}
			o := byHand[d.Attributes.Sex]
			for _, count := range []struct {
				cell *int64
				is   bool
			}{{&o.Positive, d.Decision == 1}, {&o.Negative, d.Decision == 0}, {&o.TruePositive, d.Decision == 1 && truth[d.ID]}, {&o.FalsePositive, d.Decision == 1 && !truth[d.ID]},
				{&o.FalseNegative, d.Decision == 0 && truth[d.ID]}, {&o.TrueNegative, d.Decision == 0 && !truth[d.ID]}} {
				if count.is {
					*count.cell++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	report := func() *monitor.Report {
		c := mustLoad(t, watching)
		_, all, err := cluster.ReadMonitored(t.Context(), client, c)
		if err != nil || len(all) != 1 {
			t.Fatalf("%d models, %v", len(all), err)
		}
		return all[0].Report
	}
	succeed(t, "monitor", "--config", watching, "--until-end")
	if r := report(); r.Records != 3000 || r.Labelled != 0 {
		t.Errorf("before labels: %d decisions, %d labelled", r.Records, r.Labelled)
	}
	succeed(t, "produce", "--config", watching, "--input", file(labels))
	succeed(t, "monitor", "--config", watching, "--until-end")
	r := report()
	if r.Records != 3000 || r.Labelled != 3000 {
		t.Errorf("%d decisions, %d labelled", r.Records, r.Labelled)
	}
	for _, g := range r.Groups {
		if want := byHand[g.Values[0]]; want == nil || g.All != *want {
			t.Errorf("%s: %+v, by hand %+v", g.Values[0], g.All, want)
		}
	}
	for _, gap := range r.Comparisons[0].Gaps {
		if gap.Reason != "" {
			t.Errorf("%s: %s", gap.Measure, gap.Reason)
		}
	}
	contains(t, succeed(t, "audit", "impact", "--config", watching, "--sex", "attributes.sex", "--race", "attributes.race"), fmt.Sprintf("sex,Male,,%d,", byHand["Male"].Records()))
}

func mustLoad(t *testing.T, file string) *config.Loaded {
	t.Helper()
	c, err := config.Load(config.Sources{Files: []string{file}}, config.AsWritten)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
