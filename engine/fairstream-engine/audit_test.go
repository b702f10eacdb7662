package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
)

const monitoring = `job: decisions
record:
  label: {field: paid, positive: "yes"}
  time: {field: at}
monitor:
  decision: {field: granted, positive: "1"}
constraints:
  - {name: rates, attribute: sex, group: Male, versus: Female, criterion: demographic-parity, tau: 0.05}
  - {name: paid, attribute: sex, group: Male, versus: Female, criterion: equal-opportunity, tau: 0.05}
  - {name: ratio, attribute: sex, group: Female, versus: Male, criterion: impact-ratio, tau: 0.8}
`

// decisions are generated over four months: explored ones, ones without label, time or sex, and some rows that are wrong.
func decisions(t *testing.T, folder string, files, each int) (lines [][]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 3))
	for file := range files {
		var text strings.Builder
		text.WriteString("at,sex,income,paid,granted,explored\n")
		for range each {
			at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.IntN(4*30*24)) * time.Hour).Format(time.RFC3339)
			sex, rate := "Male", 60
			if random.IntN(3) == 0 {
				sex, rate = "Female", 45
			}
			cells := []string{at, sex, strconv.Itoa(random.IntN(1000)), []string{"yes", "no"}[random.IntN(2)], []string{"0", "1"}[min(1, random.IntN(100)/(100-rate))], "false"}
			switch random.IntN(20) {
			case 0:
				cells[0] = ""
			case 1:
				cells[1] = ""
			case 2, 3:
				cells[3] = ""
			case 4:
				cells[4], cells[5] = "1", "true"
			case 5:
				cells[4] = ""
			}
			lines = append(lines, cells)
			text.WriteString(strings.Join(cells, ",") + "\n")
		}
		write(t, filepath.Join(folder, fmt.Sprintf("decisions-%d.csv", file)), text.String())
	}
	return lines
}

// TestAuditIsThatOfTheMonitor: counts, differences and impact ratios of each month, and of all, are those of a monitor that sees the decisions of the month one
// after the other.
func TestAuditIsThatOfTheMonitor(t *testing.T) {
	folder := t.TempDir()
	lines := decisions(t, folder, 3, 4000)
	configured := filepath.Join(folder, "monitor.yaml")
	write(t, configured, monitoring)
	for _, shards := range []string{"1", "7"} {
		var out, said bytes.Buffer
		args := []string{"audit", "-c", configured, "-i", filepath.Join(folder, "decisions-*"), "--shards", shards}
		if code := run(t.Context(), args, strings.NewReader(""), &out, &said); code != done {
			t.Fatal(said.String())
		}
		got, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1+3*6 {
			t.Fatalf("%d lines", len(got))
		}
		rejected := 0
		for _, m := range []string{"2026-03", "2026-04", "2026-05", "2026-06", "none", "all"} {
			report, refused := monitored(t, lines, m)
			if m == "all" {
				rejected = refused
			}
			for _, c := range report.Comparisons {
				row := find(t, got, m, c.Comparison.Name)
				e := &c.All
				want := []string{fmt.Sprint(e.NGroup), fmt.Sprint(e.NVersus), fmt.Sprint(e.KGroup), fmt.Sprint(e.KVersus)}
				for _, x := range []float64{e.RateGroup, e.RateVersus, e.Value, e.Lo, e.Hi, e.ImpactRatio.Value} {
					want = append(want, strconv.FormatFloat(x, 'g', 6, 64))
				}
				if strings.Join(row[5:15], " ") != strings.Join(want, " ") || row[15] != string(e.Status) || e.NGroup < 100 {
					t.Errorf("%s, %s: %v, and not %v", m, c.Comparison.Name, row, want)
				}
			}
		}
		if words := fmt.Sprintf("Rejected %d of 12,000 records", rejected); rejected < 100 || !strings.Contains(said.String(), words) {
			t.Errorf("%q is not in %s", words, said.String())
		}
	}
}

func find(t *testing.T, rows [][]string, month, comparison string) []string {
	t.Helper()
	for _, row := range rows {
		if row[0] == month && row[1] == comparison {
			return row
		}
	}
	t.Fatalf("no line of %s and %s", month, comparison)
	return nil
}

// monitored is what a monitor reports of the decisions of a month.
func monitored(t *testing.T, lines [][]string, month string) (report *monitor.Report, refused int) {
	t.Helper()
	grouper, err := fairness.NewGrouper(comparisonsOf(t))
	if err != nil {
		t.Fatal(err)
	}
	learner := model.DefaultLearner()
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: "x", Title: "x", Kind: monitor.External}, Grouper: grouper, Level: learner.Level, MinimumRecords: learner.MinimumRecords})
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range lines {
		name := "none"
		if cells[0] != "" {
			name = cells[0][:7]
		}
		if month != "all" && name != month {
			continue
		}
		if cells[4] == "" {
			refused++
			continue
		}
		level := fairness.MissingLevel
		if cells[1] != "" {
			level = grouper.Level(0, []byte(cells[1]))
		}
		m.Observe(&monitor.Decision{Levels: []fairness.Level{level}, Positive: cells[4] == "1" && cells[5] != "true", Labelled: cells[3] != "", Label: cells[3] == "yes"})
	}
	return m.Report(), refused
}

func comparisonsOf(t *testing.T) []fairness.Comparison {
	t.Helper()
	loaded, err := config.Load(config.Sources{Text: []byte(monitoring)}, config.Learning)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Model().WithDefaults().Comparisons()
}

// TestAuditRefuses: what an engine cannot count is named.
func TestAuditRefuses(t *testing.T) {
	folder := t.TempDir()
	decisions(t, folder, 1, 50)
	write(t, filepath.Join(folder, "empty.csv"), "at,sex,income,paid,granted,explored\n,Male,1,yes,,\n")
	for name, test := range map[string]struct {
		replace, by, input, words string
		code                      int
	}{
		"no decision": {"monitor:\n  decision: {field: granted, positive: \"1\"}\n", "", "decisions-*", "monitor.decision.field", misuse},
		"each":        {"group: Male, versus: Female, criterion: demographic-parity", "group: each, versus: rest, criterion: demographic-parity", "decisions-*", "group: each", misuse},
		"none":        {"", "", "other-*", "no file has such a name", misuse},
		"nothing":     {"", "", "empty*", "nothing was counted", failed},
	} {
		configured := filepath.Join(t.TempDir(), "monitor.yaml")
		write(t, configured, strings.Replace(monitoring, test.replace, test.by, 1))
		if said, code := fairstreamEngine(t, "audit", "-c", configured, "-i", filepath.Join(folder, test.input)); code != test.code || !strings.Contains(said, test.words) {
			t.Errorf("%s: exit code %d, and not %d with %q:\n%s", name, code, test.code, test.words, said)
		}
	}
}
