package stream

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// learnt is a learner that has learnt lines.
func learnt(t *testing.T, options Options, lines []string) *model.Learner {
	t.Helper()
	learner, err := model.New(options.Model)
	if err != nil {
		t.Fatal(err)
	}
	learnMore(t, options, learner, lines)
	return learner
}

func learnMore(t *testing.T, options Options, learner *model.Learner, lines []string) {
	t.Helper()
	schema, err := options.Model.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	for _, line := range lines {
		var r record.Record
		if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Add(&r)
	}
}

// TestStartFrom: a job begins from a state that was learnt from files, at the offsets that are given, ends with the weights of a learner that
// learnt both one after the other, and the history tells of the file. With the same file it goes on; another one is refused.
func TestStartFrom(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		lines := adultLines()[:4000]
		c.put(t, 1, lines[1500:])
		options := c.options()
		learner := learnt(t, options, lines[:2000])
		options.StartFrom = &StartFrom{Learner: learner.AppendState(nil), SHA256: strings.Repeat("ab", 32), Offsets: map[int32]int64{0: 500}}

		wrong := *options.StartFrom
		for _, test := range []struct {
			offsets map[int32]int64
			words   string
		}{{map[int32]int64{1: 500}, "no partition 1"}, {map[int32]int64{}, "partition 0 is missing"}, {map[int32]int64{0: 2501}, "2501 is none of them"}} {
			wrong.Offsets = test.offsets
			refused := options
			refused.StartFrom = &wrong
			var offsets *WrongOffsets
			if err := New(c, refused).Run(t.Context()); !errors.As(err, &offsets) || !strings.Contains(err.Error(), test.words) {
				t.Errorf("%v: %v", test.offsets, err)
			}
		}

		var told atomic.Value // how it began last
		options.Notify = func(e Event) {
			switch e := e.(type) {
			case Begun:
				told.Store(fmt.Sprintf("begun %.4s", e.From))
			case Resumed:
				told.Store(fmt.Sprintf("resumed %.4s", e.Given))
			}
		}
		c.run(t, options)
		if told.Load() != "begun abab" {
			t.Errorf("it is told as %q", told.Load())
		}
		learnMore(t, options, learner, lines[2000:])
		want, err := learner.Document()
		if err != nil {
			t.Fatal(err)
		}
		models, err := ReadModels(t.Context(), c, c.topics.Model, options.Job)
		if err != nil {
			t.Fatal(err)
		}
		if newest := models.Newest(); newest.Version != 4000 || want.WeightsSHA256 == "" || newest.WeightsSHA256 != want.WeightsSHA256 {
			t.Errorf("version %d with the weights %s, want %s", newest.Version, newest.WeightsSHA256, want.WeightsSHA256)
		}
		if owners := whole(t, c, c.topics).Owners; owners[0].StartedFrom != options.StartFrom.SHA256 || owners[0].Owner.Version != 2000 {
			t.Errorf("the history says %+v", owners[0])
		}

		if s := c.run(t, options); s.Status().Version != 4000 {
			t.Errorf("with the same file it goes on from version %d", s.Status().Version)
		}
		if told.Load() != "resumed abab" {
			t.Errorf("with the same file it is told as %q", told.Load())
		}
		without := options
		without.StartFrom = nil
		c.run(t, without)
		c.run(t, options)
		other := *options.StartFrom
		other.SHA256 = strings.Repeat("cd", 32)
		options.StartFrom = &other
		var state *OtherState
		if err := New(c, options).Run(t.Context()); !errors.As(err, &state) || state.Version != 4000 || !strings.Contains(err.Error(), "abab") || !strings.Contains(err.Error(), "--start-from") {
			t.Errorf("another file: %v", err)
		}
	})
}

// TestStartFromOntoAJob: a job that began with nothing takes no file.
func TestStartFromOntoAJob(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		lines := adultLines()[:1500]
		c.put(t, 1, lines)
		options := c.options()
		c.run(t, options)
		options.StartFrom = &StartFrom{Learner: learnt(t, options, lines).AppendState(nil), SHA256: "ab"}
		var state *OtherState
		if err := New(c, options).Run(t.Context()); !errors.As(err, &state) || !strings.Contains(err.Error(), "began with nothing") {
			t.Errorf("it was taken: %v", err)
		}
	})
}

// TestStartTooLate: a job that is to start at a time which no record has reached tells that it passes over those that are there.
func TestStartTooLate(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		c.put(t, 1, adultLines()[:100])
		for start, want := range map[string]bool{"2126-11-21T08:30:00Z": true, "2025-11-21T08:30:00Z": false, Latest: false} {
			options := c.options()
			options.Job = "job-" + strings.ToLower(start[:4])
			options.Start = start
			var tooLate atomic.Bool
			options.Notify = func(e Event) {
				if begun, is := e.(Begun); is {
					tooLate.Store(begun.TooLate)
				}
			}
			_ = New(c, options).Run(t.Context()) // so few records are not enough for weights
			if tooLate.Load() != want {
				t.Errorf("%s: too late: %v", start, tooLate.Load())
			}
		}
	})
}
