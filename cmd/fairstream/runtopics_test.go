package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestWrongSettingsAreNoticedWithinAMinute while the job runs, once, and that they are right again.
func TestWrongSettingsAreNoticedWithinAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var problem error
		var told []string
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			watchTopics(ctx, func(context.Context) error { return problem }, func(e stream.TopicsUnfit) { told = append(told, fmt.Sprint(e.Err)) })
		}()
		pass := func(err error) {
			synctest.Wait()
			problem = err
			time.Sleep(time.Minute)
		}
		pass(nil)
		pass(errors.New("state: cleanup.policy is delete"))
		pass(errors.New("state: cleanup.policy is delete"))
		pass(errors.New("history: retention.ms is 1"))
		pass(nil)
		cancel()
		<-ended
		if got := fmt.Sprint(told); got != "[state: cleanup.policy is delete history: retention.ms is 1 <nil>]" {
			t.Errorf("told %s", got)
		}
	})
}
