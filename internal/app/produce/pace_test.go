package produce

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		p := newPace(1000)
		for sent := int64(1); sent <= 3000; sent++ {
			if p.pause(sent) {
				p.wait(t.Context(), sent)
			}
		}
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("3,000 records at 1,000 a second took %v", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.wait(ctx, 1<<40)
		if time.Since(begun) != 3*time.Second {
			t.Error("a pace that was told to stop waits")
		}
		if newPace(0).pause(5) {
			t.Error("a pace without a limit waits")
		}
	})
}
