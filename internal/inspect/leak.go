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
	votes         map[uint64]int32 // positive labels less negative ones, by hash of the value
	fresh         int32            // the same, of values when they were new
	all, original told
}

// told is how many labels were predicted, and how many of them wrongly.
type told struct{ records, wrong int64 }

func (t *told) add(wrong bool) {
	t.records++
	if wrong {
		t.wrong++
	}
}

// add takes in one record, and says whether its value is remembered from now on. Every column tells the label of a repeated
// record, as the label came with it before.
func (r *rule) add(hash uint64, positive, repeated, room bool) (more bool) {
	vote, known := r.votes[hash]
	if !known {
		vote = r.fresh
	}
	wrong := (vote > 0) != positive
	r.all.add(wrong)
	if !repeated {
		r.original.add(wrong)
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

// nearlyAll says whether nearly every one of the labels was predicted.
func (t told) nearlyAll(of labels) bool {
	rarer := min(of.positive, of.known-of.positive)
	return rarer > 0 && t.records >= leastTold && 20*t.records >= 19*of.known &&
		float64(t.wrong) <= mostWrong*float64(t.records) && float64(t.wrong) <= mostWrongRarer*float64(rarer)
}

// learn lets the rules of all features take in the present record.
func (i *Inspection) learn(repeated bool) {
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
		if r.add(field.Hash, i.rec.Positive, repeated, i.votes < allVotes) {
			i.votes++
		}
	}
}

// leaks finds features that tell the label.
func (s *search) leaks() {
	copies, _ := s.copies.Found()
	for _, c := range s.columns {
		rule := s.rules[c.Name]
		if rule == nil {
			continue
		}
		r := rule.all
		if copies > 0 {
			r = rule.original
		}
		if r.nearlyAll(s.evidence()) {
			s.add(false, "record.ignore", "add %q unless it is known before the label: alone it predicts %d of %d labels, so it probably holds the label itself or what followed from it",
				c.Name, r.records-r.wrong, r.records)
		}
	}
}
