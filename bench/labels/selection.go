package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

// selection says of which records of a stream the label comes, and when.
type selection struct {
	name  string
	known func(a applicant) float64 // probability that the label comes
	after func(positive bool) int   // records until it does; nil: with its record
	held  bool                      // it is learnt when the latest label could have come (stream.labels.age)
	own   bool                      // known is asked after the learner has decided
	// random says that labels are known at random, or all.
	random bool
}

// latest is after how many records the latest label comes.
func (s *selection) latest() int {
	if s.after == nil {
		return 0
	}
	return max(s.after(true), s.after(false))
}

// due is after how many records the label of one is learnt.
func (s *selection) due(positive bool) int {
	if s.held {
		return s.latest()
	}
	return s.after(positive)
}

// always is a probability that depends on nothing.
func always(probability float64) func(applicant) float64 {
	return func(applicant) float64 { return probability }
}

// late are labels of which the negative ones come four times as early as the positive ones, as bad loans show early.
func late(records int) func(positive bool) int {
	return func(positive bool) int {
		if positive {
			return records
		}
		return records / 4
	}
}

// applicant is what a selection may depend on.
type applicant struct {
	education, hours float64
	woman, positive  bool // positive label
	accepted         bool // by the learner's own decision
}

// explored is the share of negative decisions whose label is found out.
const explored = .02

// selections are those of the study.
var selections = []selection{
	{name: "all labels", random: true, known: always(1)},
	{name: "random, 80 % known", random: true, known: always(.8)},
	{name: "random, 40 % known", random: true, known: always(.4)},
	{name: "random, 10 % known", random: true, known: always(.1)},
	{name: "by education", known: func(a applicant) float64 {
		if a.education >= 10 {
			return .95
		}
		return .1
	}},
	{name: "by a past score", known: func(a applicant) float64 {
		return 1 / (1 + math.Exp(-(a.education-10)/1.5-(a.hours-40)/15))
	}},
	{name: "by group", known: func(a applicant) float64 {
		if a.woman {
			return .2
		}
		return .8
	}},
	{name: "by own decision", own: true, known: func(a applicant) float64 {
		if a.accepted {
			return 1
		}
		return explored
	}},
	{name: "by own decision alone", own: true, known: func(a applicant) float64 {
		if a.accepted {
			return 1
		}
		return 0
	}},
	{name: "by the label itself", known: func(a applicant) float64 {
		if a.positive {
			return .8
		}
		return .4
	}},
	{name: "late, 1,000 records", random: true, held: true, after: late(1_000)},
	{name: "late, 20,000 records", random: true, held: true, after: late(20_000)},
	{name: "late, 60,000 records", random: true, held: true, after: late(60_000)},
	{name: "late, 1,000 records, by labels", random: true, after: late(1_000)},
	{name: "late, 20,000 records, by labels", random: true, after: late(20_000)},
	{name: "late, 60,000 records, by labels", random: true, after: late(60_000)},
}

func applicantOf(r *record.Record) (a applicant) {
	a.positive = r.Positive
	for i := range r.Features {
		f := &r.Features[i]
		switch f.Name {
		case "education_num":
			a.education = number(f)
		case "hours_per_week":
			a.hours = number(f)
		}
	}
	a.woman = string(r.Attributes[0].Text) == "Female"
	return a
}

func number(f *record.Field) float64 {
	x, err := strconv.ParseFloat(string(f.Text), 64)
	if err != nil {
		return 0
	}
	return x
}

// comes says whether the label of a record comes.
func (s *selection) comes(random *rand.Rand, a applicant) bool { return random.Float64() < s.known(a) }
