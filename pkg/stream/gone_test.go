package stream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
)

// TestTheStateTopicIsLost: the state topic is deleted and made again under a job that runs. The job ends, since nobody could go on
// from what it learns, and says which topic and which command; no start begins again unless it is asked to.
func TestTheStateTopicIsLost(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		c.put(t, 1, adultLines()[:1000])
		options := c.options()
		options.Publish = Cadence{Records: 500}
		b := inBackground(t, c, options)
		within(t, "weights", func() bool { return b.Status().Published > 0 && b.Status().Version == 1000 })

		c.remake(t, c.topics.State, options)
		var lost *owner.StateLost
		select {
		case err := <-b.result:
			if !errors.As(err, &lost) || lost.Topic != c.topics.State || lost.Err.Kind != kafka.LossRecreated {
				t.Fatalf("it ended with %v", err)
			}
			var loss *kafka.DataLoss
			if said := err.Error(); !strings.Contains(said, c.topics.State) || !strings.Contains(said, "--begin-again") || !errors.As(err, &loss) {
				t.Errorf("it says %q", said)
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("it runs on: %+v", b.Status())
		}

		var gone *StateGone
		if err := New(c, options).Run(t.Context()); !errors.As(err, &gone) || gone.Version == 0 {
			t.Fatalf("the next start: %v", err)
		}
		options.BeginAgain = true
		c.run(t, options)
		models, err := ReadModels(t.Context(), c, c.topics.Model, options.Job)
		if err != nil {
			t.Fatal(err)
		}
		if newest := models.Newest(); newest.Version != 1000 || newest.Term < 2 {
			t.Errorf("learnt again: version %d in term %d", newest.Version, newest.Term)
		}
	})
}

// TestAnAskedJobLosesItsState: a command that waits for the owner of a job says so when the state topic is made again meanwhile.
func TestAnAskedJobLosesItsState(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		c.put(t, 1, adultLines()[:1000])
		options := c.options()
		c.run(t, options)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		done := make(chan error, 1)
		go func() { // it waits for an owner
			_, err := Ask(ctx, c, options, aRequest(), Asking{Wait: time.Hour})
			done <- err
		}()
		within(t, "the request is written", func() (there bool) {
			_, err := c.Read(ctx, c.topics.State, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
				there = there || strings.Contains(string(r.Key), "/request/")
				return nil
			})
			return err == nil && there
		})
		c.remake(t, c.topics.State, options)
		var lost *owner.StateLost
		if err := <-done; !errors.As(err, &lost) || lost.Topic != c.topics.State {
			t.Errorf("it ended with %v", err)
		}
	})
}

// remake deletes a topic and makes it again, empty.
func (c *realTopics) remake(t *testing.T, topic string, options Options) {
	t.Helper()
	before, err := c.client.Topic(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.client.DeleteTopic(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	for _, spec := range options.TopicSpecs(1) {
		if spec.Name != topic {
			continue
		}
		within(t, "the topic is made again", func() bool { // a broker learns a moment later that one is deleted, and till then says that it exists
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
			defer stop()
			if _, err := c.client.CreateTopics(ctx, spec); err != nil {
				return false
			}
			after, err := c.client.Topic(ctx, topic)
			return err == nil && after.ID != before.ID
		})
	}
}

// within waits for something that happens soon.
func within(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within three minutes: %s", what)
		}
	}
}
