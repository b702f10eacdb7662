package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/bycommit"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

// faultWorld is a job that is tried again and again, each time with another operation that fails.
type faultWorld struct {
	name   string
	always bool // every operation fails in each run of the tests; of the other worlds one in three, chosen by the commit
	faults []clustertest.Fault
	of     string // prefix of the operations that fail
	kills  bool   // what follows the operation fails too
	most   int    // operations, of a world without an end
	// begin makes what all attempts share, and returns an attempt: it lets the operation fail, and checks what is left. The second
	// function checks all attempts together.
	begin func(*testing.T) (attempt func(*testing.T, *failure), end func(*testing.T))
}

var (
	fatal  = []clustertest.Fault{{Err: clustertest.ErrFatal, After: false}, {Err: clustertest.ErrFatal, After: true}}
	either = append(fatal[:2:2], clustertest.Fault{Err: clustertest.ErrRetryable, After: false}, clustertest.Fault{Err: clustertest.ErrRetryable, After: true})
)

// faultWorlds are the worlds of TestEveryOperationMayFail.
var faultWorlds = []faultWorld{
	{name: "a run", always: true, faults: either, begin: aRun},
	{name: "a run that is killed", faults: fatal[:1], kills: true, begin: aKilledRun},
	{name: "late labels", faults: either, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) { return lateLabels(t, "", 0) }},
	{name: "late labels in a folder", faults: fatal, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
		return lateLabels(t, t.TempDir(), 0)
	}},
	{name: "late labels that are held", faults: either, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
		return lateLabels(t, "", 150*time.Millisecond)
	}},
	{name: "late labels that are held in a folder", faults: fatal, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
		return lateLabels(t, t.TempDir(), 150*time.Millisecond)
	}},
	{name: "a standby", faults: either, most: 120, begin: anOwnerAndItsStandby}, // beats go on for ever
	{name: "dead letters that come back", faults: either, begin: aReplay},
	{name: "a changed tau", faults: fatal, begin: aChangedTau},
	{name: "events", faults: fatal, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) { return toldEvents(t, 1) }},
	{name: "events of three partitions", faults: fatal, begin: func(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) { return toldEvents(t, 3) }},
	{name: "releases", faults: fatal, of: "append ", begin: aWithdrawal},
	{name: "a request", faults: either, begin: aRequestAlone},
}

// TestEveryOperationMayFail fails the i-th operation of each world: with an error that ends the process, and with one that is tried again, before it
// had its effect and after. What goes on must leave what an undisturbed world leaves. The commit chooses the operations, and with -short one
// of the faults; make nightly tries all.
func TestEveryOperationMayFail(t *testing.T) {
	for _, world := range faultWorlds {
		t.Run(world.name, func(t *testing.T) {
			t.Parallel() // folders are written to disk, which takes longer than to compute
			share := 1
			if !world.always {
				share = 3
			}
			faults := world.faults
			if testing.Short() {
				share *= 30
				faults = bycommit.Some(t, "faults of "+world.name, faults, len(faults))
			}
			first, step := bycommit.Of(t, "operations of "+world.name, share)
			synctest.Test(t, func(t *testing.T) {
				attempt, end := world.begin(t)
				for _, fault := range faults {
					i := 1 + first
					for ; world.most == 0 || i <= world.most; i += step {
						f := &failure{fault: fault, of: world.of, kills: world.kills, at: i}
						attempt(t, f)
						if t.Failed() {
							t.Fatalf("%s", f)
						}
						if !f.end() {
							break // the world has fewer operations
						}
					}
					if i < 20 {
						t.Errorf("only %d operations failed", i)
					}
				}
				end(t)
			})
		})
	}
}

// failure lets one operation of a world fail.
type failure struct {
	fault clustertest.Fault
	of    string
	kills bool
	at    int // from 1

	mutex     sync.Mutex
	count     int
	operation string
	over      bool
}

// in lets the operation fail, and calls dies, if it is not nil, when it does.
func (f *failure) in(world *clustertest.Memory, dies context.CancelFunc) {
	world.Inject = func(operation string) clustertest.Fault {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		if f.over || !strings.HasPrefix(operation, f.of) {
			return clustertest.Fault{}
		}
		f.count++
		if f.count != f.at && !(f.kills && f.count > f.at) {
			return clustertest.Fault{}
		}
		if f.count == f.at {
			f.operation = operation
		}
		if dies != nil {
			dies()
		}
		return f.fault
	}
}

// end lets no operation fail any more, and returns whether one has.
func (f *failure) end() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.over = true
	return f.count >= f.at
}

// injected tells a failure of this world from another error.
func (f *failure) injected(err error) bool {
	return err == nil || errors.Is(err, clustertest.ErrInjected)
}

func (f *failure) String() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return fmt.Sprintf("operation %d (%s) failed: %v, after its effect: %v", f.at, f.operation, f.fault.Err.(*kafka.Error).Class, f.fault.After)
}

func nothingMore(*testing.T) {}
