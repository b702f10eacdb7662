package stream

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/history"
)

// story is what the next checkpoint brings besides the state.
type story struct {
	entries []history.Entry // for the history, before the snapshot
	answers []Answer        // to requests
	// attended are requests whose answer is not in the log yet.
	attended []string
}

// tell adds an entry.
func (s *story) tell(e history.Entry) { s.entries = append(s.entries, e) }

// take gives what was told since the last call.
func (s *story) take() (entries []history.Entry, answers []Answer) {
	entries, answers = s.entries, s.answers
	s.entries, s.answers = nil, nil
	return entries, answers
}

// attend has the requests among those that wait carried out that were not before, and says whether there was one.
func (s *story) attend(waiting []Request, carryOut func(*Request) Answer) (attended bool) {
	s.attended = slices.DeleteFunc(s.attended, func(id string) bool { // its answer is in the log
		return !slices.ContainsFunc(waiting, func(r Request) bool { return r.ID == id })
	})
	for i := range waiting {
		if r := &waiting[i]; !slices.Contains(s.attended, r.ID) {
			s.attended = append(s.attended, r.ID)
			s.answers = append(s.answers, carryOut(r))
			attended = true
		}
	}
	return attended
}
