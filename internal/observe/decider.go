package observe

import (
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Decider makes or reads the decisions of a stream: a learner, or the decisions of other models.
type Decider interface {
	// Take takes in the record of a sight, and sets its decision, which is zero but for the record's levels if they are known, to the one
	// that was made before. A record without a label never gets one.
	Take(s *Sight)
	// Await is Take of a record whose label comes later.
	Await(s *Sight)
	// Never takes note that the label of a record that was awaited does not come any more. Counts says whether that matters.
	Never(r *record.Record)
	Counts() bool
	// Refuse says why a record cannot be used; nil if it can.
	Refuse(r *record.Record) *record.Rejection
	// Learns says whether weights come of what is taken in. If not, all that the job does is to monitor.
	Learns() bool
	// Several says whether each decision names its model, and Changed whether what was restored was counted of other decisions or groups.
	Several() bool
	Changed() bool
	// Subject describes the model to a monitor.
	Subject(model string) monitor.Subject
	// Levels are those of a record's attributes, valid until the next record.
	Levels(r *record.Record) []fairness.Level
	// Grouper gives the sides of records in the comparisons.
	Grouper() *fairness.Grouper
	// Config is the configuration with every default filled in.
	Config() model.Config
	// Version is the number of records taken, and of labels that came after their record.
	Version() int64
	// Labelled is how many records came with their label, or got it later.
	Labelled() int64
	// Hold takes the state of this moment, everything that was taken in, and returns what gives its bytes, in pieces, on any goroutine.
	Hold() (state func() [][]byte)
	// Ready says that Measure is cheap: no first records are held back.
	Ready() bool
	// Measure measures the published weights; nil if nothing is published.
	Measure() *document.Measurements
	// Draft takes what a document of this moment needs. It must not be called where Measure is nil. The error says that the weights have
	// diverged.
	Draft() (*model.Draft, error)
}

// Learner makes a decider of a learner.
func Learner(l *model.Learner) Decider {
	config := l.Config()
	return ours{l, config.Record.Counts()}
}

// ours is a learner as a decider.
type ours struct {
	*model.Learner
	counts bool // records without a label count
}

func (o ours) Take(s *Sight) {
	m := &s.Made
	switch {
	case !s.Record.HasLabel:
		m.set(o.Add(s.Record))
	case s.Waits != nil && o.counts:
		m.set(o.LearnLate(s.Record, s.Waits.Number))
	default:
		m.set(o.LearnAt(s.Record, m.Levels))
	}
	if m.Levels == nil && m.Known {
		m.Levels = o.LastLevels()
	}
}

func (o ours) Await(s *Sight) {
	m := &s.Made
	if *m = (Made{}); o.counts {
		m.set(o.Count(s.Record, s.Number))
	} else {
		m.set(o.Meet(s.Record))
	}
	if m.Known {
		m.Levels = o.LastLevels()
	}
	m.decide()
}

func (o ours) Counts() bool { return o.counts }

func (o ours) Refuse(*record.Record) *record.Rejection { return nil }

func (o ours) Learns() bool { return true }

func (o ours) Several() bool { return false }

func (o ours) Changed() bool { return false }

// AsMade is the id of the decisions of a learner.
const AsMade = "as_made"

func (o ours) Subject(string) monitor.Subject {
	return monitor.Subject{ID: AsMade, Title: "Decisions as made, each by the weights of its moment", Kind: monitor.AsMade}
}

func (o ours) Measure() *document.Measurements {
	m := o.Measurements()
	return &m
}
