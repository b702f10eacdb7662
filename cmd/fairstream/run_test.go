package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

// asCommand makes the test binary behave as the command, for tests that kill it.
const asCommand = "FAIRSTREAM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(broker.Main(m))
}

// job is a configuration with topics of its own on some broker.
type job struct {
	t         *testing.T
	client    *kafka.Client
	config    string // path
	topics    stream.Topics
	address   string // of the server
	addresses []string
	command   string // run, if empty
}

// onBrokers runs a test on the embedded broker and on a real one.
func onBrokers(t *testing.T, test func(t *testing.T, addresses []string)) {
	t.Run("embedded", func(t *testing.T) {
		b, err := devbroker.Start(devbroker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		test(t, b.Addresses())
	})
	t.Run("real", func(t *testing.T) { test(t, []string{broker.Shared(t).Address}) })
}

const adultSections = `job: adult
record: {label: {field: income, positive: ">50K"}, ignore: [fnlwgt]}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, criterion: demographic-parity, tau: 0.05}
`

func newJob(t *testing.T, addresses []string, partitions int, extra string) *job {
	t.Helper()
	return newJobOf(t, adultSections, addresses, partitions, extra)
}

// newJobOf is newJob for what some sections say is learnt.
func newJobOf(t *testing.T, sections string, addresses []string, partitions int, extra string) *job {
	t.Helper()
	client, err := kafka.Open(kafka.Config{Brokers: addresses}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	input := strings.NewReplacer("/", ".", "#", ".").Replace(t.Name())
	j := &job{t: t, client: client, config: filepath.Join(t.TempDir(), "config.yaml"), address: broker.FreeAddress(t), addresses: addresses,
		topics: stream.Topics{Input: input, Model: input + ".models", State: input + ".state", DeadLetter: input + ".dlq"}}
	if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: input, Kind: kafka.InputTopic, Partitions: partitions}); err != nil {
		t.Fatal(err)
	}
	text := sections + extra + fmt.Sprintf("kafka: {brokers: [%q]}\ntopics: {input: %s}\nserver: {address: %s}\n", addresses[0], input, j.address)
	if err := os.WriteFile(j.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return j
}

// child is the command in a process of its own.
type child struct {
	*exec.Cmd
	log bytes.Buffer
}

func (j *job) start(args ...string) *child {
	j.t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], append([]string{cmp.Or(j.command, "run"), "--config", j.config}, args...)...)}
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Stderr = &c.log
	if err := c.Start(); err != nil {
		j.t.Fatal(err)
	}
	return c
}

// produce writes lines, in turns over the partitions, at a pace of so many a second; 0: at once.
func (j *job) produce(ctx context.Context, partitions int, lines []string, rate int) error {
	return j.produceTo(ctx, partitions, lines, rate, func(i int) int { return i % partitions })
}

// produceTo is produce, to the partition of each line.
func (j *job) produceTo(ctx context.Context, partitions int, lines []string, rate int, partition func(line int) int) error {
	const batch = 500
	begin := time.Now()
	sent := 0
	for part := range slices.Chunk(lines, batch) {
		messages := make([][]kafka.Message, partitions)
		for i, line := range part {
			p := partition(sent + i)
			messages[p] = append(messages[p], kafka.Message{Value: []byte(line)})
		}
		for p := range messages {
			if len(messages[p]) == 0 {
				continue
			}
			if _, err := j.client.Produce(ctx, j.topics.Input, int32(p), messages[p]...); err != nil {
				return err
			}
		}
		sent += len(part)
		if rate > 0 {
			time.Sleep(time.Until(begin.Add(time.Duration(sent) * time.Second / time.Duration(rate))))
		}
	}
	return nil
}

func adultJSON(t *testing.T) []string {
	t.Helper()
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for {
		switch err := reader.Next(); {
		case err == io.EOF:
			return lines
		case err != nil:
			t.Fatal(err)
		}
		lines = append(lines, string(reader.AppendJSON(nil)))
	}
}

// weightsOf is the weights' sum that replay finds for the same lines.
func weightsOf(t *testing.T, lines []string) string {
	t.Helper()
	return weightsBy(t, adultSections, lines)
}

func weightsBy(t *testing.T, sections string, lines []string) string {
	t.Helper()
	directory := t.TempDir()
	input, config := filepath.Join(directory, "lines.jsonl"), filepath.Join(directory, "config.yaml")
	if err := os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(sections), 0o600); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Model struct {
			SHA256 string `json:"weights_sha256"`
		} `json:"model"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "replay", "--config", config, "--input", input, "--json")), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Model.SHA256
}

func (j *job) newest() *stream.Model {
	j.t.Helper()
	models, err := stream.ReadModels(j.t.Context(), stream.Kafka(j.client), j.topics.Model, "adult")
	if err != nil {
		j.t.Fatal(err)
	}
	if models.Newest() == nil {
		j.t.Fatal("nothing was published")
	}
	return models.Newest()
}

func TestRunUntilTheEnd(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 1, "")
		lines := adultJSON(t)[:10000]
		if err := j.produce(t.Context(), 1, lines, 0); err != nil {
			t.Fatal(err)
		}
		succeed(t, "run", "--config", j.config, "--until-end")
		if got, want := j.newest(), weightsOf(t, lines); got.WeightsSHA256 != want || got.Version != 10000 {
			t.Errorf("version %d with weights %s, replay finds %s", got.Version, got.WeightsSHA256, want)
		}
		succeed(t, "run", "--config", j.config, "--until-end") // nothing is left to do
	})
}

func TestRunServesAndDrains(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 2, "stream: {publish: {records: 1000}}\n")
		c := j.start()
		defer func() { _ = c.Process.Kill() }()
		j.eventually("ready", func() bool { code, _ := j.get("readyz"); return code == http.StatusOK })
		if err := j.produce(t.Context(), 2, adultJSON(t)[:5000], 0); err != nil {
			t.Fatal(err)
		}
		j.eventually("learnt", func() bool {
			_, text := j.get("metrics")
			return strings.Contains(text, "\nfairstream_records_learnt_total 5000\n") && strings.Contains(text, `fairstream_lag_records{partition="1"} 0`)
		})
		if code, _ := j.get("livez"); code != http.StatusOK {
			t.Errorf("livez answers %d", code)
		}
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("after SIGTERM: %v\n%s", err, c.log.String())
		}
		if got := j.newest(); got.Version != 5000 {
			t.Errorf("version %d was published", got.Version)
		}
		if strings.Contains(c.log.String(), "Bachelors") {
			t.Error("a value of a record is in the log")
		}
	})
}

// get gives an answer; of metrics without the label that every series has.
func (j *job) get(path string) (code int, body string) {
	response, err := http.Get("http://" + j.address + "/" + path)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, strings.NewReplacer(`{job_name="adult"}`, "", `job_name="adult",`, "", `,job_name="adult"`, "").Replace(string(text))
}

func (j *job) eventually(what string, is func() bool) {
	j.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			j.t.Fatalf("not %s after five minutes", what)
		}
	}
}

// TestRunKilled kills the process (SIGKILL) at random moments while records come. In the end, the weights
// are those of an undisturbed run; with several partitions, every offset was learnt once.
//
// FAIRSTREAM_TEST_KILLS sets how often, 3 by default.
func TestRunKilled(t *testing.T) {
	t.Parallel()
	kills := killsAtRandom(t)
	const lifetime = 600 * time.Millisecond
	lines := adultJSON(t)
	lines = lines[:min(len(lines), 5000*kills)]
	want := weightsOf(t, lines)
	for _, partitions := range []int{1, 4} {
		onBrokers(t, func(t *testing.T, addresses []string) {
			j := newJob(t, addresses, partitions, "stream: {snapshot: {records: 1500}, publish: {records: 2500}}\n")
			produced := make(chan error, 1)
			go func() {
				produced <- j.produce(context.Background(), partitions, lines, len(lines)*1000/int((time.Duration(kills)*lifetime).Milliseconds()))
			}()
			random := rand.New(rand.NewPCG(uint64(partitions), 7))
			for range kills {
				c := j.start()
				time.Sleep(time.Duration(random.Int64N(int64(2 * lifetime))))
				if err := c.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = c.Wait() // it was killed
			}
			if err := <-produced; err != nil {
				t.Fatal(err)
			}
			succeed(t, "run", "--config", j.config, "--until-end")
			j.complete(len(lines))
			if got := j.newest(); partitions == 1 && got.WeightsSHA256 != want {
				t.Errorf("version %d with weights %s, undisturbed %s", got.Version, got.WeightsSHA256, want)
			}
		})
	}
}

// complete checks that every offset of every partition was learnt once, and, unless records is negative,
// how many there are.
func (j *job) complete(records int) {
	j.t.Helper()
	state, err := stream.ReadState(j.t.Context(), stream.Kafka(j.client), j.topics.State, "adult")
	if err != nil {
		j.t.Fatal(err)
	}
	if records >= 0 && state.Snapshot.Version != int64(records) {
		j.t.Errorf("%d records were learnt, want %d", state.Snapshot.Version, records)
	}
	for _, p := range state.Snapshot.Partitions {
		if want := intake.TallyOf(p.Partition, 0, p.Next); p.Learnt != want {
			j.t.Errorf("partition %d: learnt %+v to offset %d, want %+v", p.Partition, p.Learnt, p.Next, want)
		}
	}
	j.t.Logf("term %d, %d snapshots of the last owner", state.Holder.Term, state.Snapshot.Sequence)
}

// killsAtRandom is how often a process is killed.
func killsAtRandom(t *testing.T) int {
	t.Helper()
	text := os.Getenv("FAIRSTREAM_TEST_KILLS")
	if text == "" {
		return 3
	}
	kills, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return kills
}

func TestRunGivesUp(t *testing.T) {
	inDirectory(t, map[string]string{
		"incomplete.yaml": learning,
		"nowhere.yaml":    learning + "kafka: {brokers: [\"127.0.0.1\"]}\ntopics: {input: records}\n",
	})
	for _, test := range []struct{ args, says string }{
		{"run", "no configuration file"},
		{"run -c incomplete.yaml", "topics.input: required"},
		{"run -c nowhere.yaml", "kafka.brokers[0]"},
	} {
		code, _, stderr := fairstream(t, strings.Fields(test.args)...)
		if code != misuse || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: exit code %d\n%s", test.args, code, stderr)
		}
	}
}
