package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
)

func TestConfigPrintShowsWhatIsUsed(t *testing.T) {
	inDirectory(t, map[string]string{"config.yaml": learning + "kafka: {sasl.password: hunter2}\n"})
	t.Setenv("FAIRSTREAM_JOB", "j")
	printed := succeed(t, "config", "print", "-c", "config.yaml", "--set", "learner.warmup=50")
	for _, line := range []string{
		"job: j # FAIRSTREAM_JOB", "    field: \"y\" # config.yaml:1", "  warmup: 50 # --set", "  sasl.password: '***' # config.yaml:3", "  address: 127.0.0.1:8468",
	} {
		if !strings.Contains("\n"+printed, "\n"+line+"\n") {
			t.Errorf("%q is not a line of\n%s", line, printed)
		}
	}
}

func TestConfigCheckSaysWhatItIsGoodFor(t *testing.T) {
	inDirectory(t, map[string]string{
		"files.yaml":  learning,
		"stream.yaml": learning + "kafka: {brokers: ['127.0.0.1:9092']}\ntopics: {input: people}\n",
		"half.yaml":   learning + "kafka: {brokers: ['127.0.0.1:9092']}\n",
	})
	if said := succeed(t, "config", "check", "-c", "files.yaml"); !strings.Contains(said, "replay and score") {
		t.Errorf("files.yaml: %s", said)
	}
	if said := succeed(t, "config", "check", "-c", "stream.yaml"); said != "No problem found. The configuration is complete for every command.\n" {
		t.Errorf("stream.yaml: %s", said)
	}
	if code, _, stderr := fairstream(t, "config", "check", "-c", "half.yaml"); code != misuse || !strings.Contains(stderr, "topics.input: required") {
		t.Errorf("half.yaml: exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := fairstream(t, "config", "check", "-c", "half.yaml", "--set", "learner.mode=fast"); code != misuse || !strings.Contains(stderr, "has 2 problems") {
		t.Errorf("half.yaml with an unknown mode: exit code %d\n%s", code, stderr)
	}
}

func TestConfigSchemaAndKeys(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(succeed(t, "config", "schema")), &schema); err != nil {
		t.Fatal(err)
	}
	properties := schema["properties"].(map[string]any)
	for _, section := range []string{"job", "record", "learner", "constraints", "kafka", "topics", "stream", "log", "server"} {
		if properties[section] == nil {
			t.Errorf("the schema has no %s", section)
		}
	}
	first := succeed(t, "config", "keys")
	if n := strings.Count(first, "FAIRSTREAM_"); n != len(config.Essential) || !strings.Contains(first, "other keys") || !strings.Contains(first, "constraints[0].tau\n") {
		t.Errorf("config keys shows %d keys, want %d:\n%s", n, len(config.Essential), first)
	}
	keys := succeed(t, "config", "keys", "--all")
	for _, words := range []string{"record.label.field", "FAIRSTREAM_KAFKA_SASL_PASSWORD_FILE", "127.0.0.1:8468"} {
		if !strings.Contains(keys, words) {
			t.Errorf("config keys does not show %s", words)
		}
	}
	for line := range strings.Lines(keys) {
		if len([]rune(line)) > 81 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	if some := succeed(t, "config", "keys", "record.label"); strings.Count(some, "FAIRSTREAM_") != 3 {
		t.Errorf("the keys of record.label:\n%s", some)
	}
	if code, _, stderr := fairstream(t, "config", "keys", "learner.confidense"); code != misuse || !strings.Contains(stderr, `did you mean "learner.confidence"?`) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if markdown := succeed(t, "config", "keys", "--markdown"); !strings.HasPrefix(markdown, "| key | variable |") {
		t.Errorf("markdown begins %.40q", markdown)
	}
}
