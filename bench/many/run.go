package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"syscall"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// outcome is what came of one stream.
type outcome struct {
	seconds  float64 // processor time of learning
	onTheWay float64 // accuracy of the decisions before learning, from record settled on
	accuracy float64 // of the weights at the end, on fresh records
	pairs    int     // comparisons
	within   int     // of these, true differences within tau
	covered  int     // of these, true differences in the document's interval
	binding  int     // comparisons that bind
	held     int     // of these, true differences in the document's interval
	pressed  int     // of these, with a multiplier at the end
	largest  float64 // true difference
	state    int     // bytes of a snapshot
	changes  int     // that the comparisons saw
	unsteady int     // of the documents that were looked at, those with the condition unsteady
	looks    int     // documents that were looked at
	kept     int     // records from which on every look shows the first comparison within tau, 0 without looks
}

// settled is the record from which on decisions on the way are counted, in a stream that is long enough.
const settled = 10_000

// stream is what is learnt, and the fresh records that the weights are measured on.
type stream struct {
	world  world
	learnt []record.Record
	fresh  []shifted
}

func (w world) stream(seed uint64, records, fresh int) stream {
	return stream{w, w.draw(rand.New(rand.NewPCG(seed, 1)), records), w.fresh(seed, fresh)}
}

// learn learns a stream and measures the weights that come of it. Every so many records it looks at the first comparison.
func (s stream) learn(c model.Config, every int) (o outcome, err error) {
	learner, err := model.New(c)
	if err != nil {
		return o, err
	}
	from := min(settled, len(s.learnt)/2)
	early, err := s.follow(learner, 0, from, every, &o)
	if err != nil {
		return o, err
	}
	all, err := s.follow(learner, from, len(s.learnt), every, &o)
	if err != nil {
		return o, err
	}
	o.onTheWay = (all - early) / float64(len(s.learnt)-from)
	d, err := learner.Document()
	if err != nil {
		return o, err
	}
	o.state = len(learner.AppendState(nil))
	return o, s.measure(d, &o)
}

// looked is how many fresh records of each shift a look measures on.
const looked = 10_000

// follow learns the records from, ..., to-1, and notes in o after which look the first comparison is within tau to stay.
func (s stream) follow(learner *model.Learner, from, to, every int, o *outcome) (right float64, err error) {
	for from < to {
		next := to
		if every > 0 {
			next = min(to, from-from%every+every)
		}
		right = pass(learner, s.learnt[from:next], &o.seconds)
		if from = next; every == 0 || from%every != 0 {
			continue
		}
		d, err := learner.Document()
		if err != nil {
			return 0, err
		}
		_, rates, err := decided(d, s.fresh, looked)
		if err != nil {
			return 0, err
		}
		o.looks++
		if slices.ContainsFunc(d.Measurements.Conditions, func(c document.Condition) bool { return c.Code == document.Unsteady }) {
			o.unsteady++
		}
		if truth := s.world.differences(rates)[0]; math.Abs(truth) > d.Constraints[0].Tau {
			o.kept = from + every
		}
	}
	return right, nil
}

// pass learns records, and returns how many decisions on the way have been right since the stream began.
func pass(learner *model.Learner, records []record.Record, seconds *float64) float64 {
	started := processor()
	for i := range records {
		learner.Learn(&records[i])
	}
	*seconds += processor() - started
	return learner.Report().Accuracy.Value * float64(learner.Version())
}

// measure decides the fresh records, and compares what the document says of its comparisons with the truth.
func (s stream) measure(d *document.Document, o *outcome) error {
	accuracy, rates, err := decided(d, s.fresh, math.MaxInt)
	if err != nil {
		return err
	}
	o.accuracy, o.pairs = accuracy, len(d.Constraints)
	differences, places, signs := s.world.differences(rates), s.world.places(), s.world.signs()
	for i := range d.Constraints {
		claim, truth := &d.Constraints[i], differences[i]
		o.largest = max(o.largest, math.Abs(truth))
		if math.Abs(truth) <= claim.Tau {
			o.within++
		}
		if signs[places[i]] != 0 {
			o.binding++
		}
		if claim.Lo <= truth && truth <= claim.Hi {
			o.covered++
			if signs[places[i]] != 0 {
				o.held++
			}
		}
	}
	for _, control := range d.Measurements.Control {
		o.changes += int(control.Changes)
		if control.Multiplier != 0 {
			o.pressed++
		}
	}
	return nil
}

// processor is the processor time of the process, in seconds.
func processor() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
