package main

import (
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
)

// TestRunADirectory: each file is a job, on top of what is named before the directory; a wrong file is named and keeps no other from running, and
// only if none is valid the command line is wrong.
func TestRunADirectory(t *testing.T) {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	inDirectory(t, map[string]string{"loans.jsonl": loanRecords(600, 1), "common.yaml": "kafka: {brokers: [" + broker.Addresses()[0] + "]}\nlog: {format: json}\n"})
	for _, dir := range []string{"jobs", "empty"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile("jobs/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("wrong.yaml", "job: wrong\nrecord: {lable: 1}\n")
	for args, says := range map[string]string{
		"run --config empty": "the directory holds no configuration",
		"run --config jobs":  "jobs/wrong.yaml:2: record.lable: unknown key: did you mean label?",
	} {
		if code, _, stderr := fairstream(t, strings.Fields(args)...); code != misuse || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
	for _, job := range []string{"north", "south"} {
		write(job+".yaml", "job: "+job+"\ntopics: {input: "+job+"}\n"+loansByHand)
		succeed(t, "topics", "create", "--config", "common.yaml", "--config", "jobs/"+job+".yaml")
		succeed(t, "produce", "--config", "common.yaml", "--config", "jobs/"+job+".yaml", "--input", "loans.jsonl")
	}
	code, _, stderr := fairstream(t, "run", "--config", "common.yaml", "--config", "jobs", "--until-end")
	if code != done || !strings.Contains(stderr, "a file of the configuration is refused") || !strings.Contains(stderr, "jobs/wrong.yaml") {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	for _, job := range []string{"north", "south"} {
		if shown := succeed(t, "models", "show", "--config", "common.yaml", "--config", "jobs/"+job+".yaml"); !strings.Contains(shown, job) {
			t.Errorf("%s: %s", job, shown)
		}
	}
}
