package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	filesAlone(t)
	inDirectory(t, map[string]string{
		"loans.jsonl": loanRecords(3000, 1), "good.yaml": loansByHand,
		"label.yaml": strings.Replace(loansByHand, `"true"`, `"yes"`, 1),
		"sex.yaml":   strings.Replace(loansByHand, "applicant.sex", "sex", 1),
		"tau.yaml":   strings.Replace(loansByHand, "0.05", "0.01", 1),
		"free.yaml":  "record: {label: {field: repaid, positive: true}}\n",
	})
	for _, test := range []struct {
		args string
		code int
		says []string
	}{
		{"-c good.yaml -i loans.jsonl", done, []string{"3,000 records of loans.jsonl; 0 rejected.", "true is positive in", "demographic-parity",
			"within reach", "applicant.sex        attribute", "request_id           ignored"}},
		{"-c tau.yaml -i loans.jsonl", done, []string{"out of reach"}},
		{"-c label.yaml -i loans.jsonl", failed, []string{`Error: record.label.positive: no record has the positive value "yes"`, `values of "repaid" are`}},
		{"-c sex.yaml -i loans.jsonl", failed, []string{"Error: constraints: no enforced constraint", `(did you mean`, `"applicant.sex"?)`}},
		{"-c free.yaml -i loans.jsonl", done, []string{"No constraint", "request_id           left out", `add "request_id": it is left out of the features`}},
		{"-c good.yaml", misuse, []string{"kafka.brokers: name at least one"}},
		{"-c good.yaml -i nowhere.csv", failed, []string{"no such file"}},
		{"-c good.yaml -i loans.xml", misuse, []string{"cannot tell the format"}},
	} {
		code, stdout, stderr := fairstream(t, append([]string{"check"}, strings.Fields(test.args)...)...)
		if code != test.code {
			t.Errorf("check %s: exit code %d, want %d\n%s", test.args, code, test.code, stderr)
		}
		for _, want := range test.says {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("check %s: no %q in\n%s%s", test.args, want, stdout, stderr)
			}
		}
		for line := range strings.Lines(stdout) {
			if len([]rune(line)) > 81 {
				t.Errorf("check %s: a line of %d characters: %s", test.args, len([]rune(line)), line)
			}
		}
	}
}

// TestCheckOfATopic: nothing is written, not even a topic.
func TestCheckOfATopic(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		config := workflow(t, addresses)
		if code, _, stderr := fairstream(t, "check", "--config", config); code != failed || !strings.Contains(stderr, "does not exist") {
			t.Errorf("without a topic: exit code %d\n%s", code, stderr)
		}
		succeed(t, "topics", "create", "--config", config)
		input := filepath.Join(t.TempDir(), "records.jsonl")
		if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:2000], "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		succeed(t, "produce", "--config", config, "--input", input)
		if said := succeed(t, "check", "--config", config); !strings.Contains(said, "2,000 records of topic") || !strings.Contains(said, "Male") {
			t.Error(said)
		}
		if code, _, stderr := fairstream(t, "check", "--config", config, "--set", "record.label.positive=rich"); code != failed || !strings.Contains(stderr, "nothing useful") {
			t.Errorf("a wrong value: exit code %d\n%s", code, stderr)
		}
		if state := succeed(t, "state", "show", "--config", config); !strings.Contains(state, "Nobody ever claimed") {
			t.Error(state)
		}
	})
}
