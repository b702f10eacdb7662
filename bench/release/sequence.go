package main

import "github.com/fairstream/fairstream/pkg/release"

// history is what became of candidates one after the other on one stream that drifts. Each is offered when the one before has ended, and
// those that are promoted become the stable version.
type history struct {
	good, bad         row
	withdrawn, marked int
	records           int64
	worst             float64 // the largest log loss of a stable version, above the usual one
}

// sequence offers the candidates of all kinds in turn, half of them good.
func (s study) sequence() (h history) {
	from := newStream(s.law, 1)
	from.drift = true
	m := machine(release.Config{}, parity(1), 1)
	from.versions[name(1)] = usual
	kinds := s.qualities()
	losses := map[float64]float64{}
	var good, bad []end
	for n := range s.runs {
		v, kind := name(n+2), kinds[from.random.IntN(len(kinds))]
		from.versions[v] = kind.version
		m.Offer(v, sound)
		var e end
		for e.kind == "" {
			m.Observe(from.next(m.Wanted()))
			e.records++
			for _, step := range m.Steps() {
				switch {
				case step.Kind == release.Withdrawn:
					h.withdrawn++
				case step.Kind == release.Marked:
					h.marked++
				case step.Version == v && (step.Kind == release.Promoted || step.Kind == release.Rejected):
					e.kind = step.Kind
				}
			}
		}
		if kind.good {
			good = append(good, e)
		} else {
			bad = append(bad, e)
		}
		if e.kind == release.Promoted {
			if _, known := losses[kind.noise]; !known {
				losses[kind.noise] = s.law.logLoss(kind.noise) - s.law.logLoss(noise)
			}
			h.worst = max(h.worst, losses[kind.noise])
		}
	}
	h.good, h.bad, h.records = count(good), count(bad), from.number
	return h
}
