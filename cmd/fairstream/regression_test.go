package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
)

const hoursConfig = `job: hours
record:
  label: {field: hours_per_week}
  ignore: [fnlwgt]
learner: {task: regression}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, tau: 2}
  - {name: race, attribute: race, group: White, versus: rest, tau: 5, enforce: false}
`

// What replay prints of a regression: the object with its measures, both tables, and predictions by score.
func TestReplayOfARegression(t *testing.T) {
	filesAlone(t)
	rows := adultLines(t, 12000)
	inDirectory(t, map[string]string{
		"config.yaml": hoursConfig,
		"train.csv":   strings.Join(rows[:10001], "") + "1,2\n",
		"test.csv":    rows[0] + strings.Join(rows[10001:], ""),
	})
	code, out, warnings := fairstream(t, "replay", "-c", "config.yaml", "-i", "train.csv", "--holdout", "test.csv", "--json", "--save", "w.json")
	if code != done || !strings.Contains(warnings, "wrong_field_count") {
		t.Fatalf("exit code %d: %s", code, warnings)
	}
	object := lines(t, out)[0]
	for _, where := range []string{"prequential", "holdout"} {
		e := at(t, object, where).(map[string]any)
		for _, absent := range []string{"accuracy", "log_loss", "constant_accuracy"} {
			if _, there := e[absent]; there {
				t.Errorf("%s has %s", where, absent)
			}
		}
		mse, constant := at(t, e, "mse").(float64), at(t, e, "constant_mse").(float64)
		if !(mse > 50 && mse < constant) || at(t, e, "r_squared").(float64) != 1-mse/constant {
			t.Errorf("%s: mse %v, constant %v, R² %v", where, mse, constant, at(t, e, "r_squared"))
		}
		for _, measure := range []string{"mse", "constant_mse", "r_squared"} {
			m := at(t, e, "measures", measure)
			if lo, hi := at(t, m, "lo").(float64), at(t, m, "hi").(float64); !(lo < hi) || at(t, m, "method") == "" || at(t, m, "n") != e["records"] {
				t.Errorf("%s: %s is %v", where, measure, m)
			}
		}
	}
	row := at(t, object, "holdout", "constraints", 0)
	if at(t, row, "criterion") != "mean-difference" || at(t, row, "status") == "violated" || at(t, row, "tau") != 2.0 || at(t, row, "method") != "welch-t" ||
		at(t, row, "value") != at(t, row, "mean_group").(float64)-at(t, row, "mean_versus").(float64) {
		t.Errorf("the constraint is %v", row)
	}
	if free := at(t, object, "holdout", "unconstrained", "constraints", 0, "value").(float64); free < 3 {
		t.Errorf("without a bound the difference is %v", free)
	}
	if at(t, object, "holdout", "constraints", 1, "enforced") != false {
		t.Error("what is only measured is enforced")
	}

	said := succeedWarned(t, "replay", "-c", "config.yaml", "-i", "train.csv", "--holdout", "test.csv")
	root := strconv.FormatFloat(math.Sqrt(at(t, object, "holdout", "mse").(float64)), 'f', 2, 64)
	for _, words := range []string{"root mean squared      " + root, "R²", "constant prediction", "sex: Male − Female", "mean-difference", "tau 2 ",
		"in units of hours_per_week: mean\n40.", "Tau 2 is 0.16 standard deviations",
		"sex, mean-difference: inconclusive. Male: mean prediction", "Cost of the constraint: root mean squared error " + root, "--tau 1,2,4", "predictions for other records"} {
		if !strings.Contains(said, words) {
			t.Errorf("no %q in\n%s", words, said)
		}
	}
	frontier := succeedWarned(t, "replay", "-c", "config.yaml", "-i", "train.csv", "--tau", "1,4")
	if !strings.Contains(frontier, "A constant prediction has root mean squared error") || strings.Contains(frontier, "accuracy") {
		t.Errorf("the frontier is\n%s", frontier)
	}

	scores := lines(t, succeed(t, "score", "--model", "w.json", "-i", "test.csv", "--json"))
	sum := 0.0
	for _, score := range scores {
		if _, decided := score["decision"]; decided {
			t.Fatalf("a decision: %v", score)
		}
		sum += score["score"].(float64)
	}
	if mean := sum / float64(len(scores)); len(scores) != 2000 || mean < 38 || mean > 43 {
		t.Errorf("the mean of %d predictions is %v", len(scores), mean)
	}
	table := strings.Split(succeed(t, "score", "--model", "w.json", "-i", "test.csv"), "\n")
	if first := scores[0]; table[0] != "id,score,rejected,version,weights_sha256" ||
		table[1] != fmt.Sprintf(",%v,,%.0f,%s", first["score"], first["version"], first["weights_sha256"]) {
		t.Errorf("as CSV: %q", table[:2])
	}
}

// succeedWarned is succeed for a command that tells of rejected records.
func succeedWarned(t *testing.T, args ...string) string {
	t.Helper()
	code, out, warnings := fairstream(t, args...)
	if code != done {
		t.Fatalf("%v: exit code %d: %s", args, code, warnings)
	}
	return out
}

// Labels that are all one number are probably not meant; those that are none are rejected without being shown.
func TestLabelsOfARegression(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": "record: {label: {field: y}}\nlearner: {task: regression}\n",
		"same.csv":    "a,y\n1,5\n2,5.0\n",
		"words.csv":   "a,y\n1,5\n2,confidential\n3,7\n",
	})
	if _, _, warnings := fairstream(t, "replay", "-c", "config.yaml", "-i", "same.csv"); !strings.Contains(warnings, "every label is the same number") {
		t.Errorf("no warning: %s", warnings)
	}
	code, _, warnings := fairstream(t, "replay", "-c", "config.yaml", "-i", "words.csv")
	if code != done || !strings.Contains(warnings, `line 3: bad_label in field "y"`) || strings.Contains(warnings, "confidential") {
		t.Errorf("exit code %d: %s", code, warnings)
	}
}

// A regression lives on topics as a classifier does.
func TestWorkflowOfARegression(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	inDirectory(t, map[string]string{
		"config.yaml": hoursConfig + "kafka: {brokers: [\"" + b.Addresses()[0] + "\"]}\ntopics: {input: hours}\nserver: {address: \"\"}\n",
		"train.csv":   strings.Join(adultLines(t, 6000), ""),
	})
	succeed(t, "topics", "create", "-c", "config.yaml")
	succeed(t, "produce", "-c", "config.yaml", "-i", "train.csv")
	succeed(t, "run", "-c", "config.yaml", "--until-end")
	want := hash(t, replayed(t, "-c", "config.yaml", "-i", "train.csv"))
	text := succeed(t, "models", "show", "-c", "config.yaml", "--json")
	var d map[string]any
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if d["weights_sha256"] != want || d["task"] != "regression" || at(t, d, "label", "standard_deviation").(float64) < 10 {
		t.Errorf("published %v of task %v, replay finds %v", d["weights_sha256"], d["task"], want)
	}
	for command, words := range map[string][]string{
		"show":    {"root mean squared error", "R²", "in units of hours_per_week", "mean prediction", "tau 2"},
		"list":    {"recent root mean squared error", "latest"},
		"explain": {"raise the prediction", "(intercept)"},
	} {
		said := succeed(t, "models", command, "-c", "config.yaml")
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("models %s: no %q in\n%s", command, w, said)
			}
		}
	}
	if err := os.WriteFile("w.json", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if succeed(t, "score", "-c", "config.yaml", "-i", "train.csv", "--json") != succeed(t, "score", "--model", "w.json", "-i", "train.csv", "--json") {
		t.Error("score differs between the topic and a file of its document")
	}
	code, _, said := fairstream(t, "run", "-c", "config.yaml", "--until-end", "--set", "constraints[0].group=male")
	if code != failed || !strings.Contains(said, "constraints[0].group") {
		t.Errorf("with another group: exit code %d: %s", code, said)
	}
}

// A regression that is killed while records come has, in the end, the weights of one that was not.
func TestRunOfARegressionKilled(t *testing.T) {
	learnsAll(t)
	t.Parallel()
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	sections := strings.Replace(hoursConfig, "job: hours", "job: adult", 1) // the helpers' job
	rows := adultJSON(t)[:12000]
	j := newJobOf(t, sections, b.Addresses(), 1, "stream: {snapshot: {records: 1500}, publish: {records: 2500}}\n")
	for part := range slices.Chunk(rows, 4000) {
		if err := j.produce(t.Context(), 1, part, 0); err != nil {
			t.Fatal(err)
		}
		c := j.start()
		j.eventually("learning", func() bool { _, text := j.get("metrics"); return strings.Contains(text, "\nfairstream_r_squared{") })
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
	}
	succeed(t, "run", "--config", j.config, "--until-end")
	j.complete(len(rows))
	if got, want := j.newest().WeightsSHA256, weightsBy(t, sections, rows); got != want {
		t.Errorf("the weights are %s, undisturbed %s", got, want)
	}
	// Another bound is taken over; what is learnt is not.
	succeed(t, "run", "--config", j.config, "--until-end", "--set", "constraints[0].tau=3")
	for _, other := range []string{"record.label.field=age", "learner.sparsity=.01"} {
		code, _, said := fairstream(t, "run", "--config", j.config, "--until-end", "--set", other)
		if key, _, _ := strings.Cut(other, "="); code != failed || !strings.Contains(said, "learnt with another "+key) {
			t.Errorf("%s: exit code %d: %s", other, code, said)
		}
	}
}
