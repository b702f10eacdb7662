package link

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

func TestRetryPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []Outage
		c := &Link{notify: func(o Outage) { told = append(told, o) }}
		attempts := 0
		begin := time.Now()
		err := c.Retry(t.Context(), "try", func(context.Context) error {
			if attempts++; attempts <= 8 {
				return kafkago.RequestTimedOut
			}
			return nil
		})
		if err != nil || attempts != 9 || len(told) != 9 {
			t.Fatalf("%v after %d attempts, told %d times", err, attempts, len(told))
		}
		var sum time.Duration
		for i, o := range told[:8] {
			sum += o.Pause
			if middle := min(FirstPause<<i, longestPause); o.Pause > middle*23/20+1 || o.Pause < middle*17/20 || o.Pause > time.Second || o.Attempt != i+1 || o.Err == nil || !o.Since.Equal(begin) {
				t.Errorf("attempt %d: %+v", i+1, o)
			}
		}
		if last := told[8]; last.Err != nil || time.Since(begin) != sum {
			t.Errorf("at the end %+v after %v, of pauses %v", last, time.Since(begin), sum)
		}

		attempts = 0
		if err := c.Retry(t.Context(), "try", func(context.Context) error { attempts++; return kafkago.InvalidRecord }); attempts != 1 || !errors.Is(err, kafkago.InvalidRecord) {
			t.Errorf("a fatal error was tried %d times: %v", attempts, err)
		}
		if err := c.Retry(t.Context(), "try", func(context.Context) error { return nil }); err != nil || len(told) != 9 {
			t.Errorf("without an outage before, an end is told: %v, %+v", err, told[len(told)-1])
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		attempts = 0
		err = c.Retry(ctx, "try", func(context.Context) error { attempts++; return kafkago.RequestTimedOut })
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), fmt.Sprintf("(%d attempts; the last: ", attempts)) || !errors.Is(err, kafkago.RequestTimedOut) {
			t.Errorf("at the end of its time: %v", err)
		}

		// An outage of what is not tried again is over: nobody would tell its end.
		if last := told[len(told)-1]; !last.GivenUp || last.Err == nil || last.Aside {
			t.Errorf("given up: %+v", last)
		}
		// One failure is an outage, and the next outage begins with a short pause again.
		told = nil
		one := c.Attempts("try")
		for range 2 {
			for range 6 {
				one.Failed(kafkago.RequestTimedOut)
			}
			one.Succeeded()
			if one.Failed(kafkago.RequestTimedOut) > 2*FirstPause {
				t.Errorf("after an outage that ended, the first pause is %+v", told[len(told)-1])
			}
			one.Succeeded()
			one.Succeeded()
		}
		if len(told) != 18 || told[6].Err != nil || told[8].Err != nil || told[7].Attempt != 1 {
			t.Errorf("%+v", told)
		}
		attempts, told = 0, nil
		_ = c.Retry(Aside(t.Context()), "try", func(context.Context) error {
			if attempts++; attempts < 3 {
				return kafkago.RequestTimedOut
			}
			return kafkago.InvalidRecord
		})
		if len(told) != 3 || told[1].GivenUp || !told[2].GivenUp || !told[0].Aside || !told[2].Aside {
			t.Errorf("failed for good: %+v", told)
		}
	})
}
