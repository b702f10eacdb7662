package process

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestWrongSettingsAreNoticedWithinAMinute while the job runs, once, and that they are right again.
func TestWrongSettingsAreNoticedWithinAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var mutex sync.Mutex
		var problem error
		verify := func(context.Context) error {
			mutex.Lock()
			defer mutex.Unlock()
			return problem
		}
		var told []string
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			watch(ctx, verify, func(e stream.TopicsUnfit) { told = append(told, fmt.Sprint(e.Err)) })
		}()
		pass := func(err error) {
			synctest.Wait()
			mutex.Lock()
			problem = err
			mutex.Unlock()
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

// TestNothingIsToldByAJobThatEnds: what a look at the topics says then is that it was cut short.
func TestNothingIsToldByAJobThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		looks := 0
		watch(ctx, func(context.Context) error {
			if looks++; looks == 2 {
				end()
				return ctx.Err()
			}
			return nil
		}, func(e stream.TopicsUnfit) { t.Errorf("told %v", e.Err) })
		if looks != 2 {
			t.Errorf("%d looks", looks)
		}
	})
}
