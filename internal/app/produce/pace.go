package produce

import (
	"context"
	"time"
)

// pace spreads records over time.
type pace struct {
	rate  int // a second; 0: at once
	every int64
	begun time.Time
}

// newPace begins now.
func newPace(rate int) pace {
	const pauses = 25 // a second
	return pace{rate, int64(max(1, rate/pauses)), time.Now()}
}

// pause says whether it is time to wait after so many records.
func (p pace) pause(sent int64) bool { return p.rate > 0 && sent%p.every == 0 }

// wait waits until so many records are due.
func (p pace) wait(ctx context.Context, sent int64) {
	due := p.begun.Add(time.Duration(float64(sent) / float64(p.rate) * float64(time.Second)))
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
