package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

const (
	twoConstraints = `job: loans
record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints:
  - {name: sex, attribute: sex, group: M, versus: F, tau: 0.1}
  - {name: part, attribute: part, group: each, criterion: equal-opportunity, tau: 0.2, enforce: false}
`
	oneConstraint = `record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.1}]
`
	ofAmounts = `job: amounts
record: {label: {field: pay}, ignore: [paid]}
learner: {task: regression}
constraints: [{name: sex, attribute: sex, group: M, versus: F, criterion: mean-difference, tau: 2}]
`
	ofRatio = `record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints: [{name: sex, attribute: sex, group: M, versus: F, criterion: impact-ratio, tau: 0.8}]
`
)

// madeRecords are rows of people whose label follows from age and sex, but for every eleventh. Every hundredth is rejected.
func madeRecords(n int) string {
	var text strings.Builder
	text.WriteString("age,sex,part,paid,pay\n")
	state := uint32(7)
	next := func(below uint32) uint32 {
		state = state*1664525 + 1013904223
		return state >> 16 % below
	}
	for i := range n {
		age, male, part := 20+next(50), next(3) > 0, "nsw"[next(3)]
		sex, paid, more := "F", age > 48, uint32(0)
		if male {
			sex, paid, more = "M", age > 38, 5
		}
		if i%11 == 3 {
			paid = !paid
		}
		label := 0
		if paid {
			label = 1
		}
		if i%100 == 50 {
			text.WriteString("too,few\n")
			continue
		}
		fmt.Fprintf(&text, "%d,%s,%c,%d,%d\n", age, sex, part, label, 2*age+more+next(30)+uint32(part))
	}
	return text.String()
}

var (
	seconds    = regexp.MustCompile(`in \d+\.\d\d s`)
	rates      = regexp.MustCompile(`\([\d,]+ (records )?a second\)|: [\d,]+ records a second`)
	tags       = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	made       = regexp.MustCompile(`Made [^<]* UTC\.`)
	configured = regexp.MustCompile(`(?s)<pre.*?</pre>`)
	spaces     = regexp.MustCompile(`\s*\n\s*`)
)

// replayed is all that a replay says: in words, to standard error and on its page, without what depends on the clock and the build.
func replayed(t *testing.T, asked Settings, given map[string]bool, yaml string, taus, relaxations, set []string) string {
	t.Helper()
	if err := os.WriteFile("c.yaml", []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	r := New(&program.Streams{Out: &out, Err: &notes}, asked)
	if err := r.CheckArguments(taus, relaxations, func(flag string) bool { return given[flag] }); err != nil {
		return "arguments: " + err.Error() + "\n"
	}
	sources := config.Sources{Files: []string{"c.yaml"}, Adjust: r.Adjust}
	for _, s := range set {
		key, value, _ := strings.Cut(s, "=")
		sources.Flags = append(sources.Flags, config.Assignment{Flag: "--set", Path: key, Value: value})
	}
	loaded, err := config.Load(sources, config.Learning)
	if err != nil {
		return "configuration: " + err.Error() + "\n"
	}
	if err := r.Configure(loaded.Config, []string{"c.yaml"}); err != nil {
		return "configuration: " + err.Error() + "\n"
	}
	err = r.Run(t.Context())
	text := out.String()
	if asked.JSON {
		var all bytes.Buffer
		for line := range strings.Lines(text) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatal(err)
			}
			if taken, ok := object["seconds"].(float64); !ok || !(taken > 0) {
				t.Errorf("seconds: %v", object["seconds"])
			}
			delete(object, "seconds")
			line, _ := json.Marshal(object)
			all.Write(append(line, '\n'))
		}
		text = all.String()
	}
	text = rates.ReplaceAllString(seconds.ReplaceAllString(text, "in SECONDS s"), "(RATE)")
	if notes.Len() > 0 {
		text += "--- notes\n" + notes.String()
	}
	if err != nil {
		text += "--- error\n" + err.Error() + "\n"
	}
	if asked.Page != "" {
		page, err := os.ReadFile(asked.Page)
		if err != nil {
			t.Fatal(err)
		}
		shown := made.ReplaceAllString(configured.ReplaceAllString(string(page), ""), "Made TIME.") // the configuration names all defaults
		words := spaces.ReplaceAllString(tags.ReplaceAllString(shown, "\n"), "\n")
		text += "--- page\n" + strings.TrimSpace(strings.ReplaceAll(words, program.Version(), "VERSION")) + "\n"
	}
	return text
}

// TestWholeReplays: what each way of replaying says of the same made-up records. That the numbers are right is tested where they
// are computed, and in cmd/fairstream against a pass of its own.
func TestWholeReplays(t *testing.T) {
	type flags = map[string]bool
	for name, c := range map[string]struct {
		asked       Settings
		given       flags
		yaml        string
		taus        []string
		relaxations []string
		set         []string
	}{
		"share":       {asked: Settings{Holdout: "0.25", Page: "p.html"}, yaml: twoConstraints},
		"json":        {asked: Settings{Holdout: "test.csv", JSON: true}, yaml: twoConstraints},
		"taus":        {asked: Settings{Holdout: "test.csv", Page: "p.html"}, yaml: twoConstraints, taus: []string{"0.05", "0.3"}, given: flags{"tau": true}},
		"relaxations": {asked: Settings{Holdout: "0.5"}, yaml: twoConstraints, relaxations: []string{"approximation-1", "mean-margin"}},
		"folds":       {asked: Settings{Folds: 3, Page: "p.html"}, given: flags{"folds": true}, yaml: twoConstraints},
		"folds-json":  {asked: Settings{Folds: 2, JSON: true}, given: flags{"folds": true}, yaml: ofRatio, taus: []string{"0.8", "0.9"}},
		"orders": {asked: Settings{Folds: 2, Orders: orders{Seed: 4, Number: 3}}, given: flags{"folds": true, "orders": true, "shuffle": true},
			yaml: ofRatio},
		"shuffled":      {asked: Settings{Holdout: "0.25", Orders: orders{Seed: 9}}, given: flags{"shuffle": true}, yaml: ofRatio},
		"amounts":       {asked: Settings{Holdout: "0.25", Page: "p.html"}, yaml: ofAmounts},
		"amount-folds":  {asked: Settings{Folds: 2, Page: "p.html"}, given: flags{"folds": true}, yaml: ofAmounts, taus: []string{"1", "4"}},
		"unconstrained": {asked: Settings{}, yaml: twoConstraints, set: []string{"learner.mode=unconstrained"}},
		"paper":         {asked: Settings{Holdout: "0.25", Save: "w.json"}, yaml: oneConstraint, set: []string{"learner.mode=paper", "constraints[0].threshold=2"}},
	} {
		t.Run(name, func(t *testing.T) {
			golden := apptest.Golden(t)
			inDirectory(t, map[string]string{"train.csv": madeRecords(1500), "test.csv": madeRecords(2000)})
			c.asked.Inputs = []string{"train.csv"}
			got := replayed(t, c.asked, c.given, c.yaml, c.taus, c.relaxations, c.set)
			if strings.Contains(got, "NaN") {
				t.Error("NaN is shown")
			}
			golden("whole-"+name+".txt", got)
		})
	}
}

// inDirectory moves into a new directory with the given files.
func inDirectory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
