package stream

import "fmt"

// Useless says that what was learnt up to the end of the input says nothing: labels that are all alike, or no
// enforced constraint that can be measured. It was saved and not published.
type Useless struct{ Topic, Reason string }

func (e *Useless) Error() string {
	return fmt.Sprintf("topic %s: nothing was published: %s", e.Topic, e.Reason)
}

// isUseful says whether the weights say something. Once they do they go on to: labels that differed and groups that
// were measured stay so.
func (l *learning) isUseful() bool {
	if l.useful || l.learner.Version() == 0 {
		return true
	}
	l.askAt = l.now.Add(measureEvery)
	if l.measuredUseless == l.learner.Version() {
		return false
	}
	m := l.learner.Measure()
	reason := m.Useless()
	if reason == "" {
		l.useful = true
		return true
	}
	l.measuredUseless = l.learner.Version()
	if !l.withheld {
		l.options.Notify(Withheld{reason})
		l.withheld = true
	}
	return false
}
