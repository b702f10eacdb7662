package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// beginJob makes the topics of a job without state. end deletes them.
func (l *load) beginJob(ctx context.Context) (end func() error, err error) {
	l.job = fmt.Sprintf("load-%d", time.Now().UnixNano())
	t := l.jobTopics()
	names := []string{t.Model, t.State, t.DeadLetter}
	end = func() (err error) {
		for _, name := range names {
			err = errors.Join(err, l.client.DeleteTopic(context.WithoutCancel(ctx), name))
		}
		return err
	}
	if _, err = l.client.CreateTopics(ctx, stream.Options{Topics: t}.TopicSpecs(0)...); err != nil {
		return end, err
	}
	for _, name := range names { // until their partitions have leaders
		err = errors.Join(err, l.client.Retry(ctx, "list offsets of "+name, func(ctx context.Context) error {
			_, err := l.client.Bounds(ctx, name)
			return err
		}))
	}
	return end, err
}

// jobTopics are those of the job: its own, but for the input.
func (l *load) jobTopics() stream.Topics {
	t := l.topics()
	t.Model, t.State, t.DeadLetter = l.job+".models", l.job+".state", l.job+".dlq"
	return t
}

// learn reads and learns the whole topic, as a job that has no state.
func (l *load) learn(ctx context.Context) (int64, error) {
	s := stream.New(stream.Kafka(l.client), l.options())
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	return s.Status().Version, nil
}

// learnTimed is learn, with the processor time of the goroutine that learns. It takes the records in their order, so it bounds the rate however many
// processors decode. The goroutine has a thread to itself then, and handing over to it takes longer.
func (l *load) learnTimed(ctx context.Context) (int64, error) {
	options := l.options()
	var begun time.Duration
	options.Look = func([]byte) bool {
		runtime.LockOSThread()
		begun = threadCPU()
		return false
	}
	options.Notify = func(e stream.Event) {
		if _, ended := e.(stream.Draining); ended { // told by the goroutine that learns
			l.learner = threadCPU() - begun
		}
	}
	s := stream.New(stream.Kafka(l.client), options)
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	return s.Status().Version, nil
}

// learnOnly is learn without releases.
func (l *load) learnOnly(ctx context.Context) (int64, error) {
	options := l.options()
	options.Release.Enabled = new(bool)
	s := stream.New(stream.Kafka(l.client), options)
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	return s.Status().Version, nil
}

// options are those of a job that publishes often enough for versions to be tested: monitor and releases are on, as they are
// by default.
func (l *load) options() stream.Options {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	return stream.Options{
		Job: l.job,
		Model: model.Config{
			Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
			Learner:     model.DefaultLearner(),
			Constraints: []model.Constraint{constraint},
		},
		Topics:   l.jobTopics(),
		Config:   stream.Config{Publish: stream.Cadence{Records: 500_000}},
		UntilEnd: true,
		Program:  "load",
	}
}
