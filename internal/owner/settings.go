package owner

import (
	"context"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Settings say which job is meant, and how its owner lives.
type Settings struct {
	Log cluster.Log
	// Topic is the state topic, which has one partition. Job is the name of the job, without a slash.
	Topic, Job string
	// Program is the version of the program, for claims and requests.
	Program string
	// Standby makes Take wait while another process owns the job, and the owner give signs of life at intervals.
	Standby bool
	// Timeout is how long an owner may be silent. An owner that announces longer intervals may be silent longer.
	Timeout time.Duration
	// Spread shares jobs among processes, if Standby is set; nil: this process takes a job over as soon as it has no owner.
	Spread Spread
	// Listener is told what happens to the job; nil: nobody is.
	Listener Listener
}

// Spread shares jobs among processes that all stand by for all of them. Each knows the others by their claims alone.
type Spread interface {
	// Process is the name of this process in its claims.
	Process() string
	// May says whether this process may claim a job now. holder is the claim in force, Term 0 before the first, and free says that its owner left
	// or is silent. A job that is not free is taken from its owner. May is asked about ten times a second, and twice in a row before a claim.
	May(job string, holder Claim, free bool) bool
}

// Listener is told what happens to a job. Its methods must return soon, and call nothing of the job.
type Listener interface {
	// Garbage tells what was found on the topic, and how much of it there is in all.
	Garbage(found []Garbage, all int)
	// Owned: this process owns the job. The term of before is 0 if nobody did.
	Owned(claim, before Claim)
	// StandingBy: another process owns the job, and may be silent for timeout.
	StandingBy(owner Claim, timeout time.Duration)
	// TakingOver: the owner was silent for so long, or leaves.
	TakingOver(owner Claim, silent time.Duration, leaving bool)
}

// deaf is a Listener for those who want none.
type deaf struct{}

func (deaf) Garbage([]Garbage, int)                {}
func (deaf) Owned(_, _ Claim)                      {}
func (deaf) StandingBy(Claim, time.Duration)       {}
func (deaf) TakingOver(Claim, time.Duration, bool) {}

func (s Settings) withDefaults() Settings {
	if s.Listener == nil {
		s.Listener = deaf{}
	}
	return s
}

// write appends messages as one batch, again and again until it succeeds or cannot. messages is given the number of the attempt, from 1.
func (s Settings) write(ctx context.Context, operation string, messages func(attempt int) []kafka.Message) error {
	attempt := 0
	return s.Log.Retry(ctx, operation, func(ctx context.Context) error {
		attempt++
		_, err := s.Log.Append(ctx, s.Topic, 0, messages(attempt)...)
		return err
	})
}

// Hostname is for people, who know their machines by it.
func Hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}
