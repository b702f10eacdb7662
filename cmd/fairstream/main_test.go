package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/program"
)

// fairstream runs one command line.
func fairstream(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return fairstreamWith(t, "", args...)
}

func fairstreamWith(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// succeed runs a command line that must succeed and returns its standard output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := fairstream(t, args...)
	if code != done {
		t.Fatalf("fairstream %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// learnsAll leaves a test out of go test -short, which the race detector watches: it learns all records of a data set, in one goroutine.
func learnsAll(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("learns all records: left out by -short")
	}
}

// filesAlone leaves a test out of go test -short, which the race detector watches: it turns files into files, and the
// goroutines of these commands meet in tests that stay, too.
func filesAlone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("files alone: left out by -short")
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

const (
	people   = "age,sex,y\n30,F,1\n40,M,0\n50,F,0\n35,M,1\n"
	learning = `record: {label: {field: y, positive: 1}}
constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}]
`
)

func TestExitCodesAndMessages(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": learning,
		"typo.yaml":   "record: {label: {field: yy, positive: 1}, ignroe: [a]}\nlearner: {mode: fast}\n",
		"paper.yaml":  learning + "learner: {mode: paper}\n",
		"label.yaml":  strings.Replace(learning, "field: y,", "field: Y1,", 1),
		"regression.yaml": "record: {label: {field: age}}\nlearner: {task: regression}\n" +
			"constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 2}]\n",
		"none.yaml":  "record: {label: {field: target, positive: 1}}\n",
		"people.csv": people, "people.jsonl": `{"age":30,"sex":"F","y":1}` + "\n" + `{"age":31,"sex":"M","y":0}` + "\n",
		"header.csv": "age,sex,y\n", "empty.csv": "", "empty.jsonl": "", "twice.csv": "y,y\n1,2\n",
		"bad.jsonl":     "{\n[1]\n3\n",
		"nolabel.jsonl": `{"age":30,"sex":"F","person":{"yy":1}}` + "\n" + `{"age":31}` + "\n",
		"missing.jsonl": `{"age":30,"sex":"F","y":"?"}` + "\n",
		"records.txt":   people, "notgzip.csv.gz": people,
		"model.json": "{}", "broken.json": "{",
	})
	tests := []struct {
		args string
		code int
		says []string // on standard error, in this order
	}{
		{"replay -c config.yaml -i people.csv", done, nil},
		{"replay -c config.yaml -i people.jsonl --json", done, nil},
		{"", done, nil},
		{"--help", done, nil},
		{"replay --help", done, nil},
		{"--version", done, nil},

		{"replay", misuse, []string{`required flag(s) "input" not set`, "See fairstream replay --help."}},
		{"replya", misuse, []string{`unknown command "replya" for "fairstream" (did you mean "replay"?)`}},
		{"config chekc", misuse, []string{`unknown command "chekc" for "fairstream config" (did you mean "check"?)`}},
		{"replay -i people.csv -c config.yaml surplus", misuse, []string{"surplus is not a flag, and fairstream replay takes nothing else"}},
		{"replay -i people.csv --nosuch", misuse, []string{"unknown flag: --nosuch"}},
		{"replay -i people.csv", misuse, []string{"no configuration file was named: give --config FILE or set FAIRSTREAM_CONFIG", "the configuration has 2 problems:", "record.label.field: required", "record.label.positive: required"}},
		{"replay -i records.txt -c typo.yaml --tau 0", misuse, []string{"--tau 0: give numbers above 0", "records.txt: cannot tell the format",
			"the configuration has 2 problems:", "typo.yaml:1: record.ignroe: unknown key: did you mean ignore?", `typo.yaml:2: learner.mode: "fast" is unknown`}},
		{"replay -i people.csv -c nowhere.yaml", misuse, []string{"nowhere.yaml: cannot be read: no such file or directory"}},
		{"replay -i people.csv -c paper.yaml", misuse, []string{"constraints[0].threshold: required in mode paper"}},
		{"replay -i people.csv -c config.yaml --set learner.mode", misuse, []string{"--set learner.mode: write KEY=VALUE"}},
		{"replay -i people.csv -c config.yaml --mode slow", misuse, []string{`--mode: learner.mode: "slow" is unknown`}},
		{"replay -i people.csv -c config.yaml --tau .1,x", misuse, []string{"--tau x: give numbers above 0"}},
		{"replay -i people.csv -c config.yaml --tau=", misuse, []string{"--tau is empty: give numbers above 0"}},
		{"replay -i people.csv -c config.yaml --format xlsx", misuse, []string{`--format "xlsx" is unknown: use csv`}},
		{"replay -i people.csv -c config.yaml --tau 1", misuse, []string{"--tau 1: give numbers between 0 and 1"}},
		{"replay -i people.csv -c config.yaml --set learner.task=regression", misuse, []string{
			"the configuration has a problem:", "record.label.positive: is for classification: remove it"}},
		{"replay -i people.csv -c regression.yaml --tau 2,4", done, nil},
		{"replay -i people.csv -c regression.yaml --mode paper", misuse, []string{"learner.mode: paper is for classification"}},
		{"replay -i people.csv -c regression.yaml --set constraints[0].relaxation=sigmoid", misuse, []string{"constraints[0].relaxation: is for classification"}},
		{"replay -i people.csv -c regression.yaml --set constraints[0].criterion=equal-opportunity", misuse, []string{
			"constraints[0].criterion: equal-opportunity compares rates of decisions: use mean-difference"}},
		{"replay -i people.csv -c config.yaml --set constraints[0].criterion=mean-difference", misuse, []string{
			"constraints[0].criterion: mean-difference is for regression"}},
		{"replay -i people.csv -c config.yaml --tau .1,.2 --save w.json", misuse, []string{"--save keeps one document"}},
		{"replay -i people.csv --set record.label.field=y --set record.label.positive=1 --tau .1", misuse, []string{"--tau bounds constraints, and the configuration has none"}},
		{"replay -i - -c config.yaml", misuse, []string{`--format "": standard input needs csv`}},
		{"replay -i - --holdout - --format csv -c config.yaml", misuse, []string{"--input and --holdout are both standard input"}},
		{"score -i people.csv", misuse, []string{"--model is missing"}},
		{"config check -c typo.yaml", misuse, []string{"the configuration has 2 problems:"}},
		{"config print -c typo.yaml", misuse, []string{"the configuration has 2 problems:"}},

		{"replay -i none.csv -c config.yaml", failed, []string{"none.csv: no such file or directory"}},
		{"replay -i empty.csv -c config.yaml", failed, []string{"empty.csv: record: the file has no header line"}},
		{"replay -i twice.csv -c config.yaml", failed, []string{`columns 1 and 2 have the same name`}},
		{"replay -i header.csv -c config.yaml", failed, []string{"header.csv holds no records"}},
		{"replay -i empty.jsonl -c config.yaml", failed, []string{"empty.jsonl holds no records"}},
		{"replay -i notgzip.csv.gz -c config.yaml", failed, []string{"notgzip.csv.gz: record: not a gzip file"}},
		{"replay -i bad.jsonl -c config.yaml", failed, []string{"Rejected 3 of 3 records of bad.jsonl:", "line 1: malformed_json", "nothing was learnt: every record of bad.jsonl was rejected"}},
		{"replay -i people.csv -c label.yaml", failed, []string{`no record of people.csv has the label: record.label.field is "Y1"; the fields are age, sex, y`}},
		{"replay -i nolabel.jsonl -c config.yaml --set record.label.field=person.y", failed, []string{
			`no record of nolabel.jsonl has the label: record.label.field is "person.y" (did you mean "person.yy"?); the fields are age, sex, person.yy`}},
		{"replay -i people.csv -c none.yaml", failed, []string{
			`record.label.field is "target", and none of the 3 names in the first line is in the configuration: is that line a header?`}},
		{"replay -i people.jsonl -c none.yaml", failed, []string{
			`record.label.field is "target", and none of the 3 fields in the first record is in the configuration`}},
		{"replay -i missing.jsonl -c config.yaml", failed, []string{`the field "y" (record.label.field) holds only what record.missing lists`}},
		{"replay -i people.csv -c config.yaml --holdout nolabel.jsonl", failed, []string{`no record of nolabel.jsonl has the label`}},
		{"replay -i people.csv -c config.yaml --holdout none.jsonl", failed, []string{"none.jsonl: no such file or directory"}},
		{"replay -i people.csv -c config.yaml --holdout none.csv --save no/such/place.json", misuse, []string{
			"--save no/such/place.json: there is no directory no/such: make it, or name another file"}},
		{"replay -i people.csv -c config.yaml --save .", misuse, []string{"--save .: is a directory: name a file in it"}},
		{"replay -i records.txt -c config.yaml --format csv", done, nil},
		{"replay -i people.csv -c config.yaml --format jsonl", failed, []string{"Rejected 5 of 5 records of people.csv:", "malformed_json"}},
		{"score -i records.txt --model none.json", misuse, []string{"records.txt: cannot tell the format", "or give --format"}},
		{"score -i people.csv --model none.json", failed, []string{"none.json: no such file or directory"}},
		{"score -i people.csv --model model.json", failed, []string{"model.json: document: not a weight document"}},
		{"score -i people.csv --model broken.json", failed, []string{"broken.json: document: not a weight document"}},
	}
	for _, test := range tests {
		code, _, stderr := fairstream(t, strings.Fields(test.args)...)
		if code != test.code {
			t.Errorf("fairstream %s: exit code %d, want %d\n%s", test.args, code, test.code, stderr)
		}
		rest := stderr
		for _, words := range test.says {
			_, after, found := strings.Cut(rest, words)
			if !found {
				t.Errorf("fairstream %s: does not say %q at its place:\n%s", test.args, words, stderr)
			}
			rest = after
		}
		if test.code == done && len(test.says) == 0 && stderr != "" {
			t.Errorf("fairstream %s: says %s", test.args, stderr)
		}
	}
}

// A file without a header line has a person where others have names, and no message may show one.
func TestAMissingHeaderShowsNobody(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": learning, "people.csv": "39,State-gov,Ann Smith,1\n50,Private,Bob Miller,0\n",
		"twice.csv": "39,Ann Smith,Ann Smith\n50,Bob Miller,Bob Miller\n",
	})
	for _, args := range []string{
		"replay -i people.csv -c config.yaml", "replay -i people.csv -c config.yaml --holdout people.csv", "replay -i twice.csv -c config.yaml",
	} {
		code, stdout, stderr := fairstream(t, strings.Fields(args)...)
		if code != failed || !strings.Contains(stderr, "header") {
			t.Errorf("fairstream %s: exit code %d\n%s", args, code, stderr)
		}
		for _, value := range []string{"39", "State-gov", "Smith"} {
			if strings.Contains(stdout+stderr, value) {
				t.Errorf("fairstream %s: shows %s:\n%s", args, value, stderr)
			}
		}
	}
}

func TestVariablesReachTheCommand(t *testing.T) {
	inDirectory(t, map[string]string{"config.yaml": learning, "people.csv": people})
	t.Setenv("FAIRSTREAM_CONFIG", "config.yaml")
	t.Setenv("FAIRSTREAM_LEARNER_MODE", "nonsense")
	if code, _, stderr := fairstream(t, "replay", "-i", "people.csv"); code != misuse || !strings.Contains(stderr, "FAIRSTREAM_LEARNER_MODE: learner.mode:") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	succeed(t, "replay", "-i", "people.csv", "--mode", "unconstrained")
}

func TestAnInterruptedReplayFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, err bytes.Buffer
	if code := run(ctx, []string{"replay", "--input", "adult"}, nil, &out, &err); code != failed || !strings.Contains(err.String(), "interrupted after 0 rows") {
		t.Errorf("exit code %d\n%s", code, err.String())
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	commands := newRoot(&program.Streams{}).Commands()
	for len(commands) > 0 {
		c := commands[0]
		commands = append(commands[1:], c.Commands()...)
		if c.Hidden { // another program calls it
			continue
		}
		if c.Short == "" || c.Long == "" && c.Example == "" && !strings.Contains(c.Short, ",") {
			t.Errorf("%s is not explained", c.CommandPath())
		}
		if c.Runnable() && !c.HasSubCommands() && c.Example == "" && c.Name() != "keys" && !c.Hidden {
			t.Errorf("%s has no example", c.CommandPath())
		}
	}
}

func TestCompletion(t *testing.T) {
	if script := succeed(t, "completion", "bash"); !strings.Contains(script, "fairstream") {
		t.Error("there is no completion for bash")
	}
	if modes := succeed(t, "__complete", "replay", "--mode", ""); !strings.Contains(modes, "adaptive\npaper\nunconstrained\n") {
		t.Errorf("--mode completes to\n%s", modes)
	}
}
