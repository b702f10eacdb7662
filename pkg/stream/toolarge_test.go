package stream

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/test/broker"
)

// limited makes a topic that takes so many bytes at once, and gives its name.
func (c *realTopics) limited(t *testing.T, name string, kind kafka.TopicKind, bytes int) string {
	t.Helper()
	if _, err := c.client.CreateTopics(t.Context(), kafka.TopicSpec{Name: name, Kind: kind, MaxMessageBytes: bytes}); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestADocumentTooLargeForItsTopic: the error says by how much and what to do, nothing that was learnt is
// lost, and once the topic takes it the next start publishes it.
func TestADocumentTooLargeForItsTopic(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		lines := adultLines()[:3000]
		c.put(t, 1, lines)
		options := c.options()
		options.Topics.Model = c.limited(t, c.topics.Model+".small", kafka.ModelTopic, 10_000)
		err := New(c, options).Run(t.Context())
		if err == nil || !kafka.TooLarge(err) {
			t.Fatalf("the error is %v", err)
		}
		for _, words := range []string{"the weights could not be published", options.Topics.Model, "the batch has ", "--add-config max.message.bytes=",
			"learner.vocabulary.levels"} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%v does not say %q", err, words)
			}
		}
		state, err := ReadState(t.Context(), c, options.Topics.State, "adult")
		if err != nil || state.Snapshot.Version != 3000 {
			t.Fatalf("saved %+v, %v", state.Snapshot, err)
		}
		broker.Alter(t, c.addresses[0], options.Topics.Model, map[string]string{"max.message.bytes": "8388608"})
		// A real broker answers before the topic takes more.
		err = New(c, options).Run(t.Context())
		for deadline := time.Now().Add(10 * time.Second); kafka.TooLarge(err) && time.Now().Before(deadline); {
			err = New(c, options).Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		models, err := ReadModels(t.Context(), c, options.Topics.Model, "adult")
		if err != nil || models.Newest() == nil {
			t.Fatalf("%+v, %v", models, err)
		}
		if want := plain(t, lines).WeightsSHA256; models.Newest().Version != 3000 || models.Newest().WeightsSHA256 != want {
			t.Errorf("published %+v, want weights %s", models.Newest(), want)
		}
	})
}

// TestADeadLetterTooLargeForItsTopic: such a record is neither learnt nor lost, and the stream stops rather
// than pass over it.
func TestADeadLetterTooLargeForItsTopic(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		lines := adultLines()[:300]
		large := fmt.Sprintf(`{"note":"%s"}`, strings.Repeat("n", 5000)) // without a label
		c.put(t, 1, append(append(lines[:200:200], large), lines[200:]...))
		options := c.options()
		options.Topics.DeadLetter = c.limited(t, c.topics.DeadLetter+".small", kafka.DeadLetterTopic, 4000)
		err := New(c, options).Run(t.Context())
		if err == nil || !kafka.TooLarge(err) || !strings.Contains(err.Error(), "dead letters: ") || !strings.Contains(err.Error(), options.Topics.DeadLetter+"/0") ||
			strings.Contains(err.Error(), "nnn") {
			t.Fatalf("the error is %v", err)
		}
		state, err := ReadState(t.Context(), c, options.Topics.State, "adult")
		if err != nil || state.Snapshot.Partitions[0].Next > 200 {
			t.Fatalf("saved %+v, %v", state.Snapshot, err)
		}
		broker.Alter(t, c.addresses[0], options.Topics.DeadLetter, map[string]string{"max.message.bytes": "1048588"})
		if s := c.run(t, options); s.Status().Version != 300 || s.Status().DeadLetters != 1 {
			t.Errorf("learnt %d, %d dead letters", s.Status().Version, s.Status().DeadLetters)
		}
		letters := 0
		if _, err := c.Read(t.Context(), options.Topics.DeadLetter, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			if letters++; string(r.Value) != large {
				t.Errorf("the letter at %d is not the record", r.Offset)
			}
			return nil
		}); err != nil || letters != 1 {
			t.Errorf("%d letters, %v", letters, err)
		}
	})
}
