package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

// latestLabel is after how many records the last label of a record comes.
const latestLabel = 1500

const personSections = `job: adult
record: {label: {field: income, positive: ">50K"}, key: person, time: {field: at}, ignore: [fnlwgt]}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, criterion: demographic-parity, tau: 0.05}
`

// personMessages are Adult's records without their label, one a second, and the labels as messages of their own: those that are negative early. persons has
// the number of each message's record.
func personMessages(t *testing.T, records int) (messages []string, persons []int) {
	t.Helper()
	lines, random := adultJSON(t)[:records], rand.New(rand.NewPCG(5, 6))
	due := make([][]int, records+latestLabel)
	labels := make([]string, records)
	for i, line := range lines {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		label, most := r["income"].(string), latestLabel
		if label != ">50K" {
			most /= 4
		}
		at := i + 1 + random.IntN(most-1)
		due[at], labels[i] = append(due[at], i), fmt.Sprintf(`{"person":%d,"income":%q}`, i, label)
		delete(r, "income")
		r["person"], r["at"] = i, time.Unix(1_700_000_000+int64(i), 0).UTC().Format(time.RFC3339)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(text)
	}
	for i := range due {
		for _, person := range due[i] {
			messages, persons = append(messages, labels[person]), append(persons, person)
		}
		if i < records {
			messages, persons = append(messages, lines[i]), append(persons, i)
		}
	}
	return messages, persons
}

// TestRunKilledWhileLabelsAreLate kills the process (SIGKILL) at random moments, or pauses it (SIGSTOP) until another one has taken over and then lets it
// wake, while records come and their labels follow. Processes change their folder at random, and some begin with an empty one. In the end, the weights and
// the counts are those of an undisturbed run; of several partitions, which may be read in any order, what was learnt of each.
//
// FAIRSTREAM_TEST_KILLS sets how often, 3 by default.
func TestRunKilledWhileLabelsAreLate(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRunKilled watches for races")
	}
	t.Parallel()
	kills := killsAtRandom(t)
	messages, persons := personMessages(t, min(2000*kills, 40_000))
	for _, test := range []struct {
		name, labels string
		partitions   int
	}{
		{"learnt when they come", "", 1},
		{"held", fmt.Sprintf("age: %ds", 2*latestLabel), 1},
		{"of three partitions", "", 3},
	} {
		partition := func(i int) int { return persons[i] % max(1, test.partitions-1) }
		t.Run(test.name, func(t *testing.T) {
			onBrokers(t, func(t *testing.T, addresses []string) {
				settings := fmt.Sprintf("stream: {snapshot: {records: 700}, publish: {records: 1500}, labels: {records: 100000, %s}}\n", test.labels)
				var want string
				t.Run("undisturbed", func(t *testing.T) {
					j := newJobOf(t, personSections, addresses, test.partitions, settings)
					if err := j.produceTo(t.Context(), test.partitions, messages, 0, partition); err != nil {
						t.Fatal(err)
					}
					succeed(t, "run", "--config", j.config, "--until-end")
					want = j.whatWaits(test.partitions == 1)
				})
				j := newJobOf(t, personSections, addresses, test.partitions, settings)
				j.killedWhileLabelsAreLate(kills, len(messages), func(rate int) error {
					return j.produceTo(context.Background(), test.partitions, messages, rate, partition)
				})
				succeed(t, "run", "--config", j.config, "--until-end")
				if got := j.whatWaits(test.partitions == 1); got != want {
					t.Errorf("in the end\n%s\nundisturbed\n%s", got, want)
				}
			})
		})
	}
}

// killedWhileLabelsAreLate runs one process after another while messages come.
func (j *job) killedWhileLabelsAreLate(kills, messages int, produce func(rate int) error) {
	j.t.Helper()
	const lifetime = 800 * time.Millisecond
	folders := []string{"", filepath.Join(j.t.TempDir(), "one"), filepath.Join(j.t.TempDir(), "two")}
	produced := make(chan error, 1)
	rate := messages * 1000 / int((time.Duration(kills) * lifetime).Milliseconds())
	go func() { produced <- produce(rate) }()
	random := rand.New(rand.NewPCG(3, uint64(kills)))
	var paused *child
	for i := range kills {
		folder := folders[random.IntN(2)]
		if i%2 == 1 { // the other folder is locked by the process that is paused
			folder = folders[2]
		}
		j.address = broker.FreeAddress(j.t)
		c := j.start("--set", "stream.labels.dir="+folder, "--set", "server.address="+j.address)
		if i%4 > 0 { // otherwise it is killed while it begins, perhaps
			j.eventually("begun", func() bool { code, _ := j.get("readyz"); return code != 0 })
		}
		time.Sleep(time.Duration(random.Int64N(int64(2 * lifetime))))
		if paused != nil {
			j.wake(paused)
			paused = nil
		}
		if i%2 == 0 && i < kills-1 {
			if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
				j.t.Fatal(err)
			}
			paused = c
			continue
		}
		if err := c.Process.Kill(); err != nil {
			j.t.Fatal(err)
		}
		_ = c.Wait() // it was killed
	}
	if err := <-produced; err != nil {
		j.t.Fatal(err)
	}
}

// wake lets a process go on whose job another one may have taken over. If it has, the process ends; if not, it is killed.
func (j *job) wake(c *child) {
	j.t.Helper()
	if err := c.Process.Signal(syscall.SIGCONT); err != nil {
		j.t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	_ = c.Process.Kill() // it may have ended
	if err := c.Wait(); err == nil {
		j.t.Errorf("a process that was paused ended without an error:\n%s", c.log.String())
	}
	j.t.Logf("taken over while it was paused: %v", strings.Contains(c.log.String(), "another process"))
}

// whatWaits is the newest version and perhaps its weights, and what was learnt, rejected and waits as the last snapshot counts it.
func (j *job) whatWaits(weights bool) string {
	j.t.Helper()
	state, err := stream.ReadState(j.t.Context(), stream.Kafka(j.client), j.topics.State, "adult")
	if err != nil {
		j.t.Fatal(err)
	}
	s, model := state.Snapshot, j.newest()
	text := fmt.Sprintf("version %d; %d waiting, %d held, %d bytes; rejected %v", model.Version, s.Waiting.Entries-s.Waiting.Held, s.Waiting.Held, s.Waiting.Bytes, s.Rejected)
	for _, p := range s.Partitions {
		text += fmt.Sprintf("; partition %d: next %d, learnt %+v, kept %+v", p.Partition, p.Next, p.Learnt, p.Kept)
	}
	if weights {
		text += "; weights " + model.WeightsSHA256
	}
	return text
}
