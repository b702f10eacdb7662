package stream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
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
			"/readyz of that process says more. The request is withdrawn; `fairstream audit` shows if it was carried out at the last moment", e.Job, e.Waited, owner)
	case e.Left:
		return fmt.Sprintf("no process answers for job %s: %s, and has ended. The request is withdrawn", e.Job, owner)
	}
	return fmt.Sprintf("no process answers for job %s within %v: %s, and gives no sign of life. The request is withdrawn", e.Job, e.Waited, owner)
}

// ErrRequestDeleted says that a request was deleted before it was answered.
var ErrRequestDeleted = errors.New("the request was deleted from the state topic without an answer: was the state reset, or are there more than 100 requests?")

// Ask asks the owner of a job for something about its releases, and waits for the answer. Of the request, Action, Version,
// Term, Reason and Actor are used. options are those of the stream that runs. A version without a term is the newest
// document of that version. Errors besides those of Kafka: *RequestRefused, *Unanswered, ErrRequestDeleted, and what
// Request.Validate and Run return.
func Ask(ctx context.Context, cluster Cluster, options Options, r Request, how Asking) (*Answer, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	options.UntilEnd = true // not a standby: the job is claimed at once, if at all
	a := &asking{Stream: New(cluster, options), request: r, how: how}
	if err := a.prepare(ctx); err != nil {
		return nil, err
	}
	if err := a.send(ctx); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithCancel(ctx) // a deadline would be taken for that of a broker
	defer cancel()
	defer time.AfterFunc(how.Wait, cancel).Stop()
	answer, err := a.await(ctx, bounded)
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
	*Stream
	request Request
	how     Asking
	next    int64 // where to go on reading

	mutex   sync.Mutex
	journal *journal
	sent    bool // the request was seen in the log
	gone    bool // and its deletion
	answer  *Answer
	begun   int64 // signs of the owner when the request was written
	signs   int64
	sign    time.Time // when there was a new one
}

// prepare reads the state topic, and names the document that is meant.
func (a *asking) prepare(ctx context.Context) (err error) {
	o := &a.options
	if o.given() || !o.Release.On() {
		return errNoReleases
	}
	a.journal = newJournal(o.Job)
	a.journal.keep = false
	if a.next, err = a.readJournal(ctx, a.journal); err != nil {
		return err
	}
	if a.journal.last.Sequence == 0 {
		return fmt.Errorf("topic %s holds no state of job %s: there is nothing to release before `fairstream run` has begun", o.Topics.State, o.Job)
	}
	r := &a.request
	alias := defaultAliases[r.Action]
	if r.Version == 0 && alias == "" {
		return nil
	}
	models, err := ReadSignedModels(ctx, a.cluster, o.Topics.Model, o.Job, o.Verifier)
	if err != nil {
		return err
	}
	m := models.Find(r.Term, r.Version)
	if r.Default = r.Version == 0; r.Default {
		m = models.ByAlias(alias)
	}
	switch {
	case m != nil:
		r.Term, r.Version, r.WeightsSHA256 = m.Term, m.Version, m.WeightsSHA256
	case r.Default: // the owner knows whether there is one
		r.Default = false
	default:
		return &NoSuchVersion{o.Topics.Model, o.Job, r.Term, r.Version}
	}
	return nil
}

// defaultAliases are, by action, which version is meant if none is named.
var defaultAliases = map[string]string{Promote: CandidateAlias, Rollback: PreviousAlias}

// NoSuchVersion says that a version is not on the model topic.
type NoSuchVersion struct {
	Topic, Job    string
	Term, Version int64 // Term 0: any
}

func (e *NoSuchVersion) Error() string {
	version := fmt.Sprint(e.Version)
	if e.Term > 0 {
		version = fmt.Sprintf("%d/%d", e.Term, e.Version)
	}
	return fmt.Sprintf("topic %s holds no version %s of job %s: `fairstream models list` shows those it holds", e.Topic, version, e.Job)
}

// lateness is how long after the wait a request may still be carried out, for clocks that differ.
const lateness = time.Minute

// send writes the request.
func (a *asking) send(ctx context.Context) error {
	r := &a.request
	r.ID, r.Host, r.Program, r.At = rand.Text(), hostname(), a.options.Program, time.Now().UTC()
	r.Until = r.At.Add(a.how.Wait + lateness)
	value, err := r.encode()
	if err != nil {
		return fmt.Errorf("stream: a request: %w", err)
	}
	a.begun, a.signs, a.sign = a.journal.signs, a.journal.signs, time.Now()
	return a.cluster.Retry(ctx, "write a request to "+a.options.Topics.State, func(ctx context.Context) error {
		_, err := a.cluster.Append(ctx, a.options.Topics.State, 0, kafka.Message{Key: requestKey(a.options.Job, r.ID), Value: value})
		return err
	})
}

// withdraw deletes a request that nobody waits for any more. If that fails, Request.Until ends it.
func (a *asking) withdraw() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = cluster.DeleteKeys(ctx, a.cluster, a.options.Topics.State, [][]byte{requestKey(a.options.Job, a.request.ID)})
}

func (a *asking) unanswered() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return &Unanswered{a.options.Job, a.journal.holder, a.journal.left, a.journal.signs > a.begun && !a.journal.left, a.how.Wait}
}

func (a *asking) apply(r *kafka.Record) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch key := string(r.Key); {
	case key == string(requestKey(a.options.Job, a.request.ID)):
		a.gone = a.sent && r.Value == nil
		a.sent = true
	case key == string(answerKey(a.options.Job, a.request.ID)) && r.Value != nil:
		answer, err := decodeAnswer(a.options.Job, r.Key, r.Value)
		if err != nil {
			return err
		}
		a.answer = &answer
	}
	return a.journal.follow(r)
}

// await follows the state topic until the request is answered or bounded ends, and takes the owner's place if there is
// none. Only ctx ends that.
func (a *asking) await(ctx, bounded context.Context) (*Answer, error) {
	for {
		err := a.follow(bounded)
		if err != nil {
			return nil, err
		}
		if a.answer != nil {
			return a.answer, nil
		}
		if a.gone {
			return nil, ErrRequestDeleted
		}
		// Nobody owns the job.
		err = New(a.cluster, a.options).serve(ctx)
		var superseded *Superseded
		if err != nil && !errors.As(err, &superseded) { // a process that was first answers
			return nil, err
		}
		a.sign = time.Now()
	}
}

// follow reads the state topic until there is an answer, or nobody to wait for.
func (a *asking) follow(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		next, err := a.cluster.Read(reading, a.options.Topics.State, 0, a.next, kafka.Forever, a.apply)
		a.next = next // read after done
		done <- err
	}()
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for over := false; !over; {
		select {
		case err := <-done:
			stop()
			return stateLost(a.options.Topics.State, err) // it ended by itself
		case <-ticker.C:
			over = a.over()
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) || ctx.Err() != nil {
		return err
	}
	// What a slow connection still holds back must not look like silence.
	next, err := a.cluster.Read(ctx, a.options.Topics.State, 0, a.next, kafka.End, a.apply)
	if a.next = next; err == nil && !a.over() {
		return a.follow(ctx)
	}
	return err
}

// over says whether there is nothing to wait for: the answer is there, or there will be none.
func (a *asking) over() bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.journal.signs != a.signs {
		a.signs, a.sign = a.journal.signs, time.Now()
	}
	timeout := max(a.options.StandbyTimeout, beatsPerTimeout*time.Duration(a.journal.holder.BeatMillis)*time.Millisecond)
	free := a.journal.left || time.Since(a.sign) >= timeout
	return a.answer != nil || a.gone || a.how.Claim && free
}
