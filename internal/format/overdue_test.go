package format

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestOverdue: a schema is told once, when it has been awaited for long enough.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o Overdue
		waits := []Wait{{Schema: "7", Since: time.Now()}, {Schema: "8", Since: time.Now().Add(time.Second)}}
		for i, want := range []string{"", "7", "8", ""} {
			told := ""
			for _, w := range o.Newly(waits) {
				told += w.Schema
			}
			if told != want {
				t.Errorf("%d: told of %q, want %q", i, told, want)
			}
			if i == 0 {
				time.Sleep(TellAfter - time.Second)
			}
			time.Sleep(time.Second)
		}
	})
}
