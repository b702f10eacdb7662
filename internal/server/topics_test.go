package server

import (
	"errors"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestTopicConditions: what is wrong with the topics is on the page and in the metrics; only what stops saving makes the process not ready.
func TestTopicConditions(t *testing.T) {
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{})
	status := learning()
	status.Measurements = nil
	l.Watch(func() stream.Status { return status })
	has := func(code string) (onPage, inMetrics bool) {
		for _, c := range l.Status().Conditions {
			onPage = onPage || c.Code == code && c.Detail != ""
		}
		_, text := get(t, l.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
		return onPage, strings.Contains(withoutJob(text), `fairstream_condition{code="`+code+`",constraint=""} 1`)
	}
	expect := func(code string, want bool) {
		t.Helper()
		if onPage, inMetrics := has(code); onPage != want || inMetrics != want {
			t.Errorf("condition %s: on the page %v, in the metrics %v, want %v", code, onPage, inMetrics, want)
		}
	}
	expect("topic_settings", false)
	expect("state_garbage", false)
	l.Notify(stream.TopicsUnfit{Err: errors.New("state: cleanup.policy is delete")})
	status.Garbage = 3
	expect("topic_settings", true)
	expect("state_garbage", true)
	if reasons := l.NotReady(); len(reasons) != 0 {
		t.Errorf("not ready: %v", reasons)
	}
	l.Notify(stream.TopicsUnfit{})
	expect("topic_settings", false)
	status.Stuck = "nothing was saved since noon: the snapshot is being written to state"
	expect("saving_stuck", true)
	if reasons := l.NotReady(); len(reasons) != 1 || !strings.Contains(reasons[0], "written to state") {
		t.Errorf("ready: %v", reasons)
	}
}
