package owner

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Asking says how Ask waits.
type Asking struct {
	// Wait is how long to wait for the answer.
	Wait time.Duration
	// Claim: if nobody owns the job, or its owner gives no sign of life, claim it, carry out the request and leave.
	// Otherwise Ask waits for an owner.
	Claim bool
}

// RequestRefused says that the owner refused a request. Nothing changed.
type RequestRefused struct{ Answer Answer }

func (e *RequestRefused) Error() string { return "refused: " + e.Answer.Refused }

// Unanswered says that nobody answered a request in time. It was withdrawn.
type Unanswered struct {
	Job    string
	Owner  Claim
	Left   bool // the owner gave the job up
	Alive  bool // the owner gave a sign of life while the request waited
	Waited time.Duration
}

func (e *Unanswered) Error() string {
	owner := fmt.Sprintf("the process on host %s, term %d, claimed the job at %s", e.Owner.Host, e.Owner.Term, e.Owner.At.Format(time.RFC3339))
	switch {
	case e.Alive:
		return fmt.Sprintf("no answer for job %s within %v: %s, and it is alive. It is starting, or it cannot save its state: "+
			"see /readyz of that process. The request is withdrawn; `fairstream audit` shows if it was carried out at the last moment", e.Job, e.Waited, owner)
	case e.Left:
		return fmt.Sprintf("no process answers for job %s: %s, and has ended. The request is withdrawn", e.Job, owner)
	}
	return fmt.Sprintf("no process answers for job %s within %v: %s, and gives no sign of life. The request is withdrawn", e.Job, e.Waited, owner)
}

// ErrRequestDeleted says that a request was deleted before it was answered.
var ErrRequestDeleted = errors.New("the request was deleted from the state topic without an answer: was the state reset, or are there more than 100 requests?")

// Ask asks the owner of a job, and waits for the answer. Once it is certain that the job has a state, name gives the request, of which ID, Host,
// Program, At and Until are filled in. serve takes the owner's place if there is none and how allows it: it claims the job, carries out what waits,
// and leaves. Errors besides those of Kafka, name and serve: *RequestRefused with the answer, *Unanswered, ErrRequestDeleted.
func Ask(ctx context.Context, s Settings, how Asking, name func() (Request, error), serve func(context.Context) error) (*Answer, error) {
	a := &asking{follower: newFollower(s, false), how: how}
	if err := a.read(ctx, kafka.End); err != nil {
		return nil, err
	}
	if a.journal.last.Sequence == 0 {
		return nil, fmt.Errorf("topic %s holds no state of job %s: start `fairstream run` first", s.Topic, s.Job)
	}
	var err error
	if a.request, err = name(); err == nil {
		err = a.send(ctx)
	}
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithCancel(ctx) // a deadline would be taken for that of a broker
	defer cancel()
	defer time.AfterFunc(how.Wait, cancel).Stop()
	answer, err := a.await(ctx, bounded, serve)
	if err != nil {
		a.withdraw()
		if bounded.Err() != nil && ctx.Err() == nil {
			err = a.unanswered()
		}
		return nil, err
	}
	if answer.Refused != "" {
		return answer, &RequestRefused{*answer}
	}
	return answer, nil
}

// asking is one request on its way.
type asking struct {
	follower
	request Request
	how     Asking

	sent   bool // the request was seen in the log
	gone   bool // and its deletion
	answer *Answer
	begun  int64 // signs of the owner when the request was written
}

// lateness is how long after the wait a request may still be carried out, for clocks that differ.
const lateness = time.Minute

// send writes the request.
func (a *asking) send(ctx context.Context) error {
	r := &a.request
	r.ID, r.Host, r.Program, r.At = rand.Text(), Hostname(), a.Program, time.Now().UTC()
	r.Until = r.At.Add(a.how.Wait + lateness)
	value := r.encode()
	a.begun, a.each = a.journal.signs, a.watch
	a.heard()
	return a.write(ctx, "write a request to "+a.Topic, func(int) []kafka.Message { return []kafka.Message{{Key: requestKey(a.Job, r.ID), Value: value}} })
}

// withdrawWithin is how long withdrawing a request may take.
const withdrawWithin = 5 * time.Second

// withdraw deletes a request that nobody waits for any more. If that fails, Request.Until ends it.
func (a *asking) withdraw() {
	ctx, cancel := context.WithTimeout(context.Background(), withdrawWithin)
	defer cancel()
	_ = cluster.DeleteKeys(ctx, a.Log, a.Topic, [][]byte{requestKey(a.Job, a.request.ID)})
}

func (a *asking) unanswered() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return &Unanswered{a.Job, a.journal.holder, a.journal.left, a.journal.signs > a.begun && !a.journal.left, a.how.Wait}
}

// watch looks for the request and its answer.
func (a *asking) watch(r *kafka.Record) error {
	switch key := string(r.Key); {
	case key == string(requestKey(a.Job, a.request.ID)):
		a.gone = a.sent && r.Value == nil
		a.sent = true
	case key == string(answerKey(a.Job, a.request.ID)) && r.Value != nil:
		answer, err := decodeAnswer(a.Job, r.Key, r.Value)
		if err != nil {
			return err
		}
		a.answer = &answer
	}
	return nil
}

// await follows the state topic until the request is answered or bounded ends, and has the owner's place taken if there is
// none. Only ctx ends that.
func (a *asking) await(ctx, bounded context.Context, serve func(context.Context) error) (*Answer, error) {
	for {
		if err := a.until(bounded, a.over); err != nil {
			return nil, stateLost(a.Topic, err)
		}
		if a.answer != nil {
			return a.answer, nil
		}
		if a.gone {
			return nil, ErrRequestDeleted
		}
		// Nobody owns the job.
		var superseded *Superseded
		if err := serve(ctx); err != nil && !errors.As(err, &superseded) { // a process that was first answers
			return nil, err
		}
		a.heard()
	}
}

// over says whether there is nothing to wait for: the answer is there, or there will be none.
func (a *asking) over() (bool, error) {
	_, nobody := a.silent()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.answer != nil || a.gone || a.how.Claim && nobody, nil
}
