package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/pkg/record"
)

const adultConfig = `job: adult
record:
  label: {field: income, positive: ">50K"}
  ignore: [fnlwgt]
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, criterion: demographic-parity, tau: 0.05}
  - {name: race, attribute: race, group: White, versus: rest, criterion: equalized-odds, tau: 0.1, enforce: false}
`

// adultLines returns the header and the first rows of the bundled records.
func adultLines(t *testing.T, rows int) []string {
	t.Helper()
	return strings.SplitAfter(string(adultFile(t, record.CSV)), "\n")[:rows+1]
}

// lines decodes what --json prints.
func lines(t *testing.T, stdout string) []map[string]any {
	t.Helper()
	var objects []map[string]any
	for line := range strings.Lines(stdout) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		objects = append(objects, object)
	}
	return objects
}

// replayed runs replay --json with one tau.
func replayed(t *testing.T, args ...string) map[string]any {
	t.Helper()
	objects := lines(t, succeed(t, append([]string{"replay", "--json"}, args...)...))
	if len(objects) != 1 {
		t.Fatalf("%d lines, want 1", len(objects))
	}
	return objects[0]
}

// at follows names and indexes into decoded JSON.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for i, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			inner, found := object[step]
			if !found {
				t.Fatalf("there is no %v", path[:i+1])
			}
			value = inner
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				t.Fatalf("there is no %v", path[:i+1])
			}
			value = list[step]
		}
	}
	return value
}

func hash(t *testing.T, object map[string]any) string {
	t.Helper()
	return at(t, object, "model", "weights_sha256").(string)
}

func TestReplayPrintsTheObjectOfTheContract(t *testing.T) {
	rows := adultLines(t, 5000)
	inDirectory(t, map[string]string{
		"config.yaml": adultConfig,
		"train.csv":   strings.Join(rows[:4001], ""),
		"test.csv":    rows[0] + strings.Join(rows[4001:], ""),
	})
	object := replayed(t, "-c", "config.yaml", "-i", "train.csv", "--holdout", "test.csv")
	numbers := map[string][]any{
		"records": {"records"}, "rejected": {"rejected"}, "seconds": {"seconds"},
		"prequential accuracy": {"prequential", "accuracy"}, "prequential log loss": {"prequential", "log_loss"},
		"holdout records": {"holdout", "records"}, "holdout accuracy": {"holdout", "accuracy"}, "holdout log loss": {"holdout", "log_loss"},
		"constant accuracy": {"holdout", "constant_accuracy"}, "version": {"model", "version"}, "weights": {"model", "weights"},
	}
	got := map[string]float64{}
	for name, path := range numbers {
		number, ok := at(t, object, path...).(float64)
		if !ok {
			t.Errorf("%s is not a number", name)
		}
		got[name] = number
	}
	for name, want := range map[string]float64{"records": 4000, "rejected": 0, "holdout records": 1000, "version": 4000} {
		if got[name] != want {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{"prequential accuracy", "holdout accuracy"} {
		if !(got[name] > .78 && got[name] < .95) {
			t.Errorf("%s = %v", name, got[name])
		}
	}
	if !(got["seconds"] > 0) || !(got["weights"] > 50) || !(got["constant accuracy"] > .7) {
		t.Errorf("seconds %v, weights %v, constant accuracy %v", got["seconds"], got["weights"], got["constant accuracy"])
	}
	if len(hash(t, object)) != 64 {
		t.Errorf("weights_sha256 is %q", hash(t, object))
	}
	for _, part := range []string{"prequential", "holdout"} {
		rows := at(t, object, part, "constraints").([]any)
		if len(rows) != 3 { // equalized odds is two
			t.Fatalf("%s has %d rows", part, len(rows))
		}
		for i, want := range []string{
			`sex demographic-parity Male Female 0.05 true`,
			`race equal-opportunity White rest 0.1 false`,
			`race predictive-equality White rest 0.1 false`,
		} {
			row := rows[i].(map[string]any)
			if got := fmt.Sprint(row["name"], " ", row["criterion"], " ", row["group"], " ", row["versus"], " ", row["tau"], " ", row["enforced"]); got != want {
				t.Errorf("%s: row %d is %s, want %s", part, i, got, want)
			}
			checkRow(t, row)
		}
	}
}

// checkRow checks what must hold between the numbers of a row.
func checkRow(t *testing.T, row map[string]any) {
	t.Helper()
	for _, key := range []string{"value", "lo", "hi", "level", "n_group", "n_versus", "status"} {
		if _, found := row[key]; !found {
			t.Errorf("a row has no %s", key)
		}
	}
	if row["status"] == "not_estimable" {
		if row["value"] != nil {
			t.Errorf("not estimable and %v", row["value"])
		}
		return
	}
	value, lo, hi, tau := row["value"].(float64), row["lo"].(float64), row["hi"].(float64), row["tau"].(float64)
	want := "inconclusive"
	if lo >= -tau && hi <= tau {
		want = "met"
	} else if lo > tau || hi < -tau {
		want = "violated"
	}
	if !(lo <= value && value <= hi) || row["status"] != want {
		t.Errorf("%v in [%v, %v], tau %v: %v", value, lo, hi, tau, row["status"])
	}
}

func TestTheBundledRecordsAreSplit(t *testing.T) {
	learnsAll(t)
	object := replayed(t, "-i", "adult")
	if learnt, held := at(t, object, "records"), at(t, object, "holdout", "records"); learnt != float64(adult.Records-adult.HeldOut) || held != float64(adult.HeldOut) {
		t.Errorf("%v learnt, %v held out", learnt, held)
	}
	row := at(t, object, "holdout", "constraints", 0).(map[string]any)
	if row["name"] != "sex" || row["tau"] != .05 || row["enforced"] != true {
		t.Errorf("the constraint is %v", row)
	}
	if accuracy := at(t, object, "holdout", "accuracy").(float64); accuracy < .84 {
		t.Errorf("accuracy %v", accuracy)
	}
	free := at(t, object, "holdout", "unconstrained", "accuracy").(float64)
	if free < .86 {
		t.Errorf("without constraints %v", free)
	}
	if again := replayed(t, "-i", "adult"); hash(t, again) != hash(t, object) {
		t.Error("two runs differ")
	}
}

func TestCSVAndJSONGiveTheSameWeights(t *testing.T) {
	learnsAll(t)
	inDirectory(t, map[string]string{
		"config.yaml": adultConfig,
		"a.csv":       string(adultFile(t, record.CSV)),
		"a.jsonl":     string(adultFile(t, record.JSONLines)),
	})
	object := replayed(t, "-c", "config.yaml", "-i", "a.csv")
	if hash(t, replayed(t, "-c", "config.yaml", "-i", "a.jsonl")) != hash(t, object) {
		t.Error("the weights differ")
	}
	code, stdout, stderr := fairstreamWith(t, string(adultFile(t, record.CSV)), "replay", "--json", "-c", "config.yaml", "-i", "-", "--format", "csv")
	if code != done || hash(t, lines(t, stdout)[0]) != hash(t, object) {
		t.Errorf("standard input: exit code %d, or other weights\n%s", code, stderr)
	}
	if at(t, object, "records") != float64(adult.Records) {
		t.Errorf("%v records", at(t, object, "records"))
	}
}

// malformed are lines that cannot be records, with their reasons.
var malformed = map[string]string{
	`{"age": 1`:                       "malformed_json",
	`[1, 2]`:                          "not_an_object",
	`{"age": 39}`:                     "missing_label",
	`{"age": 39, "income": "?"}`:      "missing_label",
	`{"age": 39, "income": null}`:     "missing_label",
	`{"age": 39, "income": {"a": 1}}`: "label_not_scalar",
	`{"age": 1, "age": 2}`:            "duplicate_field",
	"{\"age\": \"\xff\"}":             "invalid_utf8",
	`{"income": "<=50K"} {}`:          "malformed_json",
	strings.Repeat(`{"a":`, 40) + "1": "too_deep",
	`nothing like a record`:           "malformed_json",
	`{"` + strings.Repeat("n", 600) + `": 1, "income": "<=50K"}`: "name_too_long",
}

func TestMalformedRecordsCostOnlyThemselves(t *testing.T) {
	learnsAll(t)
	good := strings.SplitAfter(strings.TrimSpace(string(adultFile(t, record.JSONLines))), "\n")[:5000]
	kinds := make([]string, 0, len(malformed))
	for line := range malformed {
		kinds = append(kinds, line)
	}
	slices.Sort(kinds)
	random := rand.New(rand.NewPCG(1, 2))
	mixed := slices.Clone(good)
	want := map[string]float64{}
	for i := range 1000 {
		line := kinds[i%len(kinds)]
		want[malformed[line]]++
		mixed = slices.Insert(mixed, random.IntN(len(mixed)+1), line+"\n")
	}
	inDirectory(t, map[string]string{
		"config.yaml": adultConfig, "good.jsonl": strings.Join(good, ""), "mixed.jsonl": strings.Join(mixed, ""),
	})
	clean := replayed(t, "-c", "config.yaml", "-i", "good.jsonl")
	code, stdout, stderr := fairstream(t, "replay", "--json", "-c", "config.yaml", "-i", "mixed.jsonl")
	if code != done {
		t.Fatal(stderr)
	}
	object := lines(t, stdout)[0]
	if hash(t, object) != hash(t, clean) {
		t.Error("malformed records change the weights")
	}
	if at(t, object, "records") != float64(len(good)) || at(t, object, "rejected") != 1000. {
		t.Errorf("%v learnt, %v rejected", at(t, object, "records"), at(t, object, "rejected"))
	}
	for reason, count := range want {
		if got := at(t, object, "reasons", reason); got != count {
			t.Errorf("%s: %v, want %v", reason, got, count)
		}
	}
	for i, line := range mixed {
		if reason, bad := malformed[strings.TrimSuffix(line, "\n")]; bad {
			if said := fmt.Sprintf("line %d: %s", i+1, reason); !strings.Contains(stderr, said) {
				t.Errorf("the first rejected record is not shown as %q:\n%s", said, stderr)
			}
			break
		}
	}
	if strings.Contains(stderr, "nothing like a record") {
		t.Error("values are shown")
	}
}

func TestSeveralTausAreLearntAsEachAlone(t *testing.T) {
	learnsAll(t)
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "train.csv": strings.Join(adultLines(t, 6000), "")})
	together := lines(t, succeed(t, "replay", "--json", "-c", "config.yaml", "-i", "train.csv", "--tau", ".20, .02,.1"))
	for i, tau := range []float64{.2, .02, .1} {
		alone := replayed(t, "-c", "config.yaml", "-i", "train.csv", "--tau", fmt.Sprint(tau))
		if hash(t, together[i]) != hash(t, alone) {
			t.Errorf("tau %v: other weights", tau)
		}
		if at(t, together[i], "tau") != tau || at(t, together[i], "prequential", "constraints", 0, "tau") != tau {
			t.Errorf("line %d is not of tau %v", i, tau)
		}
		if measured := at(t, together[i], "prequential", "constraints", 1, "tau"); measured != .1 {
			t.Errorf("the bound of what is only measured became %v", measured)
		}
	}
	if hash(t, together[0]) == hash(t, together[1]) {
		t.Error("tau changes nothing")
	}
}

// TestOneRecord: the report says that the mean loss of a single record has no interval, and the exit code tells that one label is not enough to learn.
func TestOneRecord(t *testing.T) {
	inDirectory(t, map[string]string{"config.yaml": learning, "one.csv": "age,sex,y\n30,F,1\n"})
	code, table, stderr := fairstream(t, "replay", "-c", "config.yaml", "-i", "one.csv")
	if code != failed || !strings.Contains(table, "[–]") || strings.Contains(table, "NaN") || !strings.Contains(stderr, "every label is the same") {
		t.Errorf("exit code %d, the table is\n%s\n%s", code, table, stderr)
	}
}

// TestNoMemoryIsTakenPerRecord: the file may be of any length.
func TestNoMemoryIsTakenPerRecord(t *testing.T) {
	learnsAll(t)
	text := bytes.Repeat(adultFile(t, record.JSONLines), 3)
	c := replay.BundledConfig().Model()
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	var before, after runtime.MemStats
	p := &input.Pass{
		Source: input.Source{Name: "memory", Open: func(as record.Config) (input.Rows, error) {
			return record.NewReader(bytes.NewReader(text), record.JSONLines, as.Limits)
		}},
		Schema: schema, Labelled: true,
		Each: func(*record.Record) {
			if records++; records == adult.Records {
				runtime.ReadMemStats(&before)
			}
		},
		Reject: func(rejection *record.Rejection) { t.Error(rejection) },
	}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if records != 3*adult.Records {
		t.Fatalf("%d records", records)
	}
	if allocations := after.Mallocs - before.Mallocs; allocations > 1000 {
		t.Errorf("%d allocations for %d records", allocations, 2*adult.Records)
	}
}

func TestSavedWeightsDecideAsTheyWereMeasured(t *testing.T) {
	filesAlone(t)
	rows := adultLines(t, 5000)
	test := rows[0] + strings.Join(rows[4001:], "") + "a,row,too,short\n"
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "train.csv": strings.Join(rows[:4001], ""), "test.csv": test})
	object := replayed(t, "-c", "config.yaml", "-i", "train.csv", "--holdout", "test.csv", "--save", "weights.json")
	saved, err := os.ReadFile("weights.json")
	if err != nil {
		t.Fatal(err)
	}
	document := lines(t, string(saved))[0]
	if document["weights_sha256"] != hash(t, object) || document["job"] != "adult" || at(t, document, "lineage", "input") != "train.csv" {
		t.Errorf("the document is of job %v, input %v", document["job"], at(t, document, "lineage", "input"))
	}
	code, stdout, stderr := fairstream(t, "score", "--model", "weights.json", "-i", "test.csv", "--json")
	if code != done || !strings.Contains(stderr, "Rejected 1 of 1,001 records of test.csv") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	scores := lines(t, stdout)
	if len(scores) != 1001 {
		t.Fatalf("%d lines", len(scores))
	}
	right := 0.
	for i, score := range scores[:1000] {
		positive := 0.
		if strings.HasSuffix(rows[4001+i], ">50K\n") && !strings.HasSuffix(rows[4001+i], "<=50K\n") {
			positive = 1
		}
		if score["decision"] == positive {
			right++
		}
		if (score["score"].(float64) > .5) != (score["decision"] == 1.) {
			t.Errorf("line %d: score %v, decision %v", i+1, score["score"], score["decision"])
		}
	}
	if accuracy := at(t, object, "holdout", "accuracy"); accuracy != right/1000 {
		t.Errorf("the scores' accuracy is %v, replay's %v", right/1000, accuracy)
	}
	if at(t, object, "holdout", "rejected") != 1. {
		t.Errorf("%v rejected in the holdout", at(t, object, "holdout", "rejected"))
	}
	if last := scores[1000]; last["score"] != nil || last["decision"] != nil || last["rejected"] != "wrong_field_count" || last["line"] != 1002. {
		t.Errorf("the rejected record is %v", last)
	}
}
