package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/draft"
	"github.com/fairstream/fairstream/internal/app/english"
)

// loanRecords are records as they come: nested, with identifiers, times, free text, booleans, numbers as text
// and a text among numbers.
func loanRecords(n int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 7))
	words := strings.Fields("car house new old repair the for my garden school debt kitchen wedding travel")
	var text strings.Builder
	for i := range n {
		sex, shift := "male", .5
		if random.IntN(2) == 0 {
			sex, shift = "female", -.5
		}
		age, income, employed := 18+random.IntN(60), math.Round(2e4*math.Exp(.5*random.NormFloat64())), random.IntN(2) == 0
		margin := .04*float64(age-45) + math.Log(income/2e4) + shift
		if employed {
			margin += .6
		}
		ageText, incomeText := fmt.Sprint(age), fmt.Sprint(income)
		if i%2 == 0 {
			ageText = fmt.Sprintf("%q", ageText)
		}
		if i%40 == 0 {
			incomeText = `"n.a."`
		}
		purpose := ""
		for range 7 {
			purpose += words[random.IntN(len(words))] + " "
		}
		fmt.Fprintf(&text, `{"request_id":"%08x-0000-4000-8000-%012x","customer":{"number":%d,"ip":"10.0.%d.%d"},"created_at":"2026-%02d-%02dT10:00:00Z",`+
			`"applicant":{"sex":%q,"age":%s,"income":%s,"employed":%v,"phones":["+4930%d"]},"product":%q,"purpose":%q,"cosigner":null,"repaid":%v}`+"\n",
			random.Uint32(), random.Uint32(), 10000000+random.IntN(90000000), random.IntN(256), random.IntN(256), 1+random.IntN(12), 1+random.IntN(28),
			sex, ageText, incomeText, employed, 100000+random.IntN(900000), []string{"loan", "card", "home"}[random.IntN(3)], purpose,
			random.Float64() < 1/(1+math.Exp(-margin)))
	}
	return text.String()
}

const loansByHand = `record:
  label: {field: repaid, positive: "true"}
  features: [applicant.age, applicant.income, applicant.employed, product]
  missing: ["n.a."]
constraints: [{name: sex, attribute: applicant.sex, group: male, versus: female, tau: 0.05}]
`

// TestInitWritesWhatRuns: of a sample nobody has described, the configuration is accepted, and the model is as
// good as with one written by hand.
func TestInitWritesWhatRuns(t *testing.T) {
	filesAlone(t)
	inDirectory(t, map[string]string{"train.jsonl": loanRecords(8000, 1), "test.jsonl": loanRecords(4000, 2), "hand.yaml": loansByHand})
	written := succeed(t, "init", "--input", "train.jsonl")
	for _, want := range []string{"job: train\n", `label: {field: repaid, positive: "true"}`, "attribute: applicant.sex", "  id: request_id\n", "- customer.number  #",
		"- customer.ip  #", "- created_at  # time", "- purpose  # free text", "- applicant.phones  #", `"n.a."]`, "input: train", "dead_letter: train.dlq"} {
		if !strings.Contains(written, want) {
			t.Errorf("there is no %q in\n%s", want, written)
		}
	}
	if err := os.WriteFile("init.yaml", []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := succeed(t, "config", "check", "--config", "init.yaml"); !strings.Contains(said, "every command") {
		t.Error(said)
	}
	accuracy := func(config string) float64 {
		object := replayed(t, "--config", config, "--input", "train.jsonl", "--holdout", "test.jsonl")
		return at(t, object, "holdout", "accuracy").(float64)
	}
	// Accuracies on the same 4,000 records; 0.005 is the bar.
	if ours, its := accuracy("init.yaml"), accuracy("hand.yaml"); ours < its-.005 {
		t.Errorf("accuracy %.4f, by hand %.4f", ours, its)
	}
}

func TestInitOfOtherSamples(t *testing.T) {
	filesAlone(t)
	var numbers strings.Builder
	numbers.WriteString("sex,age,target\n")
	for i := range 300 {
		fmt.Fprintf(&numbers, "%s,%d,%d\n", []string{"M", "F"}[i%2], 20+i%50, 1000+i*i%7919)
	}
	inDirectory(t, map[string]string{
		"numbers.csv": numbers.String(), "people.csv": people,
		"none.jsonl": strings.Repeat(`{"a":1}`+"\n", 30), "empty.jsonl": "", "bad.jsonl": "[1]\n",
		"odd.csv": "a: b,\"c\"\"d\",yes\n" + strings.Repeat("x,1,#1\ny,2,null: \n", 40),
	})
	for _, test := range []struct {
		args string
		code int
		says []string // on standard output, or on standard error if the code is not done
	}{
		{"-i numbers.csv", done, []string{"label: {field: target}", "task: regression", "attribute: sex", "tau: 2"}},
		{"-i people.csv", done, []string{`{field: "y", positive: "1"}`, "attribute: sex"}},
		{"-i people.csv --label sex --positive F", done, []string{`{field: sex, positive: "F"}`}},
		{"-i none.jsonl", done, []string{"CHOOSE the field to predict", "CHOOSE a protected attribute"}},
		{"-i odd.csv", done, []string{`#   c"d`, `"yes"`}},
		{"-i adult", done, []string{`{field: income, positive: ">50K"}`, "attribute: sex", "versus: Female"}},
		{"", misuse, []string{"give a sample: --input FILE, or --topic TOPIC"}},
		{"-i people.csv --label z", failed, []string{"--label z: the sample has no such field", "age, sex, y"}},
		{"-i people.csv --positive 2", failed, []string{"--positive 2: the values of y in the sample are 0 2, 1 2"}},
		{"-i people.csv --attribute y", failed, []string{"--attribute y: is the label"}},
		{"-i empty.jsonl", failed, []string{"holds no records"}},
		{"-i bad.jsonl", failed, []string{"not_an_object", "none of 1 record can be read"}},
		{"-i people.xml", misuse, []string{"cannot tell the format"}},
	} {
		code, stdout, stderr := fairstream(t, append([]string{"init"}, strings.Fields(test.args)...)...)
		said := stdout
		if code != done {
			said = stderr
		}
		if code != test.code {
			t.Errorf("init %s: exit code %d, want %d\n%s%s", test.args, code, test.code, stdout, stderr)
		}
		for _, want := range test.says {
			if !strings.Contains(said, want) {
				t.Errorf("init %s: no %q in\n%s", test.args, want, said)
			}
		}
		if code == done && !strings.Contains(stdout, "CHOOSE the field") {
			if err := os.WriteFile("it.yaml", []byte(stdout), 0o600); err != nil {
				t.Fatal(err)
			}
			succeed(t, "config", "check", "--config", "it.yaml")
		}
	}
}

func TestInitFromATopic(t *testing.T) {
	onBrokers(t, func(t *testing.T, addresses []string) {
		input := filepath.Join(t.TempDir(), "loans.jsonl")
		if err := os.WriteFile(input, []byte(loanRecords(500, 1)+"[1]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		config := workflow(t, addresses)
		succeed(t, "topics", "create", "--config", config, "--partitions", "3")
		succeed(t, "produce", "--config", config, "--input", input)
		topic := strings.NewReplacer("/", ".", "#", ".").Replace(t.Name())
		code, stdout, stderr := fairstream(t, "init", "--topic", topic, "--brokers", addresses[0])
		if code != done || !strings.Contains(stderr, "Rejected 1 of 501 records") {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		for _, want := range []string{"attribute: applicant.sex", addresses[0], "input: " + topic, "all 500 records of topic"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("there is no %q in\n%s", want, stdout)
			}
		}
		if code, _, stderr := fairstream(t, "init", "--topic", "nowhere", "--brokers", addresses[0]); code != failed || !strings.Contains(stderr, "does not exist") {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
	})
}

// TestScalars: names and values of any kind stay what they are in YAML, and end no comment.
func TestScalars(t *testing.T) {
	for _, text := range []string{"a", "a.b", "yes", "No", "1", "a: b", "#x", "a\nb", `q"\`, "", " x", "größe", "\u2028", "~", "-", "null"} {
		inDirectory(t, map[string]string{"c.yaml": fmt.Sprintf("record: {label: {field: y, positive: %s}} # %s\n", draft.Scalar(text), english.OneLine(text))})
		if text == "" || text == "null" {
			continue // count as missing
		}
		printed := succeed(t, "config", "check", "-c", "c.yaml")
		if !strings.Contains(printed, "No problem") {
			t.Errorf("%q: %s", text, printed)
		}
	}
	if !slices.Equal(strings.Fields(english.OneLine("a\nb\u2028c")), []string{"a", "b", "c"}) {
		t.Error("a comment may end early")
	}
}

// TestInitOfCopies: copies of records hide identifiers and let amounts seem to tell the label. init and check tell of the copies,
// and of amounts and arrays that a learner cannot read as a person does.
func TestInitOfCopies(t *testing.T) {
	filesAlone(t)
	var text strings.Builder
	for i := range 6000 {
		k := i * 7919 % 300
		fmt.Fprintf(&text, `{"id":"C-%05x","sex":"%s","amount":%d.5,"price":"%d,%03d.50","tags":["%c","%c"],"repaid":%v}`+"\n",
			k*7919, []string{"male", "female"}[k/2%2], k*k, 1+k/9, k, 'a'+k%5, 'a'+k%7, k*k%11 < 5)
	}
	inDirectory(t, map[string]string{"loans.jsonl": text.String()})
	draft := succeed(t, "init", "-i", "loans.jsonl", "--label", "repaid", "--attribute", "sex")
	contains(t, draft, "# CHECK: 5,700 records of the sample are copies of an earlier one in every field.", "  id: id\n",
		`- price  # formatted number: numbers with separators or signs are texts; write 1234.5 instead of "1,234.5", then remove this line`)
	draft = strings.ReplaceAll(draft, "    - price", "    # - price")
	if err := os.WriteFile("loans.yaml", []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(succeed(t, "check", "-c", "loans.yaml", "-i", "loans.jsonl")), " ")
	contains(t, said, "record: 5700 of 6000 records with a label are copies", `"price" holds numbers with separators`, `"tags" is an array`)
	if strings.Contains(said, "predicts") {
		t.Errorf("a column is said to tell the label:\n%s", said)
	}
	_, _, said = fairstream(t, "replay", "-c", "loans.yaml", "-i", "loans.jsonl")
	contains(t, strings.Join(strings.Fields(said), " "), "are copies of an earlier one", `"price" holds numbers with separators`, `"tags" is an array`)
}
