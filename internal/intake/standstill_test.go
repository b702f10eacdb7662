package intake

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

func TestLongTransactionsAreTold(t *testing.T) {
	open := Standstills{}
	begin := time.Now()
	at := func(seconds int, stable, high int64) int {
		return len(open.Observe([]kafka.Position{{LastStable: stable, HighWatermark: high}}, begin.Add(time.Duration(seconds)*time.Second)))
	}
	for _, step := range []struct {
		seconds      int
		stable, high int64
		want         int
	}{{0, -1, -1, 0}, {1, 10, 10, 0}, {2, 10, 20, 0}, {61, 10, 30, 0}, {62, 10, 30, 1}, {200, 10, 40, 0}, {201, 20, 40, 0}, {260, 20, 40, 0}, {261, 20, 50, 1}, {270, 50, 50, 0}} {
		if got := at(step.seconds, step.stable, step.high); got != step.want {
			t.Errorf("after %d s: told of %d", step.seconds, got)
		}
	}
}
