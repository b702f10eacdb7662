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
	own   bool                      // known is asked after the learner has decided
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
	{name: "all labels", known: func(applicant) float64 { return 1 }},
	{name: "random, 80 % known", known: func(applicant) float64 { return .8 }},
	{name: "random, 40 % known", known: func(applicant) float64 { return .4 }},
	{name: "random, 10 % known", known: func(applicant) float64 { return .1 }},
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
	{name: "late by the label", known: func(applicant) float64 { return 1 }, after: func(positive bool) int {
		if positive {
			return 8000
		}
		return 2000
	}},
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
