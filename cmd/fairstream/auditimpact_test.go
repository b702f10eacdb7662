package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/export"
)

const exportSections = `job: adult
record: {label: {field: income, positive: ">50K"}}
learner: {warmup: 500}
constraints:
  - {name: sex, attribute: sex, group: each, tau: 0.05}
  - {name: race, attribute: race, group: each, tau: 0.05, enforce: false}
  - {name: both, attribute: [sex, race], group: each, tau: 0.05, enforce: false}
`

// lasting is a card without the shares of time, whose period ends with the call.
func lasting(t *testing.T, text string) export.Card {
	t.Helper()
	var card export.Card
	if err := json.Unmarshal([]byte(text), &card); err != nil {
		t.Fatal(err)
	}
	card.Analysis.Metrics = slices.DeleteFunc(card.Analysis.Metrics, func(m export.Metric) bool { return strings.Contains(m.Type, "share_of_time") })
	return card
}

// TestExports: the table of impact ratios and the model card of a job that has run.
func TestExports(t *testing.T) {
	learnsAll(t)
	config, _, _ := onEmbedded(t, exportSections)
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:4000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create")...)
	fails(t, failed, "holds no snapshot of job adult yet", with("audit", "impact")...)
	succeed(t, with("produce", "--input", input)...)
	succeed(t, with("run", "--until-end")...)

	lines, err := csv.NewReader(strings.NewReader(succeed(t, with("audit", "impact")...))).ReadAll()
	if err != nil || len(lines) < 12 {
		t.Fatalf("%v: %v", err, lines)
	}
	var impact export.Impact
	if err := json.Unmarshal([]byte(succeed(t, with("audit", "impact", "--json")...)), &impact); err != nil {
		t.Fatal(err)
	}
	decided := int64(0)
	for _, row := range impact.Tables[0].Rows {
		decided += row.Applicants
	}
	if impact.Model != "as_made" || len(impact.Tables) != 3 || decided != impact.Applicants || decided < 3000 || !strings.Contains(impact.Source, "job adult up to version 4000") {
		t.Errorf("%+v", impact)
	}
	fails(t, failed, "name these fields in constraints, or give --sex and --race", with("audit", "impact", "--sex", "gender", "--race", "skin")...)

	card := succeed(t, with("models", "card")...)
	for _, words := range []string{"Fairness report of", "Rule", "What is compared: share of positive decisions (demographic parity)", "Who changed what", "The history is complete"} {
		if report := succeed(t, with("models", "card", "--text")...); !strings.Contains(report, words) {
			t.Errorf("the report lacks %q:\n%s", words, report)
		}
	}
	contains(t, card, `"schema_version": "0.0.2"`, "decisions of subject as_made as they were made", "least_share_of_time_within_tau", `"name": "1/4000"`, `"sensitive_data"`)

	// An auditor has a file with another tau, without race, or with other settings of the monitor than those with which the job ran.
	for _, other := range [][]string{{"--set", "constraints[0].tau=0.15"}, {"--set", "monitor.window=500"},
		{"--set", `constraints=[{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.1}]`}} {
		if again := succeed(t, with(append([]string{"audit", "impact", "--json"}, other...)...)...); again != succeed(t, with("audit", "impact", "--json")...) {
			t.Errorf("%v: another table: %s", other, again)
		}
		if again := succeed(t, with(append([]string{"models", "card", "--alias", "latest"}, other...)...)...); !reflect.DeepEqual(lasting(t, again), lasting(t, card)) {
			t.Errorf("%v: another card: %s", other, again)
		}
	}
	own := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(own, []byte(`{"model_details":{"owners":[{"name":"credit team"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	weights := filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(weights, []byte(succeed(t, with("models", "show", "--json")...)), 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile := succeed(t, "models", "card", "--model", weights, "--own", own)
	contains(t, fromFile, "credit team", `"name": "1/4000"`)
	if strings.Contains(fromFile, "as_made") {
		t.Error("a card of a file knows nothing of a job's decisions")
	}
	if err := os.WriteFile(own, []byte(`{"owner":"me"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, misuse, `unknown field "owner"`, "models", "card", "--model", weights, "--own", own)
}

// TestImpactOfAFile: decisions, scores and a labelled file with the configuration of a job; and what is wrong is said.
func TestImpactOfAFile(t *testing.T) {
	directory := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var rows bytes.Buffer
	rows.WriteString("sex,ethnicity,hired,score\n")
	for i := range 100 { // 40 women, 10 hired; 60 men, 30 hired: 0.25/0.5
		sex, hired := "f", i < 10
		if i >= 40 {
			sex, hired = "m", i < 70
		}
		rows.WriteString(sex + "," + []string{"a", "b"}[i%2] + "," + map[bool]string{true: "yes", false: "no"}[hired] + ",0." + []string{"1", "2", "3", "4"}[i%4] + "\n")
	}
	rows.WriteString("m,a,,\n") // no decision
	people := file("people.csv", rows.String())
	code, out, warnings := fairstream(t, "audit", "impact", "--input", people, "--race", "ethnicity", "--decision", "hired=yes")
	if code != done {
		t.Fatal(warnings)
	}
	contains(t, warnings, "1 record not counted: missing_decision")
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(lines[0], name) }
	if f, m := lines[1], lines[2]; f[at("selection_rate")] != "0.2500" || f[at("impact_ratio")] != "0.5000" || f[at("applicants")] != "40" || m[at("selected")] != "30" || m[at("impact_ratio")] != "1.0000" {
		t.Errorf("%v\n%v", f, m)
	}
	job := file("job.yaml", "job: hiring\nrecord: {label: {field: hired, positive: \"yes\"}}\n")
	if _, again, _ := fairstream(t, "audit", "impact", "--input", people, "--race", "ethnicity", "--config", job); again != out {
		t.Errorf("with the label of a configuration:\n%s\nand not\n%s", again, out)
	}
	contains(t, succeed(t, "audit", "impact", "--input", people, "--race", "ethnicity", "--score", "score"), `"share of scores above the median, 0.25"`, ",20,0.5000,")

	for _, wrong := range [][]string{
		{"write FIELD=VALUE", "--input", people, "--decision", "hired"},
		{"--decision is missing", "--input", people},
		{"name the same field", "--input", people, "--sex", "race"},
		{"--input or --config is missing"},
		{"--decision and --score are for --input", "--config", job, "--decision", "hired=yes"},
	} {
		fails(t, misuse, wrong[0], append([]string{"audit", "impact"}, wrong[1:]...)...)
	}
	fails(t, failed, `none has the value "oui" in field hired`, "audit", "impact", "--input", people, "--decision", "hired=oui")
	_, _, warnings = fairstream(t, "audit", "impact", "--input", people, "--decision", "hired=yes")
	contains(t, warnings, "there is no table by race", "there is no table by intersection")
}
