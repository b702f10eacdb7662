package replay

import (
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
)

// TestWarnings: what is not wrong but probably not meant is told before the results, each with the place to look at.
func TestWarnings(t *testing.T) {
	const people = "age,sex,origin,y\n30,F,?,1\n40,M,,0\n50,F,?,0\n35,M,?,1\n"
	for name, c := range map[string]struct{ records, yaml, want string }{
		"names": {people, `
record: {label: {field: y, positive: yes}, ignore: [agee, origin], features: ["*"]}
constraints: [{attribute: gender, group: M, versus: F, tau: 0.05}]
learner: {columns: {age: {type: numeric}, Age: {type: numeric}}, crosses: [[age, sexx]]}
`, `Warning: no record is positive: is record.label.positive written as in people.csv? In the first records the values of "y" are 0 (2), 1 (2).
Warning: record.ignore: people.csv has no field "agee" (did you mean "age"?)
Warning: constraints[0].attribute: people.csv has no field "gender"
Warning: learner.crosses[0]: people.csv has no field "sexx" (did you mean "sex"?)
Warning: learner.columns: people.csv has no field "Age" (did you mean "age"?)
--- error
what was learnt from people.csv is useless: every label is the same, see the warning
`},
		"groups of nobody": {people, `
record: {label: {field: y, positive: 1}}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: F, tau: 0.05}
  - {name: rest, attribute: sex, group: M, versus: rest, tau: 0.05}
  - {name: origin, attribute: origin, group: a, versus: b, tau: 0.05}
  - {name: chances, attribute: sex, group: M, versus: Female, tau: 0.05, criterion: equal-opportunity}
`, `Warning: constraints[0].group: none of the 4 records that demographic-parity looks at is Male: is it written as in people.csv? In the first records the values of "sex" are F (2), M (2).
Warning: constraints[2].attribute: missing in all records that demographic-parity looks at, 4
Warning: constraints[3].versus: none of the 2 records that equal-opportunity looks at is Female: is it written as in people.csv? In the first records the values of "sex" are F (2), M (2).
`},
		"a group and its opposite": {people, `
record: {label: {field: y, positive: 1}}
constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}]
`, ""},
		"every record positive": {"age,sex,y\n30,F,1\n40,M,1\n", `
record: {label: {field: y, positive: 1}}
`, `Warning: every record is positive: is record.label.positive written as in people.csv? In the first records the values of "y" are 1 (2).
--- error
what was learnt from people.csv is useless: every label is the same, see the warning
`},
		"one number": {"age,sex,y\n30,F,7\n40,M,7\n", `
record: {label: {field: y}}
learner: {task: regression}
`, `Warning: every label is the same number: is record.label.field the one to predict?
--- error
what was learnt from people.csv is useless: every label is the same, see the warning
`},
		"two numbers": {"age,sex,y\n30,F,7\n40,M,8\n", "record: {label: {field: y}}\nlearner: {task: regression}\n", ""},
		"no records":  {"age,sex,y\n", "record: {label: {field: y, positive: 1}}\n", "--- error\npeople.csv holds no records\n"},
		"no labels": {"age,sex,y\n30,F,?\n", "record: {label: {field: y, positive: 1}}\n", `Rejected 1 of 1 record of people.csv:
          1  missing_label
The first of them:
  line 2: missing_label in field "y": absent, null or a text that counts as missing
--- error
no record of people.csv has the label: the field "y" (record.label.field) holds only what record.missing lists
`},
		"nothing good": {"age,sex,y\n30,F\n", "record: {label: {field: y, positive: 1}}\n", `Rejected 1 of 1 record of people.csv:
          1  wrong_field_count
The first of them:
  line 2: wrong_field_count: 2 cells under a header of 3
--- error
nothing was learnt: every record of people.csv was rejected
`},
	} {
		inDirectory(t, map[string]string{"people.csv": c.records})
		got := replayed(t, Settings{Inputs: []string{"people.csv"}}, nil, c.yaml, nil, nil, nil)
		_, notes, found := strings.Cut(got, "--- notes\n")
		if !found {
			if i := strings.Index(got, "--- error\n"); i >= 0 {
				notes = got[i:]
			}
		}
		if notes != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, notes, c.want)
		}
	}
}

// TestRefused: what does not go together is refused before anything is read.
func TestRefused(t *testing.T) {
	type flags = map[string]bool
	inDirectory(t, map[string]string{"a.csv": madeRecords(30), "weights.json": `{"format": "other"}`, "page.html": "<!DOCTYPE html><p>mine</p>", "0.7": "a file\n"})
	a := []string{"a.csv"}
	for _, c := range []struct {
		asked       Settings
		given       flags
		yaml        string
		taus        []string
		relaxations []string
		set         []string
		want        string // empty: it is not refused
	}{
		{asked: Settings{Inputs: a}, given: flags{"tau": true}, want: "arguments: --tau is empty"},
		{asked: Settings{Inputs: a}, taus: []string{"0"}, want: "arguments: --tau 0: give numbers above 0"},
		{asked: Settings{Inputs: a}, taus: []string{"+Inf"}, want: "arguments: --tau +Inf: give numbers above 0"},
		{asked: Settings{Inputs: a}, taus: []string{"few"}, want: "arguments: --tau few: give numbers above 0"},
		{asked: Settings{Inputs: a}, taus: []string{" 0.2 "}},
		{asked: Settings{Inputs: a}, taus: []string{"0.5", "1"}, want: "configuration: --tau 1: give numbers between 0 and 1"},
		{asked: Settings{Inputs: a}, yaml: ofAmounts, taus: []string{"0.5", "1"}},
		{asked: Settings{Inputs: a, Save: "w.json"}, taus: []string{"0.1", "0.2"}, want: "arguments: --save keeps one document: give one --tau"},
		{asked: Settings{Inputs: a, Save: "w.json"}, taus: []string{"0.1"}},
		{asked: Settings{Inputs: a}, relaxations: []string{"sigmoid", "sigmoid"}, want: "arguments: --relaxation sigmoid is given twice"},
		{asked: Settings{Inputs: a}, relaxations: []string{"aproximation-1"}, want: "arguments: --relaxation: unknown relaxation"},
		{asked: Settings{Inputs: a}, relaxations: []string{"sigmoid"}, taus: []string{"0.1", "0.2"}, want: "arguments: --relaxation compares relaxations at one bound"},
		{asked: Settings{Inputs: a, Save: "w.json"}, relaxations: []string{"sigmoid", "mean-margin"}, want: "arguments: --save keeps one document: give one --relaxation"},
		{asked: Settings{Inputs: a, Save: "w.json"}, relaxations: []string{"sigmoid"}, taus: []string{"0.1"}},
		{asked: Settings{Inputs: a}, relaxations: []string{"sigmoid"}, set: []string{"constraints[0].enforce=false"}, want: "configuration: --relaxation changes enforced constraints, and the configuration has none"},
		{asked: Settings{Inputs: a}, yaml: "record: {label: {field: paid, positive: 1}}\n", taus: []string{"0.1"}, want: "configuration: --tau bounds constraints, and the configuration has none"},
		{asked: Settings{Inputs: a}, yaml: strings.Replace(twoConstraints, "criterion: equal-opportunity, tau: 0.2, enforce: false", "criterion: impact-ratio, tau: 0.8", 1), taus: []string{"0.5"},
			want: "configuration: --tau is a largest difference for sex and a least ratio for part"},
		{asked: Settings{Inputs: a, Folds: 1}, given: flags{"folds": true}, want: "arguments: --folds 1: give a number from 2 to 100"},
		{asked: Settings{Inputs: a, Folds: 101}, given: flags{"folds": true}, want: "arguments: --folds 101: give a number from 2 to 100"},
		{asked: Settings{Inputs: a, Folds: 50}, given: flags{"folds": true}, taus: []string{"0.1", "0.2", "0.3"}, want: "arguments: --folds 50 with 3 values of --tau or --relaxation: they make 150 learners, 100 are the most"},
		{asked: Settings{Inputs: a, Folds: 60}, given: flags{"folds": true}, relaxations: []string{"sigmoid", "mean-margin"}, want: "they make 120 learners"},
		{asked: Settings{Inputs: a, Folds: 31}, given: flags{"folds": true}, want: "error\n--folds 31: a.csv has 30 records, fewer than one for each holdout"},
		{asked: Settings{Inputs: a, Folds: 30}, given: flags{"folds": true}},
		{asked: Settings{Inputs: a, Folds: 5, Holdout: "a.csv"}, given: flags{"folds": true}, want: "arguments: --folds and --holdout are two ways"},
		{asked: Settings{Inputs: []string{os.DevNull}, Format: "csv", Folds: 5}, given: flags{"folds": true}, want: "arguments: --folds reads its input twice: " + os.DevNull + " is not a regular file"},
		{asked: Settings{Inputs: []string{"-"}, Format: "csv", Folds: 5}, given: flags{"folds": true}, want: "arguments: --folds reads its input twice, and standard input can be read once"},
		{asked: Settings{Inputs: []string{"-"}, Format: "csv", Holdout: "0.5"}, want: "arguments: --holdout with a share reads its input twice, and standard input can be read once"},
		{asked: Settings{Inputs: []string{"-"}, Format: "csv", Holdout: "-"}, want: "arguments: --input and --holdout are both standard input"},
		{asked: Settings{Inputs: []string{"a.csv", "a.csv"}}, want: "arguments: --input a.csv is given twice"},
		{asked: Settings{Inputs: []string{input.Bundled, "a.csv"}}, want: "arguments: --input adult: the bundled records are an input of their own"},
		{asked: Settings{Inputs: a, Holdout: input.Bundled}, want: "arguments: --holdout adult: the bundled records are for --input"},
		{asked: Settings{Inputs: a, Holdout: "1"}, want: "arguments: --holdout 1: give a share of the input between 0 and 1"},
		{asked: Settings{Inputs: a, Holdout: "20%"}, want: "arguments: --holdout 20%: give a share of the input between 0 and 1"},
		{asked: Settings{Inputs: a, Holdout: "0"}, want: "arguments: --holdout 0: give a share of the input between 0 and 1"},
		{asked: Settings{Inputs: a, Holdout: "0.7", Format: "csv"}}, // there is a file of this name
		{asked: Settings{Inputs: a, Holdout: "a.csv"}},
		{asked: Settings{Inputs: a, Orders: orders{Number: 1}, Folds: 2}, given: flags{"folds": true, "orders": true}, want: "arguments: --orders 1: give a number from 2 to 100"},
		{asked: Settings{Inputs: a, Orders: orders{Number: 101}, Folds: 2}, given: flags{"folds": true, "orders": true}, want: "arguments: --orders 101: give a number from 2 to 100"},
		{asked: Settings{Inputs: a, Orders: orders{Number: 2}}, given: flags{"orders": true}, want: "arguments: --orders is for --folds"},
		{asked: Settings{Inputs: a, Orders: orders{Number: 2}, Folds: 2}, given: flags{"folds": true, "orders": true}},
		{asked: Settings{Inputs: a, Page: "p.html"}, want: "configuration: --report needs records that were not learnt from"},
		{asked: Settings{Inputs: a, Page: "page.html", Folds: 2}, given: flags{"folds": true}, want: "configuration: --report page.html"},
		{asked: Settings{Inputs: a, Save: "weights.json"}, want: "configuration: --save weights.json"},
		{asked: Settings{Inputs: a, Save: "none/w.json"}, want: "there is no directory none"},
		{asked: Settings{Inputs: a, Save: "p.html", Page: "p.html", Folds: 2}, given: flags{"folds": true}, want: "configuration: --save p.html"},
	} {
		yaml := c.yaml
		if yaml == "" {
			yaml = oneConstraint
		}
		_ = os.Remove("w.json")
		_ = os.Remove("p.html")
		got := replayed(t, c.asked, c.given, yaml, c.taus, c.relaxations, c.set)
		refused := strings.HasPrefix(got, "arguments: ") || strings.HasPrefix(got, "configuration: ") || strings.Contains(got, "error\n--")
		if refused != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%v %v %v folds %d orders %v holdout %q: got %.300s\nwant %s", c.asked.Inputs, c.taus, c.relaxations, c.asked.Folds, c.asked.Orders, c.asked.Holdout, got, c.want)
		}
	}
}

// TestAPageWithAGroupOfNobody: records held out may lack one of two groups. The page says what is known of the other.
func TestAPageWithAGroupOfNobody(t *testing.T) {
	test := madeRecords(300)
	for _, lacks := range []string{"M", "F"} {
		other := map[string]string{"M": "F", "F": "M"}[lacks]
		inDirectory(t, map[string]string{"train.csv": madeRecords(600), "test.csv": strings.ReplaceAll(test, ","+lacks+",", ","+other+",")})
		got := replayed(t, Settings{Inputs: []string{"train.csv"}, Holdout: "test.csv", Page: "p.html"}, nil, oneConstraint, nil, nil, nil)
		_, page, _ := strings.Cut(got, "--- page\n")
		sides := map[string]string{"M": "297\n0\n", "F": "0\n297\n"}[other]
		if !strings.Contains(page, "Decisions and rates\nM\nF\nrecords\n"+sides) || strings.Contains(page, "NaN") {
			t.Errorf("no records of %s: got\n%s", lacks, got)
		}
	}
}
