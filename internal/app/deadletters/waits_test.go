package deadletters

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/format"
)

// TestWaitsAreTold: each schema once, after five seconds, and none once the replay has ended.
func TestWaitsAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var text strings.Builder
		stop := tellWaits(&text, func() []format.Wait {
			return []format.Wait{{Schema: "7", Since: begun, Cause: errors.New("connection refused")}, {Schema: "8", Since: begun}, {Schema: "9", Since: begun.Add(time.Minute)}}
		})
		time.Sleep(30 * time.Second)
		stop()
		const want = "Dead letters wait for schema 7, which the schema registry does not give: connection refused\n" +
			"Dead letters wait for schema 8, which the schema registry does not give: it has not answered yet\n"
		if text.String() != want {
			t.Errorf("told %q", text.String())
		}
		time.Sleep(2 * time.Minute)
		if text.String() != want {
			t.Errorf("after the end, told %q", text.String())
		}
	})
}
