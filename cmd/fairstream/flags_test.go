package main

import (
	"strings"
	"testing"
	"time"
)

// What is wrong in the flags is said before anything is read or anyone is asked.
func TestRefusedFlags(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": learning,
		"stream.yaml": learning + "kafka: {brokers: [127.0.0.1:1]}\ntopics: {input: loans}\n",
		"people.csv":  people, "model.json": "{}", "broken.json": "{",
	})
	tests := []struct{ args, says string }{
		{"audit -c config.yaml --since yesterday", `--since "yesterday" is not a time`},
		{"audit -c config.yaml --until -1h", `--until "-1h" is not a time`},
		{"audit -c config.yaml --since 1h --until 2h", " is not before --until "},
		{"audit -c config.yaml --since 2026-11-01 --until 2026-11-01T00:00:00Z", "--since 2026-11-01T00:00:00Z is not before --until 2026-11-01T00:00:00Z"},
		{"audit -c config.yaml --since 2h --until 1h", "topics.input: required"},
		{"audit -c config.yaml", "topics.input: required"},
		{"audit impact -c nowhere.yaml", "nowhere.yaml: cannot be read"},
		{"audit impact -i people.csv --decision y=1 --format xlsx", `--format "xlsx" is unknown`},
		{"broker --port 65536", "--port 65536: give a port from 1 to 65535"},
		{"broker --port -1", "--port -1: give a port from 1 to 65535"},
		{"check -c nowhere.yaml -i people.csv", "nowhere.yaml: cannot be read"},
		{"check -c config.yaml -i people.csv --format xlsx", `--format "xlsx" is unknown`},
		{"config print -c nowhere.yaml", "nowhere.yaml: cannot be read"},
		{"demo --lasts 0s", "--lasts 0s: give a time above 0"},
		{"init", "give a sample: --input FILE, or --topic TOPIC"},
		{"init -i people.csv --topic a", "give a sample: --input FILE, or --topic TOPIC"},
		{"init -i people.csv --registry http://127.0.0.1:1", "--registry is for --topic"},
		{"init -i people.csv --format xlsx", `--format "xlsx" is unknown`},
		{"init -i people.csv --set learner.mode=exact", "--set learner.mode: for a file, init takes only keys of record.csv"},
		{"init -i people.csv --set record.csv.encoding=nosuch", `--set: record.csv.encoding: "nosuch" is none of`},
		{"init --topic a --brokers 127.0.0.1:1 --format avro", "--format avro: name the schema registry with --registry URL"},
		{"models card --model model.json --text", "--text is made from the history of a job"},
		{"models card -c stream.yaml --text --own model.json", "--text is made from the history of a job"},
		{"models explain --model model.json --input people.csv", "--input is for --columns: add it"},
		{"models export --model model.json --format pmml", `--format "pmml" is unknown: use onnx`},
		{"models pause -c config.yaml", "topics.input: required"},
		{"models pause -c stream.yaml --timeout 999ms", "--timeout 999ms is outside 1s to 1h"},
		{"models pause -c stream.yaml --timeout 1s", "models pause: "},
		{"models pause -c stream.yaml --timeout 1h", "models pause: "},
		{"models pause -c stream.yaml --timeout 1h1s", "--timeout 1h0m1s is outside 1s to 1h"},
		{"run -c config.yaml", "topics.input: required"},
		{"score -i people.csv --model model.json --explore 2", "the share 2 is outside [0, 1]"},
		{"serve", "--config is missing: give a configuration, or --model"},
		{"serve -c config.yaml", "topics.input: required"},
		{"serve -c nowhere.yaml --model model.json", "nowhere.yaml: cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			code, _, stderr := fairstream(t, strings.Fields(test.args)...)
			if code != misuse || !strings.Contains(stderr, test.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, misuse, test.says, stderr)
			}
		})
	}
}

func TestTimesOnTheCommandLine(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"":                             "0001-01-01T00:00:00Z",
		"2026-11-20T10:30:00.25+02:00": "2026-11-20T08:30:00.25Z",
		"2026-11-20":                   "2026-11-20T00:00:00Z",
		"0s":                           "2026-11-21T08:30:00Z",
		"1ns":                          "2026-11-21T08:29:59.999999999Z",
		"720h":                         "2026-10-22T08:30:00Z",
	} {
		at, err := timeOf("--since", text, now)
		if got := at.Format(time.RFC3339Nano); err != nil || got != want {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"-1ns", "720", "2026-13-01", "yesterday"} {
		if at, err := timeOf("--since", text, now); err == nil {
			t.Errorf("%q is %s", text, at)
		}
	}
}

// The last port is one, which a broker takes if nobody has it.
func TestTheLastPort(t *testing.T) {
	inDirectory(t, map[string]string{"people.csv": people})
	code, _, stderr := fairstream(t, "broker", "--port", "65535", "--data", "people.csv")
	if code != failed || strings.Contains(stderr, "--port") {
		t.Errorf("exit code %d, want %d: %s", code, failed, stderr)
	}
}

// --set record.csv says how the file is written, for the sample and in the configuration.
func TestInitReadsHowTheFileIsWritten(t *testing.T) {
	inDirectory(t, map[string]string{"people.csv": "name;sex;y\nZo\xeb;F;1\nBo;M;0\nAl;F;0\nCy;M;1\n"})
	out := succeed(t, "init", "-i", "people.csv", "--label", "y", "--positive", "1", "--set", "record.csv.encoding=windows-1250")
	if !strings.Contains(out, "windows-1250") {
		t.Errorf("the encoding of the flag is not in the configuration:\n%s", out)
	}
}

func TestActor(t *testing.T) {
	name, host, found := strings.Cut(actor(), "@")
	if !found || name == "" || host == "" {
		t.Errorf("%q is no USER@HOST", actor())
	}
}
