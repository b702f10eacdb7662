package main

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// learn reads and learns the whole topic, as a job that has no state.
func (l *load) learn(ctx context.Context) (int64, error) {
	s := stream.New(stream.Kafka(l.client), l.options())
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
		Job: fmt.Sprintf("load-%d", time.Now().UnixMilli()),
		Model: model.Config{
			Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
			Learner:     model.DefaultLearner(),
			Constraints: []model.Constraint{constraint},
		},
		Topics:   l.topics(),
		Config:   stream.Config{Publish: stream.Cadence{Records: 500_000}},
		UntilEnd: true,
		Program:  "load",
	}
}
