package owner

import (
	"maps"
	"slices"
)

// requestLog is the part of the journal that is about requests. It is pure, as the journal is, and bounded: of
// requests beyond requestsKept, and of those that cannot be read, only the keys are kept, to be deleted.
type requestLog struct {
	pending  []Request       // without an answer, in the order of the log
	answered []string        // ids of the newest answers, the oldest first
	useless  map[string]bool // keys that nobody needs
}

// request follows a request.
func (q *requestLog) request(job string, key, value []byte) {
	r, err := decodeRequest(job, key, value)
	repeated := slices.ContainsFunc(q.pending, func(other Request) bool { return other.ID == r.ID })
	switch {
	case err == nil && repeated: // a late copy
	case err != nil || len(q.pending) >= requestsKept || slices.Contains(q.answered, r.ID):
		q.drop(string(key))
	default:
		q.pending = append(q.pending, r)
	}
}

// answer follows an answer.
func (q *requestLog) answer(job string, key, value []byte) {
	a, err := decodeAnswer(job, key, value)
	if err != nil {
		q.drop(string(key))
		return
	}
	if q.forget(a.ID) {
		q.drop(string(requestKey(job, a.ID)))
	}
	if !slices.Contains(q.answered, a.ID) {
		q.answered = append(q.answered, a.ID)
	}
	for len(q.answered) > answersKept {
		q.drop(string(answerKey(job, q.answered[0])))
		q.answered = q.answered[1:]
	}
}

// remove follows a deletion: a request is withdrawn or done with.
func (q *requestLog) remove(job, key string) {
	delete(q.useless, key)
	q.pending = slices.DeleteFunc(q.pending, func(r Request) bool { return string(requestKey(job, r.ID)) == key })
	q.answered = slices.DeleteFunc(q.answered, func(id string) bool { return string(answerKey(job, id)) == key })
}

// forget takes a request from those that wait, and says whether it was there.
func (q *requestLog) forget(id string) bool {
	before := len(q.pending)
	q.pending = slices.DeleteFunc(q.pending, func(r Request) bool { return r.ID == id })
	return len(q.pending) < before
}

func (q *requestLog) drop(key string) {
	if q.useless == nil {
		q.useless = map[string]bool{}
	}
	q.useless[key] = true
}

// keys are all that the log holds.
func (q *requestLog) keys(job string) (keys [][]byte) {
	for _, r := range q.pending {
		keys = append(keys, requestKey(job, r.ID))
	}
	for _, id := range q.answered {
		keys = append(keys, answerKey(job, id))
	}
	for key := range maps.Keys(q.useless) {
		keys = append(keys, []byte(key))
	}
	return keys
}
