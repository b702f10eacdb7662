package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What --shuffle learns is what a file in that order teaches, rejected records keep the lines of their file, and
// standard input can be shuffled too.
func TestShuffleIsAFileInThatOrder(t *testing.T) {
	filesAlone(t)
	rows := adultLines(t, 3000)
	header, rows := rows[0], rows[1:2501]
	bad := slices.Insert(slices.Clone(rows), 700, "a,row,too,short\n")
	permuted := make([]string, len(rows))
	for n, place := range rand.New(rand.NewPCG(9, 1)).Perm(len(rows)) {
		permuted[n] = rows[place]
	}
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "test.csv": strings.Join(adultLines(t, 500), ""),
		"file.csv": header + strings.Join(bad, ""), "permuted.csv": header + strings.Join(permuted, "")})
	args := []string{"-c", "config.yaml", "--holdout", "test.csv"}
	want := replayed(t, append(args, "-i", "permuted.csv")...)
	code, out, said := fairstream(t, append([]string{"replay", "--json", "--shuffle", "9", "-i", "file.csv"}, args...)...)
	if code != done || !strings.Contains(said, "Rejected 1 of 2,501 records of file.csv") || !strings.Contains(said, "line 702: wrong_field_count") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	got := lines(t, out)[0]
	if hash(t, got) != hash(t, want) || !reflect.DeepEqual(at(t, got, "holdout"), at(t, want, "holdout")) {
		t.Error("--shuffle learns something else than a file in that order")
	}
	if at(t, got, "shuffle") != 9. {
		t.Errorf("the seed is %v", at(t, got, "shuffle"))
	}

	folds := []string{"replay", "-c", "config.yaml", "--json", "--folds", "3", "--shuffle", "9", "--format", "csv", "-i"}
	code, piped, said := fairstreamWith(t, header+strings.Join(rows, ""), append(folds, "-")...)
	if code != done {
		t.Fatal(said)
	}
	one, other := lines(t, piped)[0], lines(t, succeed(t, "replay", "-c", "config.yaml", "--json", "--folds", "3", "-i", "permuted.csv"))[0]
	if !reflect.DeepEqual(one["holdouts"], other["holdouts"]) {
		t.Error("the folds of standard input differ from those of a file in that order")
	}

	saved := append(args, "-i", "file.csv", "--shuffle", "9", "--save", "weights.json")
	fairstream(t, append([]string{"replay"}, saved...)...)
	if text, err := os.ReadFile("weights.json"); err != nil || !bytes.Contains(text, []byte("file.csv in random order (seed 9)")) {
		t.Errorf("the lineage does not say the order (%v)", err)
	}
}

// The bundled records are held out in the random order: other seeds hold others out, and none is lost.
func TestShuffleOfTheBundledRecords(t *testing.T) {
	learnsAll(t)
	one, two := replayed(t, "--input", "adult", "--shuffle", "1"), replayed(t, "--input", "adult", "--shuffle", "2")
	for _, got := range []map[string]any{one, two} {
		if at(t, got, "records") != 39074. || at(t, got, "holdout", "records") != 9768. {
			t.Errorf("%v learnt, %v held out", at(t, got, "records"), at(t, got, "holdout", "records"))
		}
	}
	if at(t, one, "holdout", "constant_accuracy") == at(t, two, "holdout", "constant_accuracy") {
		t.Error("both seeds hold out the same records")
	}
}

// --orders is --folds in each order, summed up over all holdouts.
func TestOrdersRepeatTheFolds(t *testing.T) {
	learnsAll(t)
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "train.csv": strings.Join(adultLines(t, 2000), "")})
	args := []string{"replay", "-c", "config.yaml", "-i", "train.csv", "--folds", "2", "--tau", ".05,.1"}
	got := lines(t, succeed(t, append(args, "--json", "--shuffle", "4", "--orders", "3")...))
	accuracy := 0.
	for order := range 3 {
		alone := lines(t, succeed(t, append(args, "--json", "--shuffle", fmt.Sprint(4+order))...))
		for i := range alone {
			for fold := range 2 {
				if !reflect.DeepEqual(at(t, got[i], "holdouts", 2*order+fold), at(t, alone[i], "holdouts", fold)) {
					t.Errorf("line %d, order %d, holdout %d differs from that of the order alone", i, order, fold)
				}
			}
			if at(t, got[i], "orders", order, "seed") != float64(4+order) || !reflect.DeepEqual(at(t, got[i], "orders", order, "summary"), at(t, alone[i], "summary")) {
				t.Errorf("line %d: the summary of order %d differs from that of the order alone", i, order)
			}
		}
		accuracy += at(t, alone[0], "summary", "qualities", 0, "mean").(float64) / 3
	}
	if mean := at(t, got[0], "summary", "qualities", 0, "mean").(float64); mean-accuracy > 1e-12 || accuracy-mean > 1e-12 {
		t.Errorf("mean accuracy %v, counted %v", mean, accuracy)
	}
	text := succeed(t, append(args, "--orders", "2")...)
	for _, want := range []string{"2-fold cross-validation of 2,000 records in 2 random orders (seeds 1 to 2),\nin ", "On 4 holdouts of 1,000 records each", "tau 0.05: the means of the 2 orders are"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestOrdersAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"--orders 1: give a number from 2 to 100": {"--folds", "5", "--orders", "1"},
		"--orders 101: ":                               {"--folds", "5", "--orders", "101"},
		"--orders is for --folds":                      {"--orders", "4"},
		"--shuffle -1: give a whole number from 0":     {"--shuffle", "-1"},
		"--shuffle monday: give a whole number from 0": {"--shuffle", "monday"},
		"--folds and --holdout are ":                   {"--folds", "5", "--shuffle", "1", "--holdout", "x.csv"},
	} {
		fails(t, misuse, want, append([]string{"replay", "--input", "adult"}, args...)...)
	}
	fails(t, misuse, "or add --shuffle 1", "replay", "--input", "-", "--format", "csv", "--folds", "5")
}
