package chronicle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// Ahead says that the history holds an entry of a later owner, and that the state topic knows of none: another state of the job, or somebody
// else, writes there.
type Ahead struct {
	Topic     string
	Term, Own int64
}

func (e *Ahead) Error() string {
	return fmt.Sprintf("topic %s holds an entry of term %d, and this process owns the job in term %d: another state of the job writes there, or somebody else does; "+
		"`fairstream audit` shows who. Start again: the next start claims a higher term", e.Topic, e.Term, e.Own)
}

// append writes an entry behind the head until it counts. After an error the next call reads on to where
// this one may have written.
func (r *Recorder) append(ctx context.Context, e history.Entry) error {
	for {
		value, sum, err := r.chain.Next(e)
		if err != nil {
			return err
		}
		sequence := r.chain.Head().Sequence + 1
		r.mine[sum] = true
		offset, err := r.Cluster.Append(ctx, r.Name, 0, sealed(r.Job, value, r.Signer))
		if err != nil {
			return err
		}
		err = r.readBack(ctx, offset)
		if err != nil || r.chain.Has(sequence, sum) {
			return err
		}
		if head := r.chain.Head(); head.Term > r.term {
			// The state topic says who took the job over, and the watcher is about to read it.
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(r.Patience):
				return &kafka.Error{Operation: "record the history in", Topic: r.Name, Partition: -1, Class: kafka.Fatal, Err: &Ahead{r.Name, head.Term, r.term}}
			}
		}
	}
}

// readBack reads on to an entry that was written at an offset. If the topic was made again or cut, it is read from its beginning: an offset of the
// topic before says nothing about it.
func (r *Recorder) readBack(ctx context.Context, offset int64) (err error) {
	follow := func(record *kafka.Record) error {
		_, problem, err := r.follow(record)
		if problem != nil {
			r.damaged(problem.Problem)
		}
		return err
	}
	if r.next <= offset {
		r.next, err = r.Cluster.Read(ctx, r.Name, 0, r.next, offset+1, follow)
		if loss := (*kafka.DataLoss)(nil); !errors.As(err, &loss) {
			return err
		}
	}
	r.damaged(fmt.Sprintf("it was deleted and made again, or cut, while the job was running: entries up to %d may be gone", r.chain.Head().Sequence))
	r.next, err = r.Cluster.Read(ctx, r.Name, 0, kafka.Earliest, kafka.End, follow)
	return err
}
