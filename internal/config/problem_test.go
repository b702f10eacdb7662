package config

import (
	"slices"
	"strings"
	"testing"
)

// TestEveryProblemAtOnce reads bad configurations and compares all that is said about them.
func TestEveryProblemAtOnce(t *testing.T) {
	const good = "record: {label: {field: y, positive: 1}}\n"
	tests := []struct {
		name    string
		text    string
		sources Sources
		purpose Purpose
		want    string
	}{
		{name: "nothing given", text: "job: j", want: `
record.label.field: required: name the field to predict
record.label.positive: required: give the value that counts as positive (or predict a number, with learner.task: regression)`},
		{name: "misspelled keys", text: `job: a
recordd: {}
record:
  lable: {field: y}
  label: {field: y, positive: 1}
kafka:
  security: {protocol: SSL}
  tau: 1
  bootstrap_servers: [a]
`, want: `
config.yaml:2: recordd: unknown key: did you mean record?
config.yaml:4: record.lable: unknown key: did you mean label?
config.yaml:7: kafka.security: unknown key: keys with dots are written in one piece, as in security.protocol: …
config.yaml:8: kafka.tau: unknown key: did you mean constraints[0].tau?
config.yaml:9: kafka.bootstrap_servers: unknown key: the keys here are brokers, client_id, security.protocol, sasl.mechanism, sasl.username, sasl.password, sasl.password_file, sasl.password_env, sasl.oauthbearer.token_file, sasl.oauthbearer.token.endpoint.url, sasl.oauthbearer.scope, ssl.ca.location, ssl.certificate.location, ssl.key.location, ssl.endpoint.identification.algorithm, isolation.level, compression.type, request.timeout.ms`},
		{name: "a person as a feature", text: good + `monitor: {cluster: person}
`, want: `
config.yaml:2: monitor.cluster: "person" is a feature, too: list it in record.ignore`},
		{name: "wrong types", text: good + `learner:
  warmup: many
  step: [1]
  forgetting: 1.5
  columns: [a]
  crosses: [a, b]
constraints: {name: a}
stream:
  shutdown_timeout: 30
  start: {}
topics: records
`, want: `
config.yaml:3: learner.warmup: "many" is not a whole number
config.yaml:4: learner.step: is a list, not a number: keep one value, without brackets
config.yaml:5: learner.forgetting: "1.5" is not a whole number
config.yaml:6: learner.columns: is a list, not keys with values: indent its keys below it
config.yaml:7: learner.crosses: is a list, not a list of lists of texts
config.yaml:8: constraints: is keys with values, not a list: begin each entry with a hyphen
config.yaml:10: stream.shutdown_timeout: "30" is not a duration such as 30s or 5m: write the unit, as in 30s, 30m or 30h
config.yaml:11: stream.start: is keys with values, not text
config.yaml:12: topics: is a single value, not keys with values: indent its keys below it`},
		{name: "a duration in days, in weeks and in words", text: "record: {label: {field: y, positive: 1}}\nstream: {labels: {age: 180d}, shutdown_timeout: 2 weeks, standby_timeout: a while}\n", want: `
config.yaml:2: stream.labels.age: "180d" is not a duration such as 30s or 5m: write hours, 4320h
config.yaml:2: stream.shutdown_timeout: "2 weeks" is not a duration such as 30s or 5m: write hours, 336h
config.yaml:2: stream.standby_timeout: "a while" is not a duration such as 30s or 5m`},
		{name: "an envelope without a name", text: "record: {at: a..b, label: {field: y, positive: 1}}\n", want: `
config.yaml:1: record.at: "a..b" has an empty name: give debezium, connect, cloudevents or a dotted path such as payload.after`},
		{name: "formats", text: "record: {format: avro, schema: a.avsc, label: {field: y, positive: 1}}\nkafka: {brokers: ['b:1']}\ntopics: {input: i}\nregistry: {username: u, timeout: 1ms}\n", purpose: Streaming, want: `
config.yaml:1: record.schema: only of use with record.format avro-single, avro-bare or protobuf-bare: remove it
config.yaml:4: registry.urls: required by record.format: name the address of the schema registry, such as https://registry:8081
config.yaml:4: registry.username: give username and password_file together
config.yaml:4: registry.timeout: 1ms is outside 1s to 5m0s`},
		{name: "numbers in other notations", text: good + `constraints:
  - {name: a, attribute: a, group: b, versus: c, tau: "0,1"}
  - {name: d, attribute: a, group: b, versus: c, tau: 5%}
learner: {confidence: "0,9,5"}
`, want: `
config.yaml:3: constraints[0].tau: "0,1" is not a number: write 0.1
config.yaml:4: constraints[1].tau: "5%" is not a number: write 0.05
config.yaml:5: learner.confidence: "0,9,5" is not a number`},
		{name: "several positive values", text: "record: {label: {field: y, positive: [yes, maybe]}}\n", want: `
config.yaml:1: record.label.positive: is a list, and one value is positive: keep one, since every other value is negative. If several values are positive, write them as one where the records are made`},
		{name: "written twice", text: good + "job: a\njob: b\nlearner: {warmup: 1, warmup: 2}\n", want: `
config.yaml:3: job: is written twice, first on line 2: remove one
config.yaml:4: learner.warmup: is written twice, first on line 4: remove one`},
		{name: "merge keys and odd keys", text: good + "learner: &l {warmup: 5}\nstream:\n  <<: *l\n? [a, b]\n: 1\n", want: `
config.yaml:4: stream: << is not supported: write the keys out, or give a whole section an alias
config.yaml:5: a key is a list: write it as text`},
		{name: "constraints of which everything is missing", text: `
record: {label: {field: y, positive: 1}}
constraints:
  - {}
  - {attribute: s, tau: 7, relaxation: none}
  - {attribute: [s, t], group: [a, b], versus: c, criterion: equal}
learner: {columns: {age: {encoding: bins}}}
`, want: `
config.yaml:7: learner.columns.age.type: required: use numeric or categorical
config.yaml:4: constraints[0].attribute: required: name the protected field
config.yaml:4: constraints[0].group: required: give a value of the attribute, a list of values, a range, or each
config.yaml:4: constraints[0].versus: required: give a value of the attribute, or rest
config.yaml:4: constraints[0].tau: is 0 or missing: use the largest allowed difference of the rates, such as 0.05
config.yaml:5: constraints[1].group: required: give a value of the attribute, a list of values, a range, or each
config.yaml:5: constraints[1].versus: required: give a value of the attribute, or rest
config.yaml:5: constraints[1].tau: 7 is outside (0, 1): use the largest allowed difference of the rates, such as 0.05
config.yaml:5: constraints[1].relaxation: …
config.yaml:6: constraints[2].versus: has 1 values, and attribute names 2: give one value for each attribute
config.yaml:6: constraints[2].criterion: …`},
		{name: "values out of range", text: `job: two words
record:
  label: {field: y, positive: "?"}
learner: {mode: fast, warmup: 0}
constraints:
  - {name: a, attribute: s, group: x, versus: z, tau: 2}
  - {name: a, attribute: s, group: x, versus: x, tau: 0.1, criterion: equal}
kafka: {brokers: ["http://b"], security.protocol: TLS}
topics: {input: a/b, model: m, state: m, management: maybe, replication: -1}
stream:
  start: yesterday
  data_loss: ignore
  snapshot: {records: 0, interval: 0s}
  publish: {records: -1}
  reject_limit: {share: 0, window: 1}
  shutdown_timeout: 1ms
  keep_versions: 0
  labels: {records: -1, bytes: 1, age: 1ms, order: mine}
  decoders: -1
  fetch_bytes: 5
log: {format: xml, level: loud}
server: {address: "8080"}
`, purpose: Streaming, want: `
config.yaml:1: job: "two words" is not a valid name: use 1 to 100 letters, digits, dots, underscores or hyphens
config.yaml:3: record.label.positive: "?" counts as missing: remove it from record.missing
config.yaml:4: learner.mode: "fast" is unknown: use adaptive, paper or unconstrained
config.yaml:4: learner.warmup: 0 is outside 1 to 10000
config.yaml:6: constraints[0].tau: …
config.yaml:7: constraints[1].criterion: …
config.yaml:7: constraints[1].versus: …
config.yaml:7: constraints[1].name: is also the name of constraints[0]: give each constraint its own
config.yaml:8: kafka.brokers[0]: …
config.yaml:8: kafka.security.protocol: …
config.yaml:9: topics.input: "a/b" is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens
config.yaml:9: topics.state: "m" is topics.model too: each needs a topic of its own
config.yaml:9: topics.dead_letter: "a/b.dlq" is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens
config.yaml:9: topics.history: "a/b.history" is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens
config.yaml:9: topics.waiting: "a/b.waiting" is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens
config.yaml:9: topics.management: "maybe" is unknown: use create or verify
config.yaml:9: topics.replication: -1 is outside 0 to 32767
config.yaml:11: stream.start: "yesterday" is unknown: use earliest, latest or a time such as 2026-11-21T08:30:00Z
config.yaml:12: stream.data_loss: "ignore" is unknown: use fail, earliest or latest
config.yaml:13: stream.snapshot: records and interval are both 0: set one of them
config.yaml:14: stream.publish.records: -1 is negative
config.yaml:15: stream.reject_limit.share: 0 is outside (0, 1]
config.yaml:15: stream.reject_limit.window: 1 is outside 10 to 1000000
config.yaml:17: stream.keep_versions: 0 is outside 1 to 10000
config.yaml:18: stream.labels.records: -1 is outside 0 to 1099511627776
config.yaml:18: stream.labels.bytes: 1 is outside 1048576 to 1125899906842624
config.yaml:18: stream.labels.age: 1ms is outside 1s to 175200h; 0 means no limit
config.yaml:18: stream.labels.order: "mine" is unknown: use records or labels
config.yaml:19: stream.decoders: -1 is outside 0 to 1024
config.yaml:20: stream.fetch_bytes: 5 is outside 1048576 to 4294967296
config.yaml:16: stream.shutdown_timeout: 1ms is outside 1s to 1h
config.yaml:21: log.format: "xml" is unknown: use json or console
config.yaml:21: log.level: "loud" is unknown: use debug, info, warn or error
config.yaml:22: server.address: "8080" is not of the form host:port, such as 127.0.0.1:8468, or :8468 for every interface`},
		{name: "an infeasible threshold of the paper", text: good + `learner: {mode: paper}
constraints:
  - {attribute: s, group: x, versus: z, tau: 0.05, threshold: 0.9}
  - {name: other, attribute: s, group: x, versus: z, tau: 0.05}
`, want: `
config.yaml:4: constraints[0].threshold: …
config.yaml:5: constraints[1].threshold: …`},
		{name: "variables and flags", text: good, sources: Sources{
			Environment: []string{"FAIRSTREAM_LEARNER_MOED=paper", "FAIRSTREAM_LEARNER_WARMUP=x", "FAIRSTREAM_NONSENSE_AT_ALL=1", "FAIRSTREAM_KAFKA={brokers: ["},
			Flags: []Assignment{
				{"--set", "learner.stepp", "1"}, {"--set", "learner.step.size", "1"}, {"--set", "constraints.tau", "1"},
				{"--set", "constraints[3].tau", "1"}, {"--mode", "learner.mode", "slow"}, {"--set", "learner.columns.a", "{}"},
			}}, want: `
FAIRSTREAM_KAFKA: kafka: is not YAML: line 2: did not find expected node content
FAIRSTREAM_LEARNER_MOED: unknown variable: did you mean FAIRSTREAM_LEARNER_MODE?
FAIRSTREAM_LEARNER_WARMUP: learner.warmup: "x" is not a whole number
FAIRSTREAM_NONSENSE_AT_ALL: unknown variable: config keys --all lists them
--set: learner.stepp: unknown key: did you mean step?
--set: learner.step.size: has no keys below it: set learner.step itself
--set: constraints.tau: name an entry, the first being constraints[0]
--set: constraints[3].tau: there are 0 entries: the next one is constraints[0]
--set: learner.columns.a: unknown key: write learner.columns.NAME.KEY
--mode: learner.mode: "slow" is unknown: use adaptive, paper or unconstrained`},
		{name: "a classifier's keys in a regression", text: `learner: {task: regression, mode: paper}
record: {label: {field: y, positive: 1}}
constraints:
  - {name: a, attribute: a, group: b, versus: c, tau: 2, criterion: demographic-parity, relaxation: sigmoid, threshold: 1}
  - {name: d, attribute: a, group: b, versus: c, tau: 0}
  - {name: e, attribute: a, group: b, versus: c, tau: .inf}
`, want: `
config.yaml:2: record.label.positive: is for classification: remove it, the label of a regression is a number
config.yaml:1: learner.mode: paper is for classification: use adaptive or unconstrained
config.yaml:4: constraints[0].criterion: demographic-parity compares rates of decisions: use mean-difference, a regression has none
config.yaml:4: constraints[0].relaxation: is for classification: remove it, a mean difference needs none
config.yaml:4: constraints[0].threshold: is for mode paper: remove it
config.yaml:5: constraints[1].tau: is 0 or missing: use the largest allowed difference of the mean predictions, in units of the label
config.yaml:6: constraints[2].tau: +Inf is not a number above 0: use the largest allowed difference of the mean predictions, in units of the label`},
		{name: "a regression's keys in a classifier", text: good + `learner: {sparsity: .1}
constraints:
  - {name: a, attribute: a, group: b, versus: c, tau: 2, criterion: mean-difference}
  - {name: d, attribute: a, group: b, versus: c, tau: 2}
`, want: `
config.yaml:2: learner.sparsity: is for regression: remove it
config.yaml:4: constraints[0].criterion: mean-difference is for regression: use one of rates, such as demographic-parity
config.yaml:5: constraints[1].tau: 2 is outside (0, 1): use the largest allowed difference of the rates, such as 0.05`},
		{name: "shares as percentages", text: good + `learner: {confidence: 95, level: 99}
monitor: {confidence: 95}
`, want: `config.yaml:2: learner.confidence: 95 is outside [0.5, 0.999]: a share is a number below 1, so write 0.95 for 95 per cent
config.yaml:2: learner.level: 99 is outside (0, 1): a share is a number below 1, so write 0.99 for 99 per cent
config.yaml:3: monitor.confidence: 95 is outside (0, 1): a share is a number below 1, so write 0.95 for 95 per cent`},
		{name: "releases", text: good + `release: {limit: 0.03, confidence: 2, deadline: 5, share: 0, rate: 0, small_groups: ignore}
`, want: `
config.yaml:2: release.confidence: 2 is outside [0.5, 1): use a number such as 0.95
config.yaml:2: release.deadline: 5 is outside 1000 to 1000000000000
config.yaml:2: release.small_groups: "ignore" is unknown: use block or waive
config.yaml:2: release.share: 0 is outside (0, 1]: use 1 for all records, or a smaller share
config.yaml:2: release.rate: 0 is outside 1 to 1000000000000`},
		{name: "a limit below tau", text: good + `constraints:
  - {name: a, attribute: a, group: b, versus: c, tau: 0.05}
release: {limit: 0.03}
`, want: `
config.yaml:4: release.limit: 0.03 is below 0.05, the tau of constraints[0]: use a limit above every tau, or remove the key`},
		{name: "not YAML", text: "a: 1\n b: [\n", want: `
config.yaml: is not YAML: line 2: mapping values are not allowed in this context`},
		{name: "empty", text: "# only a remark\n", want: `
config.yaml: is not YAML: no documents in stream`},
		{name: "a list", text: "- a\n", want: `
config.yaml:1: is a list, not keys with values: indent its keys below it
record.label.field: required: name the field to predict
record.label.positive: required: give the value that counts as positive (or predict a number, with learner.task: regression)`},
		{name: "two documents", text: good + "---\njob: b\n", want: `
config.yaml: holds several YAML documents, each after a line ---: keep one, or write each to a file of its own and name all with --config`},
		{name: "no such file", text: good, sources: Sources{Files: []string{"config.yaml", "none.yaml"}}, want: `
none.yaml: cannot be read: no such file or directory`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := write(t, test.text)
			if test.sources.Files == nil {
				test.sources.Files = files
			}
			loaded, err := Load(test.sources, test.purpose)
			if err == nil {
				t.Fatalf("accepted: %+v", loaded.Config)
			}
			_, got, _ := strings.Cut(err.Error(), "\n")
			if want := strings.TrimPrefix(test.want, "\n"); !alike(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// alike compares line by line; … at the end of a wanted line stands for the words of another package.
func alike(got, want string) bool {
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	return slices.EqualFunc(gots, wants, func(got, want string) bool {
		start, open := strings.CutSuffix(want, "…")
		return got == want || open && strings.HasPrefix(got, start) && len(got) > len(start)
	})
}

func TestServiceVariablesOfKubernetesAreNotOurs(t *testing.T) {
	files := write(t, "record: {label: {field: y, positive: 1}}")
	_, err := Load(Sources{Files: files, Environment: []string{
		"FAIRSTREAM_SERVICE_HOST=10.0.0.1", "FAIRSTREAM_SERVICE_PORT=80", "FAIRSTREAM_SERVICE_PORT_HTTP=80", "FAIRSTREAM_PORT=tcp://10.0.0.1:80",
		"FAIRSTREAM_CANARY_PORT_8080_TCP_ADDR=10.0.0.1", "FAIRSTREAM_PORT_80_TCP=x", "FAIRSTREAM_TEST_BROKER=x", "FAIRSTREAM_PROGRAM=/bin/x", "OTHER=1", "=odd",
	}}, Learning)
	if err != nil {
		t.Error(err)
	}
}
