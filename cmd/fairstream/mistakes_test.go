package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
)

// TestMistakes provokes what people get wrong in their first hour. None may be silent, and each message names the
// place and the cure: says are the words for both. Mistakes that need a topic are in TestMistakesOnATopic.
func TestMistakes(t *testing.T) {
	filesAlone(t)
	loans := loanRecords(600, 1)
	latin := "name,sex,y\n" + strings.Repeat("M\xfcller,F,1\nBauer,M,0\n", 50)
	inDirectory(t, map[string]string{
		"good.yaml": loansByHand, "people.yaml": learning, "loans.jsonl": loans, "people.csv": people,
		"tab.yaml":     "record:\n\tlabel: {field: y, positive: 1}\n",
		"keys.yaml":    "record: {lable: {field: y, positive: 1}}\nconstraint:\n  - {name: a, attribut: sex, group: M, versus: F, tau: 5%}\n",
		"seven.yaml":   "job: my loans!\nrecord: {label: {field: y, positive: 1}}\nconstraints:\n  - {name: a, attribute: sex, group: M, versus: F, tau: 0.1, criterion: equal_opportunity}\n  - {name: a, attribute: sex, group: M, tau: 5}\n",
		"broker.yaml":  learning + "kafka: {brokers: 127.0.0.1}\ntopics: {input: a}\n",
		"label.yaml":   strings.Replace(learning, "attribute: sex", "attribute: y", 1),
		"topics.yaml":  learning + "kafka: {brokers: [\"127.0.0.1:1\"]}\ntopics: {input: loans, model: loans}\n",
		"yes.yaml":     strings.Replace(loansByHand, `"true"`, `"yes"`, 1),
		"nolabel.yaml": strings.Replace(loansByHand, "field: repaid", "field: repayd", 1),
		"gender.yaml":  strings.Replace(loansByHand, "applicant.sex", "applicant.gender", 1),
		"male.yaml":    strings.Replace(loansByHand, "group: male", "group: Male", 1),
		"x.parquet":    "PAR1", "x.json": "[]", "array.jsonl": "[{\"a\":1},\n{\"a\":2}]\n", "semi.csv": "a;sex;y\n1;M;0\n",
		"latin.csv": latin, "bom.csv": "\xef\xbb\xbf" + people, "empty.csv": "", "nolabel.csv": "a,b\n1,2\n", "twice.csv": "a,a,y\n1,2,1\n", "index.csv": ",a,y\n0,1,1\n",
		"py.py": "", "truncated.json": "{", "tampered.json": "{}", "text.json": "hello",
		"renamed.jsonl": strings.ReplaceAll(loans, `"applicant"`, `"person"`),
	})
	succeed(t, "replay", "-c", "good.yaml", "-i", "loans.jsonl", "--save", "w.json")
	tests := []struct {
		what, args string
		code       int
		says       []string // on standard error
	}{
		{"1 no configuration", "run", misuse, []string{"no configuration file was named: give --config FILE", "record.label.field: required"}},
		{"2 no such file", "run -c nope.yaml", misuse, []string{"nope.yaml: cannot be read: no such file or directory"}},
		{"3 a tab in YAML", "config check -c tab.yaml", misuse, []string{"tab.yaml: is not YAML: line 2", "indented with a tab; use spaces"}},
		{"4 misspelt keys, one below the other", "config check -c keys.yaml", misuse, []string{"4 problems", "keys.yaml:1: record.lable: unknown key: did you mean label?",
			"constraint: unknown key: did you mean constraints?", "constraints[0].attribut: unknown key: did you mean attribute?", `constraints[0].tau: "5%" is not a number`}},
		{"5 many at once", "config check -c seven.yaml", misuse, []string{"job: ", "constraints[1].tau", "use the largest allowed difference", "constraints[1].name"}},
		{"6 one broker as text", "config check -c broker.yaml", misuse, []string{"kafka.brokers: is a single value", `write ["127.0.0.1"]`}},
		{"7 criterion with an underscore", "config check -c seven.yaml", misuse, []string{"constraints[0].criterion", "equal-opportunity"}},
		{"8 no versus", "config check -c seven.yaml", misuse, []string{"constraints[1].versus: required: give a value of the attribute, or rest"}},
		{"a file for a command that reads a topic", "run -i people.csv", misuse, []string{"fairstream run has no --input: it is a flag of", "topics.input", "fairstream produce --input FILE"}},
		{"an address for a command that has it from the configuration", "run --brokers a:9092", misuse, []string{"fairstream run has no --brokers: it is a flag of init", "--set 'kafka.brokers="}},
		{"12 a misspelt flag", "replay --inptu people.csv", misuse, []string{"unknown flag: --inptu (did you mean --input?)"}},
		{"13 a misspelt key of --set", "replay -i people.csv -c people.yaml --set learner.confidense=.9", misuse, []string{"learner.confidense: unknown key: did you mean confidence?"}},
		{"14 --set without a value", "replay -i people.csv -c people.yaml --set learner.confidence", misuse, []string{"write KEY=VALUE"}},
		{"15 --set with an index", "replay -i people.csv -c people.yaml --set constraints.0.tau=.1", misuse, []string{"constraints[0]"}},
		{"16 tau in per cent", "replay -i people.csv -c people.yaml --tau 5%", misuse, []string{"--tau 5%: give numbers above 0, such as"}},
		{"17 a file of another kind", "replay -i py.py -c people.yaml", misuse, []string{"cannot tell the format: name it .csv, .jsonl", "or give --format"}},
		{"18 half of a Parquet file", "replay -i x.parquet -c people.yaml", failed, []string{"x.parquet", "is not a Parquet file"}},
		{"19 JSON", "replay -i x.json -c people.yaml", misuse, []string{"x.json", "jq -c '.[]'"}},
		{"20 an array in lines", "replay -i array.jsonl -c people.yaml", failed, []string{"array.jsonl", "jq -c '.[]'"}},
		{"21 semicolons", "replay -i semi.csv -c people.yaml", failed, []string{"semi.csv", "separated by semicolons", `record.csv.separator: ";"`}},
		{"22 Latin-1", "replay -i latin.csv -c people.yaml", failed, []string{"Rejected 50 of 100", "invalid_utf8", "iconv -f latin1 -t utf8"}},
		{"24 an empty file", "replay -i empty.csv -c people.yaml", failed, []string{"empty.csv", "the file has no header line"}},
		{"24 no label column", "replay -i nolabel.csv -c people.yaml", failed, []string{`record.label.field is "y"`}},
		{"24 a column twice", "replay -i twice.csv -c people.yaml", failed, []string{"columns 1 and 2 have the same name: rename one"}},
		{"25 an index column", "replay -i index.csv -c people.yaml", failed, []string{"column 1 has no name", "index=False"}},
		{"26 label field misspelt", "replay -i loans.jsonl -c nolabel.yaml", failed, []string{`record.label.field is "repayd" (did you mean "repaid"?)`}},
		{"28 positive value misspelt", "replay -i loans.jsonl -c yes.yaml", failed, []string{"no record is positive", "every label is the same", `values of "repaid" are true (`}},
		{"30 attribute misspelt", "replay -i loans.jsonl -c gender.yaml", done, []string{`constraints[0].attribute`, `no field "applicant.gender" (did you mean`}},
		{"32 group misspelt", "replay -i loans.jsonl -c male.yaml", done, []string{"constraints[0].group: none of the 600 records", `values of "applicant.sex" are`, "male ("}},
		{"34 label and attribute the same", "replay -i people.csv -c label.yaml", misuse, []string{"is the attribute of a constraint: name another field"}},
		{"35 one topic twice", "config check -c topics.yaml", misuse, []string{`"loans" is topics.input too: each needs a topic of its own`}},
		{"41 a truncated model", "score --model truncated.json -i people.csv", failed, []string{"truncated.json", "JSON"}},
		{"41 another file as model", "score --model tampered.json -i people.csv", failed, []string{"tampered.json", "weight document"}},
		{"41 a text as model", "score --model text.json -i people.csv", failed, []string{"text.json"}},
		{"43 a model that is not there", "models explain --model nowhere.json", failed, []string{"nowhere.json: no such file"}},
		{"43 another file as model", "models show --model tampered.json", failed, []string{"tampered.json", "weight document"}},
		{"42 columns renamed", "score --model w.json -i renamed.jsonl", done, []string{"lacks 3 of the 4 columns of the model", "applicant.age", `is its "person.age" the model's "applicant.age"?`}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			code, _, stderr := fairstream(t, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, stderr)
			}
			for _, want := range test.says {
				if !strings.Contains(stderr, want) {
					t.Errorf("does not say %q:\n%s", want, stderr)
				}
			}
		})
	}
	t.Run("23 a byte order mark", func(t *testing.T) {
		if object := replayed(t, "-c", "people.yaml", "-i", "bom.csv"); object["records"] != 4.0 {
			t.Errorf("%v", object)
		}
	})
	t.Run("36 a misspelt variable", func(t *testing.T) {
		t.Setenv("FAIRSTREAM_LERNER_MODE", "paper")
		if code, _, stderr := fairstream(t, "config", "check", "-c", "people.yaml"); code != misuse || !strings.Contains(stderr, "did you mean FAIRSTREAM_LEARNER_MODE?") {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
	})
	t.Run("41 a changed model", func(t *testing.T) {
		text, err := os.ReadFile("w.json")
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(text, []byte(`"threshold":`), []byte(`"threshold":1`), 1)
		if bytes.Equal(changed, text) {
			changed = bytes.Replace(text, []byte(`"intercept":`), []byte(`"intercept":1`), 1)
		}
		path := filepath.Join(t.TempDir(), "changed.json")
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := fairstream(t, "score", "--model", path, "-i", "people.csv"); code != failed || !strings.Contains(stderr, "damaged") {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
	})
	t.Run("44 commands that were missing", func(t *testing.T) {
		if said := succeed(t, "version"); !strings.HasPrefix(said, "fairstream ") {
			t.Error(said)
		}
		succeed(t, "init", "-i", "loans.jsonl")
		succeed(t, "check", "-c", "good.yaml", "-i", "loans.jsonl")
		if shown := succeed(t, "models", "show", "--model", "w.json"); !strings.Contains(shown, "from w.json") || !strings.Contains(shown, "Learnt 600 records") {
			t.Error(shown)
		}
		if explained := succeed(t, "models", "explain", "--model", "w.json"); !strings.Contains(explained, "applicant.income") {
			t.Error(explained)
		}
		kept, err := os.ReadFile("w.json")
		if err != nil || succeed(t, "models", "show", "--model", "w.json", "--json") != string(kept) {
			t.Errorf("models show --json is not the document: %v", err)
		}
	})
}

// TestMistakesOnATopic: what replay says of a file, run says of a topic, and publishes nothing that says nothing.
func TestMistakesOnATopic(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		config := workflow(t, addresses)
		input := filepath.Join(t.TempDir(), "loans.jsonl")
		if err := os.WriteFile(input, []byte(loanRecords(1500, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		topic := strings.NewReplacer("/", ".", "#", ".").Replace(t.Name())
		loans := strings.Replace(loansByHand, "record:", "job: JOB\nrecord:", 1) + fmt.Sprintf("kafka: {brokers: [%q]}\ntopics: {input: %s}\nserver: {address: \"\"}\n", addresses[0], topic)
		succeed(t, "topics", "create", "--config", config)
		succeed(t, "produce", "--config", config, "--input", input)
		for i, test := range []struct {
			what, old, new string
			says           []string // in the log or on standard error
		}{
			{"27 label field absent", "field: repaid", "field: repayd", []string{"missing_label", `(did you mean \"repaid\"?)`}},
			{"29 positive value misspelt", `"true"`, `"yes"`, []string{"nothing was published: all labels so far are the same", "record.label.positive", `the values of \"repaid\" are true (`}},
			{"31 attribute misspelt", "applicant.sex", "sex", []string{"nothing was published: no enforced constraint", `no record has a field \"sex\" (did you mean \"applicant.sex\"?)`}},
			{"33 group misspelt", "group: male", "group: Male", []string{"nothing was published", "constraints[0].group", `the values of \"applicant.sex\" are`, "male ("}},
		} {
			t.Run(test.what, func(t *testing.T) {
				changed := strings.Replace(strings.Replace(loans, "JOB", fmt.Sprint("job", i), 1), test.old, test.new, 1)
				path := filepath.Join(t.TempDir(), "config.yaml")
				if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
					t.Fatal(err)
				}
				code, _, stderr := fairstream(t, "run", "--config", path, "--until-end")
				if code != failed {
					t.Errorf("exit code %d", code)
				}
				for _, want := range test.says {
					if !strings.Contains(stderr, want) {
						t.Errorf("does not say %q:\n%s", want, stderr)
					}
				}
				if code, _, stderr := fairstream(t, "models", "show", "--config", path); code != failed || !strings.Contains(stderr, "no weights") {
					t.Errorf("models show: exit code %d\n%s", code, stderr)
				}
			})
		}
		t.Run("37 two processes, one job", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			args := []string{"run", "--config", config, "--set", "job=twice"}
			var logs [2]apptest.Screen
			codes := make(chan int, 1)
			go func() { codes <- run(ctx, args, nil, io.Discard, &logs[0]) }()
			until(t, "the first to own the job", func() bool { return strings.Contains(logs[0].String(), "ownership") })
			second := make(chan int, 1)
			go func() { second <- run(ctx, args, nil, io.Discard, &logs[1]) }()
			select {
			case code := <-codes:
				if said := logs[0].String(); code != failed || !strings.Contains(said, "taken over by another process") || !strings.Contains(said, "another job name") {
					t.Errorf("exit code %d\n%s", code, said)
				}
			case <-time.After(5 * time.Minute):
				t.Fatalf("the first goes on:\n%s\n%s", logs[0].String(), logs[1].String())
			}
			cancel()
			<-second
		})
		t.Run("38 the port is taken", func(t *testing.T) {
			taken, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = taken.Close() }()
			for _, more := range [][]string{{}, {"--until-end"}} {
				code, _, stderr := fairstream(t, append([]string{"run", "--config", config, "--set", "server.address=" + taken.Addr().String()}, more...)...)
				if code != failed || !strings.Contains(stderr, "server.address: ") || !strings.Contains(stderr, "set it to another port") {
					t.Errorf("%v: exit code %d\n%s", more, code, stderr)
				}
			}
		})
		t.Run("39 and 40 a changed configuration", func(t *testing.T) {
			text := strings.Replace(loans, "JOB", "changed", 1)
			path := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			succeed(t, "run", "--config", path, "--until-end")
			if code, _, stderr := fairstream(t, "run", "--config", path, "--until-end", "--set", "learner.forgetting=1000"); code != failed ||
				!strings.Contains(stderr, "learner.forgetting") || !strings.Contains(stderr, "state reset") {
				t.Errorf("forgetting: exit code %d\n%s", code, stderr)
			}
			code, _, stderr := fairstream(t, "run", "--config", path, "--until-end", "--set", "constraints[0].tau=0.15")
			if code != done || !strings.Contains(stderr, "constraints[0].tau") || !strings.Contains(stderr, "0.15") {
				t.Errorf("tau: exit code %d\n%s", code, stderr)
			}
		})
		t.Run("45 the broker's port is taken", func(t *testing.T) {
			_, port, err := net.SplitHostPort(addresses[0])
			if err != nil {
				t.Fatal(err)
			}
			if code, _, stderr := fairstream(t, "broker", "--port", port, "--data", t.TempDir()); code != failed || !strings.Contains(stderr, "--port chooses another port") {
				t.Errorf("exit code %d\n%s", code, stderr)
			}
		})
		t.Run("11 a topic misspelt", func(t *testing.T) {
			if code, _, stderr := fairstream(t, "topics", "verify", "--config", config, "--set", "topics.input=lons"); code != failed || !strings.Contains(stderr, "create it with") {
				t.Errorf("exit code %d\n%s", code, stderr)
			}
		})
	})
}

// until waits for something that happens soon.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited five minutes for %s", what)
		}
	}
}

// TestMistakesWithoutABroker: 9 and 10, nobody listens. The commands say so at once, and call no topic missing of which
// they know nothing.
func TestMistakesWithoutABroker(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(learning+fmt.Sprintf("kafka: {brokers: [%q]}\ntopics: {input: loans}\nserver: {address: \"\"}\n", address)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"topics create", "run"} {
		ctx, cancel := context.WithCancel(t.Context())
		var out, log apptest.Screen
		code := make(chan int, 1)
		go func() { code <- run(ctx, append(strings.Fields(args), "--config", path), nil, &out, &log) }()
		until(t, args+" to say that nobody listens", func() bool {
			return strings.Contains(log.String(), "no broker listens there") && strings.Contains(log.String(), address)
		})
		cancel()
		<-code
		if strings.Contains(out.String(), "missing") {
			t.Errorf("%s calls topics missing:\n%s", args, out.String())
		}
	}
}
