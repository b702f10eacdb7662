package inspect

// A leak is a feature that holds the label under another name, or that is known only after it. Such a column alone
// predicts nearly every label, which no honest column does.
const (
	// leastTold is how many records are looked at before a column is said to be a leak, and mostWrong the largest share of
	// them, and of those with the rarer label, that it may predict wrongly.
	leastTold      = 200
	mostWrong      = .02
	mostWrongRarer = .1
	// mostVotes is how many values of one column are told apart, allVotes of all columns.
	mostVotes = 1024
	allVotes  = 1 << 18
)

// rule predicts labels from one column: that of a value by the majority of the labels that came with it before, and that
// of a new value by the majority of those that came with new ones.
type rule struct {
	votes          map[uint64]int32 // positive labels less negative ones, by hash of the value
	fresh          int32            // the same, of values when they were new
	records, wrong int64
}

// add takes in one record, and says whether its value is remembered from now on.
func (r *rule) add(hash uint64, positive, room bool) (more bool) {
	vote, known := r.votes[hash]
	if !known {
		vote = r.fresh
	}
	r.records++
	if (vote > 0) != positive {
		r.wrong++
	}
	step := int32(-1)
	if positive {
		step = 1
	}
	if known {
		r.votes[hash] += step
		return false
	}
	r.fresh += step
	if more = room && len(r.votes) < mostVotes; more {
		r.votes[hash] = step
	}
	return more
}

// tells says whether the column predicts nearly every one of the labels, of which so many are the rarer ones.
func (r *rule) tells(labels, rarer int64) bool {
	return rarer > 0 && r.records >= leastTold && 20*r.records >= 19*labels &&
		float64(r.wrong) <= mostWrong*float64(r.records) && float64(r.wrong) <= mostWrongRarer*float64(rarer)
}

// learn lets the rules of all features take in the present record.
func (i *Inspection) learn() {
	for f := range i.rec.Features {
		field := &i.rec.Features[f]
		r := i.rules[field.Name]
		if r == nil {
			if !i.features[field.Name] {
				continue
			}
			r = &rule{votes: map[uint64]int32{}}
			i.rules[field.Name] = r
		}
		if r.add(field.Hash, i.rec.Positive, i.votes < allVotes) {
			i.votes++
		}
	}
}

// leaks finds features that tell the label.
func (s *search) leaks() {
	rarer := min(s.label.positive, s.label.known-s.label.positive)
	for _, c := range s.columns {
		if r := s.rules[c.Name]; r != nil && r.tells(s.label.known, rarer) {
			s.add(false, "record.ignore", "add %q unless it is known before the label: alone it predicts %d of %d labels, so it probably holds the label itself or what followed from it",
				c.Name, r.records-r.wrong, r.records)
		}
	}
}
