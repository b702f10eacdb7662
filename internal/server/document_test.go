package server

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
)

// family is a metric as docs/metrics.md has it.
type family struct{ kind, labels, unit, meaning string }

var (
	metricRow = regexp.MustCompile("(?m)^\\| `(fairstream_[a-z_]+)` \\| ([a-z]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")
	labelRow  = regexp.MustCompile("(?m)^\\| ((?:`[a-z]+`(?:, )?)+) \\| ([^|]+) \\|$")
	quoted    = regexp.MustCompile("`([^`]+)`")
)

// words are the quoted words of a cell, in order.
func words(cell string) []string {
	var all []string
	for _, word := range quoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, word[1])
	}
	slices.Sort(all)
	return all
}

// TestTheDocumentHasEveryMetric: docs/metrics.md has the metrics that are served, and no other, each with its type,
// labels and meaning, and every label with the values that are from a list.
func TestTheDocumentHasEveryMetric(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]family{}
	for _, row := range metricRow.FindAllStringSubmatch(string(text), -1) {
		if _, twice := rows[row[1]]; twice {
			t.Errorf("%s comes twice", row[1])
		}
		rows[row[1]] = family{row[2], strings.Join(words(row[3]), " "), row[4], row[5]}
	}
	values := map[string]string{} // by label, what the document says of them
	for _, row := range labelRow.FindAllStringSubmatch(string(text), -1) {
		for _, label := range words(row[1]) {
			values[label] = row[2]
		}
	}

	served, seen := map[string]family{}, map[string]map[string]bool{}
	many := NewJobs("test", zap.NewAtomicLevel(), Access{})
	many.Refuse([]board.Refused{{File: "jobs/wrong.yaml", Reason: "it is wrong"}})
	for _, gatherer := range []prometheus.Gatherer{monitorOf(judging()).registry, monitorOf(predicting()).registry, many} {
		families, err := gatherer.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if !strings.HasPrefix(f.GetName(), "fairstream_") {
				continue
			}
			var labels []string
			for _, label := range f.GetMetric()[0].GetLabel() {
				if label.GetName() != jobLabel {
					labels = append(labels, label.GetName())
				}
			}
			slices.Sort(labels)
			served[f.GetName()] = family{strings.ToLower(f.GetType().String()), strings.Join(labels, " "), "", f.GetHelp()}
		}
	}
	for _, s := range scrape(t) {
		if !strings.HasPrefix(s["__name__"], "fairstream_") {
			continue
		}
		for label, value := range s {
			if seen[label] == nil {
				seen[label] = map[string]bool{}
			}
			seen[label][value] = true
		}
	}

	if len(served) != len(described)+3 { // the build, and two of many jobs
		t.Errorf("%d metrics are described, and %d served: what does the stream of this test lack?", len(described)+3, len(served))
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if _, found := served[name]; !found {
			t.Errorf("the document has %s, which is not served", name)
		}
	}
	units := map[string]string{"_seconds": "seconds", "_bytes": "bytes"}
	for _, name := range slices.Sorted(maps.Keys(served)) {
		got, found := rows[name]
		unit := got.unit
		got.unit = ""
		if want := served[name]; !found || got != want {
			t.Errorf("%s is %q in the document, and served as %q", name, got, want)
		}
		for suffix, want := range units {
			if strings.HasSuffix(name, suffix) && unit != want {
				t.Errorf("%s is in %q", name, unit)
			}
		}
		for _, label := range strings.Fields(served[name].labels) {
			if values[label] == "" {
				t.Errorf("label %s of %s is not explained", label, name)
			}
		}
	}
	for _, label := range []string{"phase", "reason", "window", "bound", "criterion", "status", "side", "code"} {
		listed := words(values[label])
		for value := range seen[label] {
			if !slices.Contains(listed, value) && value != "" { // empty where the label does not apply
				t.Errorf("label %s has the value %s, which is not in the document", label, value)
			}
		}
	}
}
