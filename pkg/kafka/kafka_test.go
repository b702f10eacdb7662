package kafka

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSecretsAreNotShown: by no verb and no encoder.
func TestSecretsAreNotShown(t *testing.T) {
	c := Config{SASLUsername: "ada", SASLPassword: "hunter2"}
	encoded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(encoded), fmt.Sprint(c), fmt.Sprintf("%+v %#v %q %x", c, c, c.SASLPassword, c.SASLPassword), c.SASLPassword.String()} {
		if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) || !strings.Contains(text, "[redacted]") {
			t.Errorf("%s", text)
		}
	}
	if text := fmt.Sprintf("%v%s", Secret(""), Secret("").String()); text != "" {
		t.Errorf("no password is shown as %q", text)
	}
}

// TestTopicIDs: in Kafka's own form, and back. The example is from the documentation of Kafka's Uuid: 16 zero bytes but for the last.
func TestTopicIDs(t *testing.T) {
	id := TopicID{15: 1}
	if got := id.String(); got != "AAAAAAAAAAAAAAAAAAAAAQ" {
		t.Error(got)
	}
	text, err := id.MarshalText()
	var back TopicID
	if err != nil || back.UnmarshalText(text) != nil || back != id {
		t.Errorf("%s, %v", back, err)
	}
	for _, bad := range []string{"", "AAAA", "AAAAAAAAAAAAAAAAAAAAAQ==", "AAAAAAAAAAAAAAAAAAAAA!", "AAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		if err := back.UnmarshalText([]byte(bad)); !errors.Is(err, ErrNoTopicID) || back != id {
			t.Errorf("%q: %v, %v", bad, err, back)
		}
	}
}

// TestLosses: where reading goes on under each policy, what was lost on the way, and what the message says.
func TestLosses(t *testing.T) {
	bounds := Bounds{Start: 100, End: 500}
	for _, c := range []struct {
		kind         LossKind
		offset       int64
		policy       LossPolicy
		resume, lost int64
		says         string
	}{
		{LossBelowStart, 40, LossEarliest, 100, 60, "offset 40 was due, but the log begins at 100, so 60 offsets are gone"},
		{LossBelowStart, 40, LossLatest, 500, 460, "so 460 offsets are gone"},
		{LossBelowStart, 40, LossFails, -1, 60, "set stream.data_loss to earliest or latest"},
		{LossAboveEnd, 700, LossEarliest, 100, 200, "offset 700 was due, but the log ends at 500, so 200 offsets that were read are gone"},
		{LossAboveEnd, 700, LossLatest, 500, 200, "an unclean leader election, or another cluster?"},
		{LossReplaced, 450, LossEarliest, 300, 150, "150 offsets that were read, from 300 on, are gone or belong to other records"},
		{LossReplaced, 450, LossLatest, 500, 150, "set stream.data_loss to earliest"},
		{LossRecreated, 450, LossEarliest, 100, -1, "the topic was deleted and made again (id AAAAAAAAAAAAAAAAAAAAAA, now AQAAAAAAAAAAAAAAAAAAAA): offset 450 belongs to the old one"},
		{LossRecreated, 450, LossLatest, 500, -1, "was deleted and made again"},
		{LossPartitionGone, 450, LossEarliest, -1, -1, "the partition is gone: the topic was made again with fewer partitions"},
	} {
		l := &DataLoss{Kind: c.kind, Topic: "in", Partition: 3, Offset: c.offset, Bounds: bounds, Kept: 300, NewID: TopicID{1}}
		l.Apply(c.policy)
		if l.Resume != c.resume || l.Lost != c.lost {
			t.Errorf("%s, %s: resumes at %d with %d lost, want %d and %d", c.kind, c.policy, l.Resume, l.Lost, c.resume, c.lost)
		}
		if text := l.Error(); !strings.HasPrefix(text, "in/3: ") || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", c.kind, text)
		}
	}
}

// TestFenced: a transaction that was open for too long need not mean another process.
func TestFenced(t *testing.T) {
	if text := (&Fenced{ID: "loans.score"}).Error(); text != "another process took over the transactional id loans.score: one process at a time may write under it" {
		t.Error(text)
	}
	if text := (&Fenced{ID: "loans.score", TimedOut: 61400 * time.Millisecond}).Error(); !strings.HasPrefix(text, "a transaction of loans.score was open for 1m1s, and the broker ended it") {
		t.Error(text)
	}
}
