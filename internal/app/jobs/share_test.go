package jobs

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestTurns: as many jobs work at once as there are processors.
func TestTurns(t *testing.T) {
	turns := turns()
	for range runtime.GOMAXPROCS(0) {
		if err := turns.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	late, stop := context.WithCancel(t.Context())
	stop()
	if turns.Acquire(late, 1) == nil {
		t.Error("one more has a turn than there are processors")
	}
}

// TestPhasesAreSpread: jobs with names that differ in a digit do not write at the same time. The largest gap between 100 phases that are spread at
// random is below 0.12 except once in 3,000 times.
func TestPhasesAreSpread(t *testing.T) {
	phases := []float64{1}
	for i := range 100 {
		p := phase(fmt.Sprintf("job-%02d", i))
		if p < 0 || p >= 1 || p != phase(fmt.Sprintf("job-%02d", i)) {
			t.Errorf("phase %v of job %d", p, i)
		}
		phases = append(phases, p)
	}
	slices.Sort(phases)
	before := 0.0
	for _, p := range phases {
		if p-before > 0.12 {
			t.Errorf("no phase between %v and %v", before, p)
		}
		before = p
	}
}

// TestClientsAreShared: jobs of one cluster have one client, which is closed with the last of them.
func TestClientsAreShared(t *testing.T) {
	here, there := kafka.Config{Brokers: []string{"127.0.0.1:1"}}, kafka.Config{Brokers: []string{"127.0.0.1:2"}}
	var all clients
	get := func(config kafka.Config) (*kafka.Client, func() error) {
		t.Helper()
		client, giveBack, err := all.get(config)
		if err != nil {
			t.Fatal(err)
		}
		return client, giveBack
	}
	one, first := get(here)
	other, alone := get(there)
	same, second := get(here)
	if one != same || one == other {
		t.Fatal("a client for each way to reach a cluster is wanted, and no more")
	}
	for _, giveBack := range []func() error{first, alone} {
		if err := giveBack(); err != nil {
			t.Error(err)
		}
	}
	if len(all.open) != 1 || all.open[0].Client != one {
		t.Fatalf("%d clients are open: want the one that a job has", len(all.open))
	}
	if err := second(); err != nil || len(all.open) != 0 {
		t.Errorf("%v, and %d clients are open", err, len(all.open))
	}
	if again, giveBack := get(here); again == one {
		t.Error("a client that was closed is given again")
	} else if err := giveBack(); err != nil {
		t.Error(err)
	}
}
