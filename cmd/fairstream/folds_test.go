package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every holdout of --folds is what a pass over the other records and their measurement give alone, and the summary is over
// these. Records that are rejected take no part in the counting.
func TestEachFoldIsAHoldout(t *testing.T) {
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
		if at(t, alone[0], "holdout", "constraints", 0, "status") == "met" {
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
	for _, want := range []string{"On 3 holdouts of 1,000 records", fmt.Sprintf("%d of 3", within), "race: White − rest (equal-opportunity), measured only     not estimable\n", "none"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestFoldsAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"give a number from 2 to 100":  {"--input", "adult", "--folds", "1"},
		"--folds 101: ":                {"--input", "adult", "--folds", "101"},
		"two ways to hold records out": {"--input", "adult", "--folds", "5", "--holdout", "x.csv"},
		"--save could keep none":       {"--input", "adult", "--folds", "5", "--save", "x.json"},
		"standard input can be read":   {"--input", "-", "--format", "csv", "--folds", "5"},
	} {
		fails(t, 2, want, append([]string{"replay"}, args...)...)
	}
}

// A spread of one value has no standard deviation, and none has no mean; both are numbers in JSON all the same.
func TestSpreadOfFewHoldouts(t *testing.T) {
	for n, want := range map[int]spread{0: {Name: "x"}, 1: {Name: "x", Mean: 2, Holdouts: 1}, 2: {Name: "x", Mean: 3, SD: math.Sqrt2, Holdouts: 2}} {
		got := newSpread("x", []float64{2, 4}[:n])
		if _, err := json.Marshal(got); err != nil || got != want {
			t.Errorf("of %d values: %+v (%v), want %+v", n, got, err, want)
		}
	}
}
