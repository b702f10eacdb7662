package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Restored at each of 100 random points of the Adult records, ten of them in the warm-up, a learner goes on bit
// for bit as one that never stopped: from each point to the next, and so to the end.
func TestRestoreAtRandomPoints(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	records := adultHead(t, 6000)
	for _, mode := range allModes {
		t.Run(string(mode), func(t *testing.T) {
			config := adultConfig(mode)
			config.Learner.Window = 1024 // both are full soon, and turn over
			random := rand.New(rand.NewPCG(2, uint64(len(mode))))
			points := []int{0, 1, 2, len(records)}
			for i := range 100 {
				limit := len(records)
				if i < 10 {
					limit = config.Learner.Warmup
				}
				points = append(points, random.IntN(limit))
			}
			slices.Sort(points)
			unbroken, broken := newLearner(t, config), newLearner(t, config)
			learnt := 0
			for _, point := range points {
				for i := learnt; i < point; i++ {
					unbroken.Learn(&records[i])
					broken.Learn(&records[i])
				}
				learnt = point
				state := unbroken.AppendState(nil)
				if !bytes.Equal(broken.AppendState(nil), state) {
					t.Fatalf("the states differ at record %d", point)
				}
				broken = restore(t, config, state)
			}
			if got, want := documentOf(t, broken).WeightsSHA256, documentOf(t, unbroken).WeightsSHA256; got != want {
				t.Errorf("weights_sha256 is %s and should be %s", got, want)
			}
		})
	}
}

// handOver is what one process leaves to the next.
type handOver struct {
	Config model.Config
	From   int
	State  []byte
}

const (
	handOverVariable = "FAIRSTREAM_TEST_HAND_OVER"
	handedOver       = 4500 // records in all
)

// A new process restores the state and goes on; its first call is the second half of the test.
func TestRestoreInNewProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	if path := os.Getenv(handOverVariable); path != "" {
		goOn(t, path)
		return
	}
	records := adultHead(t, handedOver)
	for _, mode := range allModes {
		config := adultConfig(mode)
		want := documentOf(t, learn(t, config, records)).WeightsSHA256
		for _, point := range []int{417, 3919} {
			h := handOver{config, point, learn(t, config, records[:point]).AppendState(nil)}
			data, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "hand-over.json")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(os.Args[0], "-test.run=^TestRestoreInNewProcess$", "-test.v")
			child.Env = append(os.Environ(), handOverVariable+"="+path)
			output, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			if !strings.Contains(string(output), "weights_sha256="+want) {
				t.Errorf("%s from record %d: the new process ends elsewhere than %s: %s", mode, point, want, output)
			}
		}
	}
}

func goOn(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var h handOver
	if err := json.Unmarshal(data, &h); err != nil {
		t.Fatal(err)
	}
	l := restore(t, h.Config, h.State)
	records := adultHead(t, handedOver)
	for i := h.From; i < len(records); i++ {
		l.Learn(&records[i])
	}
	fmt.Println("weights_sha256=" + documentOf(t, l).WeightsSHA256)
}

// Some keys may change over a restore; any other difference is an error that names the key.
func TestRestoreUnderAnotherConfiguration(t *testing.T) {
	tests := map[string]struct {
		change func(c *model.Config)
		key    string // several with commas, "" if it may change
	}{
		"constraints[0].tau":         {change: func(c *model.Config) { c.Constraints[0].Tau = .1 }},
		"learner.confidence":         {change: func(c *model.Config) { c.Learner.Confidence = .5 }},
		"learner.holdout_records":    {change: func(c *model.Config) { c.Learner.HoldoutRecords = 500 }},
		"learner.level":              {change: func(c *model.Config) { c.Learner.Level = .9 }},
		"learner.minimum_records":    {change: func(c *model.Config) { c.Learner.MinimumRecords = 100 }},
		"record.id":                  {change: func(c *model.Config) { c.Record.ID = "case" }},
		"record.limits":              {change: func(c *model.Config) { c.Record.Limits.Depth = 3 }},
		"record.at":                  {change: func(c *model.Config) { c.Record.At = record.Debezium }},
		"record.csv":                 {change: func(c *model.Config) { c.Record.CSV.Separator = ";" }},
		"record.renamed":             {change: func(c *model.Config) { c.Record.Renamed = []record.Rename{{Field: "years", Was: "age"}} }},
		"record.unlabelled":          {change: func(c *model.Config) { c.Record.Unlabelled = record.Count }},
		"a default spelled out":      {change: func(c *model.Config) { c.Constraints[0].Criterion = "demographic-parity"; c.Record.Missing = nil }},
		"learner.mode":               {key: "learner.mode", change: func(c *model.Config) { c.Learner.Mode = model.Unconstrained }},
		"learner.warmup":             {key: "learner.warmup", change: func(c *model.Config) { c.Learner.Warmup = 999 }},
		"learner.forgetting":         {key: "learner.forgetting", change: func(c *model.Config) { c.Learner.Forgetting = 5000 }},
		"learner.step":               {key: "learner.step", change: func(c *model.Config) { c.Learner.Step = .2 }},
		"learner.regularization":     {key: "learner.regularization", change: func(c *model.Config) { c.Learner.Regularization = 0 }},
		"learner.window":             {key: "learner.window", change: func(c *model.Config) { c.Learner.Window = 300 }},
		"learner.vocabulary.levels":  {key: "learner.vocabulary.levels", change: func(c *model.Config) { c.Learner.Vocabulary.Levels++ }},
		"learner.vocabulary.buckets": {key: "learner.vocabulary.buckets", change: func(c *model.Config) { c.Learner.Vocabulary.Buckets++ }},
		"learner.vocabulary.columns": {key: "learner.vocabulary.columns", change: func(c *model.Config) { c.Learner.Vocabulary.Columns++ }},
		"learner.columns": {key: "learner.columns", change: func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"age": {Type: features.Categorical}}
		}},
		"learner.crosses":           {key: "learner.crosses", change: func(c *model.Config) { c.Learner.Crosses = [][]string{{"age", "race"}} }},
		"constraints[0].relaxation": {key: "constraints[0].relaxation", change: func(c *model.Config) { c.Constraints[0].Relaxation = surrogate.Sigmoid }},
		"constraints[0].group":      {key: "constraints[0].group", change: func(c *model.Config) { c.Constraints[0].Group = model.Values("male") }},
		"constraints[0].criterion":  {key: "constraints[0].criterion", change: func(c *model.Config) { c.Constraints[0].Criterion = "equal-opportunity" }},
		"constraints[0].enforce":    {key: "constraints[0].enforce", change: func(c *model.Config) { c.Constraints[0].Enforce = new(bool) }},
		"several at once": {key: "constraints[0].enforce, learner.mode, learner.window", change: func(c *model.Config) {
			c.Learner.Mode, c.Learner.Window, c.Learner.Level = model.Unconstrained, 300, .9
			c.Constraints[0].Enforce = new(bool)
		}},
		"one constraint more": {key: "constraints", change: func(c *model.Config) {
			c.Constraints = readable(model.Config{Learner: c.Learner, Constraints: append(slices.Clone(c.Constraints),
				constraint("race", "equal-opportunity", surrogate.Sigmoid, "race", "a", "b"))}).Constraints
		}},
		"record.label.positive": {key: "record.label.positive", change: func(c *model.Config) { c.Record.Label.Positive = "<=50K" }},
		"record.ignore":         {key: "record.ignore[0]", change: func(c *model.Config) { c.Record.Ignore = []string{"age"} }},
		"record.missing": {key: "record.missing", change: func(c *model.Config) {
			c.Record.Missing = nil
			c.Record.Missing = append(c.Record.WithDefaults().Missing, "none")
		}},
		"record.weight": {key: "record.weight", change: func(c *model.Config) { c.Record.Weight = "hours_per_week" }},
	}
	state := learn(t, adultConfig(model.Adaptive), adultHead(t, 2000)).AppendState(nil)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			config := adultConfig(model.Adaptive)
			test.change(&config)
			l, err := model.Restore(config, state)
			if test.key == "" {
				if err != nil {
					t.Fatal(err)
				}
				l.Learn(&adultHead(t, 2001)[2000])
				return
			}
			var changed *model.ConfigChanged
			if want := strings.Split(test.key, ", "); !errors.As(err, &changed) || !slices.Equal(changed.Keys, want) || !strings.Contains(err.Error(), test.key) {
				t.Errorf("the error does not name %s: %v", test.key, err)
			}
		})
	}
	if len(model.Changeable()) != 11 {
		t.Errorf("the table above does not turn every key of %v", model.Changeable())
	}
}

// A changed tau is aimed at from the next record on.
func TestTauMayChangeOnTheWay(t *testing.T) {
	records := adultRecords(t)
	config := adultConfig(model.Adaptive)
	l := learn(t, config, records[:10000])
	config.Constraints[0].Tau = .15
	l = restore(t, config, l.AppendState(nil))
	for i := range records[10000:20000] {
		l.Learn(&records[10000+i])
	}
	if control := l.Measurements().Control[0]; control.Target < .1 || control.Target > .15 {
		t.Errorf("with tau .15 the target is %v", control.Target)
	}
}

// TestAnIdentifierCanBeAdded: record.id may name another field over a restore as long as no weight loses or gains its column, and the
// learner goes on bit for bit as one whose configuration did not change.
func TestAnIdentifierCanBeAdded(t *testing.T) {
	named := func(ignore []string, id string) model.Config {
		c := adultConfig(model.Adaptive)
		c.Record.Ignore, c.Record.ID = ignore, id
		return c
	}
	reserved := func(c model.Config) model.Config {
		c.Evaluation.Share = .1
		return c
	}
	const records, before = 3000, 2000
	text, err := adultText()
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i, line := range strings.SplitN(text, "\n", records+2)[:records+1] {
		if i == 0 {
			fmt.Fprintf(&lines, "case,number,%s\n", line)
			continue
		}
		fmt.Fprintf(&lines, "c-%d,%d,%s\n", i, i*7919%100, line)
	}
	for name, test := range map[string]struct {
		saved, now model.Config
		key        string
	}{
		"was ignored":              {named([]string{"case", "number"}, ""), named([]string{"number"}, "case"), ""},
		"was left out":             {named([]string{"number"}, ""), named([]string{"number"}, "case"), ""},
		"is ignored again":         {named([]string{"number"}, "case"), named([]string{"number", "case"}, ""), ""},
		"another was ignored":      {named([]string{"case"}, "number"), named([]string{"number"}, "case"), ""},
		"never came before":        {named([]string{"number"}, ""), named([]string{"number"}, "passport"), ""},
		"was a feature":            {named([]string{"case"}, ""), named([]string{"case"}, "number"), "record.id"},
		"becomes a feature":        {named([]string{"case"}, "number"), named([]string{"case"}, ""), "record.id"},
		"another becomes one":      {named([]string{"case", "number"}, ""), named(nil, "case"), "record.ignore"},
		"chooses what is reserved": {reserved(named([]string{"number"}, "case")), reserved(named([]string{"number", "case"}, "")), "record.id"},
	} {
		t.Run(name, func(t *testing.T) {
			first := readRecords(t, test.saved, lines.String())
			l := learn(t, test.saved, first[:before])
			restored, err := model.Restore(test.now, l.AppendState(nil))
			if test.key != "" {
				var changed *model.ConfigChanged
				if !errors.As(err, &changed) || !strings.Contains(strings.Join(changed.Keys, " "), test.key) {
					t.Errorf("the error does not name %s: %v", test.key, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			second := readRecords(t, test.now, lines.String())
			for i := before; i < records; i++ {
				l.Learn(&first[i])
				restored.Learn(&second[i])
			}
			if got, want := documentOf(t, restored).WeightsSHA256, documentOf(t, l).WeightsSHA256; got != want {
				t.Errorf("the weights are %s, and %s under the configuration that did not change", got, want)
			}
		})
	}
}
