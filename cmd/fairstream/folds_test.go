package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// Every holdout of --folds is what a pass over the other records and their measurement give alone, and the summary is over
// these. Records that are rejected take no part in the counting.
func TestEachFoldIsAHoldout(t *testing.T) {
	learnsAll(t)
	rows := adultLines(t, 3000)
	header, rows := rows[0], rows[1:]
	directory := t.TempDir()
	name := func(part string) string { return filepath.Join(directory, part+".csv") }
	write := func(part string, text ...string) {
		t.Helper()
		if err := os.WriteFile(name(part), []byte(strings.Join(text, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(directory, "config.yaml")
	if err := os.WriteFile(config, []byte(adultConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	const folds = 3
	all := []string{header}
	var train, test [folds][]string
	for i, row := range rows {
		if i%100 == 7 {
			all = append(all, "a row with too few fields\n")
		}
		all = append(all, row)
		for f := range folds {
			if i%folds == f {
				test[f] = append(test[f], row)
			} else {
				train[f] = append(train[f], row)
			}
		}
	}
	write("all", all...)
	got := lines(t, succeed(t, "replay", "--config", config, "--input", name("all"), "--folds", "3", "--tau", ".03,.08", "--json"))
	if len(got) != 2 {
		t.Fatalf("%d lines, want one for each tau", len(got))
	}
	within, accuracy := 0, 0.0
	for f := range folds {
		write("train", append([]string{header}, train[f]...)...)
		write("test", append([]string{header}, test[f]...)...)
		alone := lines(t, succeed(t, "replay", "--config", config, "--input", name("train"), "--holdout", name("test"), "--tau", ".03,.08", "--json"))
		for i := range got {
			if want := at(t, alone[i], "holdout"); !reflect.DeepEqual(at(t, got[i], "holdouts", f), want) {
				t.Errorf("line %d, holdout %d differs from that of a pass of its own, %v", i, f, want)
			}
		}
		if math.Abs(at(t, alone[0], "holdout", "constraints", 0, "value").(float64)) <= .03 {
			within++
		}
		accuracy += at(t, alone[0], "holdout", "accuracy").(float64) / folds
	}
	if got := at(t, got[0], "summary", "constraints", 0, "within"); got != float64(within) {
		t.Errorf("within tau in %v holdouts, counted %d", got, within)
	}
	if got := at(t, got[0], "summary", "qualities", 0, "mean").(float64); math.Abs(got-accuracy) > 1e-12 {
		t.Errorf("mean accuracy %v, counted %v", got, accuracy)
	}
	if got := at(t, got[0], "rejected"); got != 30. {
		t.Errorf("rejected %v, want 30", got)
	}

	text := succeed(t, "replay", "--config", config, "--input", name("all"), "--folds", "3", "--tau", ".03")
	for _, want := range []string{"On 3 holdouts of 1,000 records each", fmt.Sprintf("%d of 3", within), "race                  not_estimable\n", "at 0.1, only\n", "none",
		"chance alone moves the difference"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}

	// With several taus, the standard error is given from the least to the largest: fewer positive decisions make less of it.
	text = succeed(t, "replay", "--config", config, "--input", name("all"), "--folds", "3", "--tau", ".03,.5")
	chance := regexp.MustCompile(`by (0\.\d+) to (0\.\d+)\s\(its`).FindStringSubmatch(text)
	if chance == nil || chance[1] >= chance[2] {
		t.Errorf("no standard errors from the least to the largest in\n%s", text)
	}
}

// A holdout in which nothing can be measured is left out of the means.
func TestFoldsOfWhichOneMeasuresNothing(t *testing.T) {
	filesAlone(t)
	// Every third record has no weight, so one of three holdouts measures nothing.
	rows := adultLines(t, 900)
	var text strings.Builder
	fmt.Fprintf(&text, "weight,%s", rows[0])
	for i, row := range rows[1:] {
		fmt.Fprintf(&text, "%d,%s", min(1, i%3), row)
	}
	directory := t.TempDir()
	input, config := filepath.Join(directory, "weighted.csv"), filepath.Join(directory, "config.yaml")
	for name, content := range map[string]string{input: text.String(), config: strings.Replace(adultConfig, "  ignore:", "  weight: weight\n  ignore:", 1)} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := lines(t, succeed(t, "replay", "--config", config, "--input", input, "--folds", "3", "--json"))
	for _, list := range []string{"qualities", "constraints"} {
		if holdouts := at(t, got[0], "summary", list, 0, "holdouts"); holdouts != 2. {
			t.Errorf("%s: %v holdouts counted, want 2", list, holdouts)
		}
	}
	if out := succeed(t, "replay", "--config", config, "--input", input, "--folds", "3"); strings.Contains(out, "NaN") || !strings.Contains(out, "1 not_estimable") {
		t.Errorf("want no NaN, and one holdout that is not estimable:\n%s", out)
	}
}
