package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/stream"
)

// What deploy/monitoring asks of Prometheus is asked of a scrape here: an alert on a metric that does not
// exist is silent for ever.

// series is one line of a scrape.
type series map[string]string // labels; __name__ is the metric

var (
	sample   = regexp.MustCompile(`(?m)^([a-z_]+)(?:\{(.*)\})? \S+$`)
	matcher  = regexp.MustCompile(`([a-z_]+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"`)
	selector = regexp.MustCompile(`\b((?:fairstream|go|process)_[a-z_]+)(?:\{([^}]*)\})?`)
)

// scrape is what streams show that have met everything there is to show: a classifier and a regression.
func scrape(t *testing.T) []series {
	t.Helper()
	classifier, regression := judging(), predicting()
	classifier.Measurements.Conditions = nil
	for _, code := range []document.ConditionCode{document.OneLabel, document.NothingEstimable, document.Unreachable, document.TooFewRecords, document.Imprecise, document.BelowSamplingError, document.Unsteady, document.OneSideAway, document.ColumnsIgnored, document.Collapsed, document.Useless} {
		classifier.Measurements.Conditions = append(classifier.Measurements.Conditions, document.Condition{Code: code, Constraint: "sex"})
	}
	return append(scrapeOf(t, classifier), scrapeOf(t, regression)...)
}

func scrapeOf(t *testing.T, status stream.Status) []series {
	t.Helper()
	m := monitorOf(status)
	_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	var all []series
	for _, line := range sample.FindAllStringSubmatch(text, -1) {
		s := series{"__name__": line[1], "instance": "127.0.0.1:8468"} // Prometheus adds the latter
		for _, label := range matcher.FindAllStringSubmatch(line[2], -1) {
			s[label[1]] = label[3]
		}
		all = append(all, s)
	}
	return all
}

// monitorOf is a monitor of a stream that met an outage.
func monitorOf(status stream.Status) *Monitor {
	m := NewMonitor("test", "adult")
	m.drivers = func() []board.Driver {
		return []board.Driver{{Constraint: "sex", Group: "Male", Versus: "Female", Column: "age", Contribution: 0.5}}
	}
	m.Watch(func() stream.Status { return status })
	m.Notify(stream.KafkaOutage{Operation: "write to x", Err: os.ErrDeadlineExceeded})
	return m
}

// missing gives the selectors of an expression that match no series.
func missing(expression string, all []series) (none []string) {
	for _, found := range selector.FindAllStringSubmatch(strings.NewReplacer("$instance", ".*", "$job", ".*").Replace(expression), -1) {
		if !slices.ContainsFunc(all, func(s series) bool { return s["__name__"] == found[1] && s.matches(found[2]) }) {
			none = append(none, found[0])
		}
	}
	return none
}

func (s series) matches(matchers string) bool {
	for _, m := range matcher.FindAllStringSubmatch(matchers, -1) {
		value, there := s[m[1]]
		if !there {
			return false
		}
		is := value == m[3]
		if strings.HasSuffix(m[2], "~") {
			is = regexp.MustCompile("^(?:" + m[3] + ")$").MatchString(value)
		}
		if is == strings.HasPrefix(m[2], "!") {
			return false
		}
	}
	return true
}

func TestMissingBites(t *testing.T) {
	all := scrape(t)
	for expression, want := range map[string]int{
		`fairstream_ready == 0`:                                             0,
		`fairstream_reddy == 0`:                                             1,
		`rate(fairstream_ready[5m]) / fairstream_lag_secunds`:               1,
		`fairstream_phase{phase="halted"}`:                                  0,
		`fairstream_phase{phase="halting"}`:                                 1,
		`fairstream_phase{faze="halted"}`:                                   1,
		`fairstream_records_rejected_total{reason!~"tombstone|missing_.*"}`: 0,
		`fairstream_records_rejected_total{reason!~".*"}`:                   1,
		`fairstream_lag_records{instance=~"$instance",partition="0"}`:       0,
	} {
		if got := missing(expression, all); len(got) != want {
			t.Errorf("%s: missing %v", expression, got)
		}
	}
}

func monitoring(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "monitoring", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAlertsAskForWhatThereIs(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert       string
				Expr        string
				For         string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(monitoring(t, "alerts.yaml"), &file); err != nil {
		t.Fatal(err)
	}
	all := scrape(t)
	names := map[string]bool{}
	templated := regexp.MustCompile(`\$labels\.([a-z_]+)`)
	for _, rule := range file.Groups[0].Rules {
		if names[rule.Alert] || !strings.HasPrefix(rule.Alert, "Fairstream") {
			t.Errorf("alert %q comes twice, or is not named after fairstream", rule.Alert)
		}
		names[rule.Alert] = true
		if none := missing(rule.Expr, all); len(none) > 0 || !selector.MatchString(rule.Expr) {
			t.Errorf("%s: no series is %v", rule.Alert, none)
		}
		if severity := rule.Labels["severity"]; severity != "page" && severity != "ticket" {
			t.Errorf("%s: severity %q", rule.Alert, severity)
		}
		if _, err := time.ParseDuration(strings.Replace(rule.For, "1d", "24h", 1)); rule.For != "" && err != nil {
			t.Errorf("%s: %v", rule.Alert, err)
		}
		for _, key := range []string{"summary", "action"} {
			if rule.Annotations[key] == "" {
				t.Errorf("%s has no %s", rule.Alert, key)
			}
			for _, label := range templated.FindAllStringSubmatch(rule.Annotations[key], -1) {
				first := selector.FindStringSubmatch(rule.Expr)[1]
				if !slices.ContainsFunc(all, func(s series) bool { _, there := s[label[1]]; return there && s["__name__"] == first }) {
					t.Errorf("%s: %s has no label %s", rule.Alert, first, label[1])
				}
			}
		}
	}
	if len(names) < 10 {
		t.Errorf("%d alerts", len(names))
	}
}

func TestTheDashboardShowsWhatThereIs(t *testing.T) {
	type panel struct {
		ID      int
		Type    string
		Title   string
		GridPos struct{ X, Y, W, H int }
		Targets []struct{ Expr, RefID string }
	}
	var board struct {
		Annotations struct{ List []struct{ Name, Expr string } }
		Panels      []panel
	}
	if err := json.Unmarshal(monitoring(t, "grafana.json"), &board); err != nil {
		t.Fatal(err)
	}
	all := scrape(t)
	ids, cells := map[int]bool{}, map[[2]int]string{}
	for _, panel := range board.Panels {
		if ids[panel.ID] || len(panel.Targets) == 0 != (panel.Type == "row") {
			t.Errorf("%s: id %d comes twice, or nothing is shown", panel.Title, panel.ID)
		}
		ids[panel.ID] = true
		for _, target := range panel.Targets {
			if none := missing(target.Expr, all); len(none) > 0 || !strings.Contains(target.Expr, `job_name=~"$job",instance=~"$instance"`) {
				t.Errorf("%s, %s: no series is %v, or it is not of the job and the instance", panel.Title, target.RefID, none)
			}
		}
		p := panel.GridPos
		for x := p.X; x < p.X+p.W; x++ {
			for y := p.Y; y < p.Y+p.H; y++ {
				if other, taken := cells[[2]int{x, y}]; taken || x >= 24 {
					t.Fatalf("%s lies on %q, or beyond the edge", panel.Title, other)
				}
				cells[[2]int{x, y}] = panel.Title
			}
		}
	}
	for _, mark := range board.Annotations.List {
		if none := missing(mark.Expr, all); len(none) > 0 || mark.Expr == "" {
			t.Errorf("%s: no series is %v", mark.Name, none)
		}
	}
	if len(ids) < 15 || len(board.Annotations.List) != 2 {
		t.Errorf("%d panels, %d kinds of marks", len(ids), len(board.Annotations.List))
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "page.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, panels, _ := strings.Cut(string(page), "| panel | what it shows |\n|---|---|\n")
	panels, _, _ = strings.Cut(panels, "\n\n")
	for line := range strings.Lines(panels + "\n") {
		for name := range strings.SplitSeq(strings.TrimSpace(strings.Split(line, "|")[1]), ", ") {
			if name == "Where versions are in use" {
				continue // from heartbeats; the series are those of other processes, fairstream_serve_version
			}
			if !slices.ContainsFunc(board.Panels, func(p panel) bool { return p.Title == name }) {
				t.Errorf("the page has the panel %s, and the dashboard does not", name)
			}
		}
	}
}
