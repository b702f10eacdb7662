package main

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Several files are one input, in the order of the command line: learnt, held out, shuffled and folded.
func TestSeveralInputsAreOne(t *testing.T) {
	filesAlone(t)
	rows := adultLines(t, 3000)
	header, rows := rows[0], rows[1:]
	bad := slices.Insert(slices.Clone(rows[1000:]), 3, "a,row,too,short\n")
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "whole.csv": header + strings.Join(rows, ""),
		"one.csv": header + strings.Join(rows[:1000], ""), "two.csv": header + strings.Join(bad, "")})
	for _, more := range [][]string{{}, {"--holdout", "0.25"}, {"--shuffle", "3", "--holdout", "0.25"}} {
		args := append([]string{"-c", "config.yaml"}, more...)
		want := replayed(t, append(args, "-i", "whole.csv")...)
		if len(more) == 0 { // elsewhere the bad row changes who is held out
			code, out, said := fairstream(t, append([]string{"replay", "--json", "-i", "one.csv", "-i", "two.csv"}, args...)...)
			if code != done || !strings.Contains(said, "Rejected 1 of 3,001 records of one.csv, two.csv") || !strings.Contains(said, "two.csv, line 5: wrong_field_count") {
				t.Errorf("exit code %d\n%s", code, said)
			}
			if got := lines(t, out)[0]; hash(t, got) != hash(t, want) {
				t.Error("two files teach something else than one with their rows")
			}
			continue
		}
		if err := os.WriteFile("good.csv", []byte(header+strings.Join(rows[1000:], "")), 0o600); err != nil {
			t.Fatal(err)
		}
		got := replayed(t, append(args, "-i", "one.csv", "-i", "good.csv")...)
		if hash(t, got) != hash(t, want) || !reflect.DeepEqual(at(t, got, "holdout"), at(t, want, "holdout")) {
			t.Errorf("%v: two files teach something else than one with their rows", more)
		}
		if at(t, got, "records") != 2250. || at(t, got, "holdout", "records") != 750. {
			t.Errorf("%v: %v learnt, %v held out", more, at(t, got, "records"), at(t, got, "holdout", "records"))
		}
	}
}

func TestInputsAreRefused(t *testing.T) {
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "one.csv": "age,sex,income\n1,Male,>50K\n", "other.csv": "age,income\n1,>50K\n",
		"turned.csv": "sex,age,income\nMale,1,>50K\n", "lines.jsonl": "{}\n"})
	for want, args := range map[string][]string{
		`other.csv has no column "sex", which one.csv has`:    {"-i", "one.csv", "-i", "other.csv"},
		`one.csv has a column "sex", which other.csv has not`: {"-i", "other.csv", "-i", "one.csv"},
		"turned.csv has the columns of one.csv in another":    {"-i", "one.csv", "-i", "turned.csv"},
		"one.csv and lines.jsonl are not both CSV":            {"-i", "one.csv", "-i", "lines.jsonl"},
	} {
		fails(t, failed, want, append([]string{"replay", "-c", "config.yaml"}, args...)...)
	}
	if _, _, said := fairstream(t, "replay", "-c", "config.yaml", "-i", "one.csv", "-i", "none.csv"); !strings.Contains(said, "none.csv: no such file") || strings.Contains(said, "already closed") {
		t.Error(said)
	}
	for want, args := range map[string][]string{
		"--input one.csv is given twice":     {"-i", "one.csv", "-i", "one.csv"},
		"--input adult: the bundled records": {"-i", "one.csv", "-i", "adult"},
		"--holdout 1.5: give a share":        {"-i", "one.csv", "--holdout", "1.5"},
		"standard input can be read once":    {"-i", "-", "--format", "csv", "--holdout", "0.2"},
		"two ways to hold records out":       {"-i", "one.csv", "--folds", "5", "--holdout", "0.2"},
	} {
		fails(t, misuse, want, append([]string{"replay", "-c", "config.yaml"}, args...)...)
	}
}

// With --folds, --save keeps what was learnt from all records: the same as without --folds.
func TestFoldsSaveWhatAllRecordsTeach(t *testing.T) {
	learnsAll(t)
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "rows.csv": strings.Join(adultLines(t, 1500), "")})
	succeed(t, "replay", "-c", "config.yaml", "-i", "rows.csv", "--save", "plain.json")
	for _, more := range [][]string{{"--folds", "3"}, {"--folds", "2", "--orders", "2"}} {
		succeed(t, append([]string{"replay", "-c", "config.yaml", "-i", "rows.csv", "--save", "folds.json"}, more...)...)
		want := "plain.json"
		if len(more) > 2 {
			want = "shuffled.json"
			succeed(t, "replay", "-c", "config.yaml", "-i", "rows.csv", "--shuffle", "1", "--save", want)
		}
		a, b := fileText(t, want), fileText(t, "folds.json")
		if modelOf(a) != modelOf(b) {
			t.Errorf("%v saves something else than one pass over all records", more)
		}
	}
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// modelOf is the part of a document that decides.
func modelOf(document string) string {
	_, rest, _ := strings.Cut(document, `"model":`)
	model, _, _ := strings.Cut(rest, `"measurements"`)
	return model
}
