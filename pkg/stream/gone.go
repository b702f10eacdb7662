package stream

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/owner"
)

// StateGone says that a job has published weights, and that its state topic knows nothing of it: the topic was deleted, or
// another one is configured. What was learnt is gone or elsewhere, so it is not begun again without being asked for.
type StateGone struct {
	Job    string
	Topics Topics
	// Version and Term are those of the newest weights.
	Version, Term int64
}

func (e *StateGone) Error() string {
	return fmt.Sprintf("topic %s holds no state of job %s, whose version %d (term %d) is on topic %s: the state topic was deleted, or topics.state names another one. "+
		"Restore it or set it back; to learn again from stream.start, start once with `fairstream run --begin-again`",
		e.Topics.State, e.Job, e.Version, e.Term, e.Topics.Model)
}

// mayBegin refuses to begin a job that has published before.
func (s *Stream) mayBegin(ctx context.Context, now owner.Standing) error {
	o := &s.options
	if now.Holder.Term > 0 || now.State != nil || o.BeginAgain {
		return nil
	}
	models := o.modelTopic(s.cluster).Open()
	if err := models.Look(ctx); err != nil { // what is refused is told at the start
		return err
	}
	if newest, there := models.Newest(); there {
		return &StateGone{o.Job, o.Topics, newest.Version, newest.Term}
	}
	return nil
}
