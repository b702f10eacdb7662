package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestWhatIsPrintedCanBeLoaded(t *testing.T) {
	for _, extra := range []string{"", `learner:
  columns: {b.c: {type: numeric, encoding: standardized}, a: {type: categorical}, "": {type: categorical}}
  crosses: [[a, b.c]]
record: {missing: [], features: ["*", sex], limits: {depth: 5}}
constraints:
  - {name: x, attribute: [sex, race], group: ["1", "true"], versus: rest, tau: .2, enforce: false}
  - {name: y, attribute: race, group: "?", versus: "#", tau: 1e-3}
kafka: {brokers: ["[::1]:9092", "b:1"], request.timeout.ms: 1000}
`} {
		sources := Sources{Files: write(t, example, extra+"server: {address: ''}\n")}
		first := load(t, sources, Streaming)
		printed, err := first.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again := load(t, Sources{Files: write(t, string(printed))}, Streaming)
		if !reflect.DeepEqual(first.Config, again.Config) {
			t.Errorf("printed as\n%s\nfirst %+v\nagain %+v", printed, first.Config, again.Config)
		}
	}
}

func TestPrintSaysWhereValuesComeFrom(t *testing.T) {
	loaded := load(t, Sources{
		Files:       write(t, "record:\n  label: {field: y, positive: 1}\n"),
		Environment: []string{"FAIRSTREAM_JOB=j"},
		Flags:       []Assignment{{"--mode", "learner.mode", "unconstrained"}},
	}, Learning)
	printed, err := loaded.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"job: j # FAIRSTREAM_JOB",
		`    field: "y" # config.yaml:2`,
		`    positive: "1" # config.yaml:2`,
		"  mode: unconstrained # --mode",
		"  warmup: 1000",
		"constraints: []",
		"  shutdown_timeout: 25s",
	} {
		if !strings.Contains("\n"+string(printed), "\n"+line+"\n") {
			t.Errorf("%q is not a line of\n%s", line, printed)
		}
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	const secret = "hunter2hunter2"
	security := ", security.protocol: SASL_SSL, sasl.mechanism: PLAIN, sasl.username: u, sasl.password: " + secret + "}"
	loaded := load(t, Sources{
		Files: write(t, strings.Replace(example, `["127.0.0.1:9092"]`, "", 1), "kafka: {brokers: ['b:1']"+security),
	}, Streaming)
	printed, err := loaded.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(printed, []byte("sasl.password: '***'")) {
		t.Errorf("the secret's place is not shown:\n%s", printed)
	}
	shown := string(printed) + fmt.Sprintf("%v %+v %#v", loaded, loaded, loaded)
	for _, bad := range []struct {
		texts []string // of files
		Sources
	}{
		{[]string{example, "kafka: {brokers: [], x: y" + security}, Sources{}},
		{[]string{example}, Sources{Flags: []Assignment{{"--set", "kafka.sasl.password", secret}}}},
		{[]string{example}, Sources{Environment: []string{"FAIRSTREAM_KAFKA_SASL_PASSWORD=[" + secret, "FAIRSTREAM_KAFKA_SASL_PASSWORDS=" + secret}}},
		{[]string{example}, Sources{Flags: []Assignment{{"--set", "kafka.brokers", "u:" + secret + "@b:9092"}}}},
		{[]string{example}, Sources{Flags: []Assignment{{"--set", "kafka.brokers", secret + "@b:9092"}}}},
		{[]string{strings.Replace(example, `["127.0.0.1:9092"]`, "u:"+secret+"@b:9092", 1)}, Sources{}},
		{[]string{example, "kafka: {brokers: ['b:1']" + strings.Replace(security, "sasl.password:", "sasl.password_file:", 1)}, Sources{}},
		{[]string{example, "kafka: {brokers: ['b:1']" + strings.Replace(security, "sasl.password:", "sasl.password_env:", 1)}, Sources{}},
		{[]string{example, "kafka: {brokers: ['b:1'], security.protocol: SASL_SSL, sasl.mechanism: OAUTHBEARER, sasl.oauthbearer.token_file: " + secret + "}"}, Sources{}},
		{[]string{example, "kafka: {brokers: ['b:1'], security.protocol: SSL, ssl.certificate.location: /dev/null, ssl.key.location: " + secret + "}"}, Sources{}},
		{[]string{example, "server: {token_file: " + secret + "}"}, Sources{}},
		{[]string{example, "server: {tls: {certificate_file: /dev/null, key_file: " + secret + "}}"}, Sources{}},
		{[]string{example, "kafka: {sasl.password: [" + secret + "], sasl.username: {" + secret + ": 1}}"}, Sources{}},
	} {
		bad.Files = write(t, bad.texts...)
		_, err := Load(bad.Sources, Streaming)
		if err == nil {
			t.Errorf("accepted: %v %v", bad.Flags, bad.texts)
			continue
		}
		shown += err.Error()
	}
	if strings.Contains(shown, secret) {
		t.Errorf("the secret is shown in\n%s", shown)
	}
}

// TestWhatCannotBeWritten is a mistake of the program: a key of a type that YAML has no form for, or without a name.
func TestWhatCannotBeWritten(t *testing.T) {
	for want, do := range map[string]func(){
		"config: a func() cannot be written": func() { encodeLeaf(reflect.ValueOf(func() {})) },
		"has no yaml key":                    func() { fieldsOf(reflect.TypeFor[struct{ Name string }]()) },
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, want) {
					t.Errorf("%q, want %q", said, want)
				}
			}()
			do()
		}()
	}
}
