package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Keys of the state topic, besides those of part.go:
//
//	<job>/beat/<owner>   a Beat, JSON: the owner lives, or leaves
//
// A standby takes any record of the owner for a sign of life; a beat is one that comes while nothing is learnt. A request
// is answered by a beat at once (request.go), so whoever asks knows that there is an owner.
const beatKind = "beat"

// Beat is a sign of life.
type Beat struct {
	Owner string `json:"owner"`
	Term  int64  `json:"term"`
	// Leaving is the last: everything is saved, and the job is free.
	Leaving bool `json:"leaving,omitempty"`
}

// beatsPerTimeout is how many beats a standby must miss.
const beatsPerTimeout = 4

func (s *Stream) beatEvery() time.Duration { return s.options.StandbyTimeout / beatsPerTimeout }

func decodeBeat(value []byte) (b Beat, err error) {
	if err = json.Unmarshal(value, &b); err != nil {
		err = fmt.Errorf("stream: not a beat: %w", err)
	}
	return b, err
}

func (s *Stream) sendBeat(ctx context.Context, claim Claim, leaving bool) error {
	value, err := json.Marshal(Beat{claim.Owner, claim.Term, leaving})
	if err != nil {
		return fmt.Errorf("stream: a beat: %w", err)
	}
	key := fmt.Appendf(nil, "%s/%s/%s", claim.Job, beatKind, claim.Owner)
	_, err = s.cluster.Append(ctx, s.options.Topics.State, 0, kafka.Message{Key: key, Value: value})
	return err
}

// beat gives signs of life until ctx ends: on standby at intervals, and whenever somebody asks. One that fails is not tried
// again: the next one follows.
func (s *Stream) beat(ctx context.Context, claim Claim, asked <-chan struct{}) error {
	var due <-chan time.Time
	if s.standby() {
		ticker := time.NewTicker(s.beatEvery())
		defer ticker.Stop()
		due = ticker.C
	}
	for {
		select {
		case <-due:
		case <-asked:
		case <-ctx.Done():
			return ctx.Err()
		}
		bounded, cancel := context.WithTimeout(ctx, s.options.StandbyTimeout)
		err := s.sendBeat(bounded, claim, false)
		cancel()
		if err != nil && ctx.Err() == nil && kafka.ClassOf(err) != kafka.Retry {
			return fmt.Errorf("the heartbeat could not be written: %w", err)
		}
	}
}

// leave says that the job is free. A standby that does not hear it waits for stream.standby_timeout.
func (s *Stream) leave(claim Claim) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.sendBeat(ctx, claim, true) // what is to be saved is saved: an error changes nothing
}
