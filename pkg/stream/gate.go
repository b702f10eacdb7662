package stream

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Useless says that what was learnt up to the end of the input says nothing: labels that are all alike, or no
// enforced constraint that can be measured. It was saved and not published.
type Useless struct{ Topic, Reason string }

func (e *Useless) Error() string {
	return fmt.Sprintf("topic %s: nothing was published: %s", e.Topic, e.Reason)
}

// Divergence says that the weights are not finite any more. Nothing is saved or published after it.
type Divergence struct{ Err error }

func (e *Divergence) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Divergence) Unwrap() error { return e.Err }

// firstPublication is the number of learnt records after which weights are published even if a
// constraint is not estimable yet: a group that hardly ever occurs must not hold back the weights
// for ever. The document then says not_estimable.
const firstPublication = 100_000

// gate says whether weights may be published.
type gate struct {
	learner  observe.Decider
	notify   func(Event)
	useful   bool      // the weights say something, and will go on to
	useless  int64     // the version that said nothing
	withheld bool      // and that was told
	askAt    time.Time // when to look again
}

// isUseful says whether the weights say something. Once they do they go on to: labels that differed and groups that
// were measured stay so.
func (g *gate) isUseful(now time.Time) bool {
	version := g.learner.Version()
	if g.useful || version == 0 {
		return true
	}
	g.askAt = now.Add(measureEvery)
	if g.useless == version {
		return false
	}
	m := g.learner.Measure()
	if m == nil { // nothing is ever published
		return false
	}
	reason := m.Useless()
	if reason == "" {
		g.useful = true
		return true
	}
	g.useless = version
	g.withhold(reason)
	return false
}

// opens says whether the weights say something, and whether it can be said of every enforced constraint
// whether it is kept. before is the version that was published last.
func (g *gate) opens(now time.Time, before int64) bool {
	version := g.learner.Version()
	if version == 0 || !g.isUseful(now) {
		return false
	}
	if version >= firstPublication || before > 0 {
		return true
	}
	g.askAt = now.Add(measureEvery)
	for _, e := range g.learner.Measure().Constraints {
		if e.Enforced && e.Status == fairness.NotEstimable {
			g.withhold("constraint " + e.Name + " cannot be measured yet: " + e.Reason)
			return false
		}
	}
	return true
}

// asks says whether it is time to look again.
func (g *gate) asks(now time.Time) bool { return !now.Before(g.askAt) }

// withhold tells once why nothing is published.
func (g *gate) withhold(reason string) {
	if !g.withheld {
		g.notify(Withheld{reason})
		g.withheld = true
	}
}
