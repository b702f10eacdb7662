package main

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// runLength is the default of pkg/monitor.
const runLength = 50_000

// alarms are what a detector did on streams that change.
type alarms struct {
	before cell // share of streams with an alarm before the change
	median int  // records from the change to the alarm, of the others
	never  int  // streams without an alarm
}

// afterTheChange is how long a stream goes on after its change.
const afterTheChange = 60_000

func (s study) alarms(from stream) alarms {
	ends := parallel(s.runs, func(i int) int { return alarmAt(from, uint64(i), runLength, from.changeAt+afterTheChange) })
	var a alarms
	var delays []int
	early := 0
	for _, at := range ends {
		switch {
		case at < 0:
			a.never++
			delays = append(delays, afterTheChange)
		case at < from.changeAt:
			early++
		default:
			delays = append(delays, at-from.changeAt)
		}
	}
	a.before = s.cell(early, s.runs)
	slices.Sort(delays)
	a.median = delays[len(delays)/2]
	return a
}

// alarmAt is the record at which a detector raises its first alarm, −1 if it raises none.
func alarmAt(from stream, seed uint64, threshold float64, records int) int {
	random := rand.New(rand.NewPCG(seed, 2))
	var d fairness.Detector
	for record := range records {
		side, positive, _ := from.draw(random, record)
		if d.Add(side, positive, &comparison) && d.Evidence() >= threshold {
			return record
		}
	}
	return -1
}

// meanRunLength is the mean number of records to a false alarm at a threshold, with none counted as the last record.
func (s study) meanRunLength(from stream, threshold float64) float64 {
	const most = 2_000_000
	sum := 0.0
	for _, at := range parallel(max(10, s.runs/20), func(i int) int { return alarmAt(from, uint64(i), threshold, most) }) {
		if at < 0 {
			at = most
		}
		sum += float64(at + 1)
	}
	return sum / float64(max(10, s.runs/20))
}

// parallel computes f of 0 to n−1 on all cores.
func parallel[T any](n int, f func(i int) T) []T {
	results := make([]T, n)
	var group sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		group.Go(func() {
			for i := core; i < n; i += cores {
				results[i] = f(i)
			}
		})
	}
	group.Wait()
	return results
}
