package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestWhyNothingIsPublished: before the first interval is over, the reason is not the constraints.
func TestWhyNothingIsPublished(t *testing.T) {
	now := time.Date(2026, 11, 22, 21, 0, 0, 0, time.UTC)
	every := stream.Cadence{Interval: 10 * time.Second}
	owned := func(ago time.Duration) stream.State {
		return stream.State{Holder: stream.Claim{Term: 3, At: now.Add(-ago)}}
	}
	left := owned(time.Hour)
	left.Left = true
	for _, test := range []struct {
		state   stream.State
		publish stream.Cadence
		want    string
	}{
		{stream.State{}, every, "no process has learnt for it"},
		{left, every, "its last process ended before it published"},
		{owned(8 * time.Second), every, "began 8s ago, and first publishes after 10s"},
		{owned(-time.Minute), every, "began 0s ago, and first publishes after 10s"}, // another clock
		{owned(30 * time.Second), every, "began 30s ago; either no record has arrived, or it is not yet known whether the constraints are met"},
		{owned(8 * time.Second), stream.Cadence{Records: 1000}, "began 8s ago; either"},
	} {
		if got := whyUnpublished(&test.state, test.publish, now); !strings.Contains(got, test.want) {
			t.Errorf("%+v: %s", test.state.Holder, got)
		}
	}
}
