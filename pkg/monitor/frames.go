package monitor

import "time"

// The windows consist of so many frames. The recent window therefore holds between 95 % and 100 % of its records, once it is full.
const (
	windowFrames = 20
	periodFrames = 24
)

// frames are counters over all records, over the recent ones and over a period of event time. A counter has the same index in each.
type frames struct {
	// Settings.
	perFrame int           // records
	width    time.Duration // of a frame of the period

	// State: what a snapshot saves.
	closed []int64    // all records but those of the open frame
	recent [][]uint32 // the recent window; the frame at open is being filled
	open   int
	filled int // records in the open frame
	period [][]uint32
	newest int64 // number of the newest frame of the period, which is at newest mod periodFrames
	timed  bool  // a record had a time
	late   int64 // records too old for the period, and how many of them in a row
	row    int64
	sums   sums
	now    int // the frame of the period for the present record, −1 for none

	size int // counters
}

// lateRow is the number of late records in a row after which the period starts again: one record with a time far ahead must not end
// it for good.
const lateRow = 1000

func newFrames(window int, period time.Duration, size int) frames {
	f := frames{perFrame: (window + windowFrames - 1) / windowFrames, width: period / periodFrames, now: -1}
	f.recent, f.period = make([][]uint32, windowFrames), make([][]uint32, periodFrames)
	f.grow(size)
	return f
}

// grow makes room for further counters, at the end.
func (f *frames) grow(size int) {
	f.closed = append(f.closed, make([]int64, size-f.size)...)
	for _, ring := range [...][][]uint32{f.recent, f.period} {
		for i := range ring {
			ring[i] = append(ring[i], make([]uint32, size-f.size)...)
		}
	}
	f.size = size
}

// begin counts the present record: in the recent window, and in the period if it has a time.
func (f *frames) begin(at time.Time) {
	if f.filled == f.perFrame {
		for i, n := range f.recent[f.open] {
			f.closed[i] += int64(n)
		}
		full := f.open
		f.open, f.filled = (f.open+1)%windowFrames, 0
		clear(f.recent[f.open])
		f.sums.next(full, f.open)
	}
	f.filled++
	f.findPeriod(at)
}

// findPeriod finds the frame of the period.
func (f *frames) findPeriod(at time.Time) {
	f.now = -1
	if at.IsZero() {
		return
	}
	number := floorDiv(at.UnixMilli(), max(1, f.width.Milliseconds()))
	switch {
	case !f.timed || f.row >= lateRow && number <= f.newest-periodFrames:
		for i := range f.period {
			f.forget(i)
		}
		f.newest, f.timed = number, true
	case number > f.newest:
		for next := max(f.newest+1, number-periodFrames+1); next <= number; next++ {
			f.forget(int(floorMod(next, periodFrames)))
		}
		f.newest = number
	case number <= f.newest-periodFrames:
		f.late++
		f.row++
		return
	}
	f.row = 0
	f.now = int(floorMod(number, periodFrames))
}

// forget clears a frame of the period.
func (f *frames) forget(frame int) {
	clear(f.period[frame])
	f.sums.forget(frame)
}

// add counts the present record.
func (f *frames) add(counter int) {
	f.recent[f.open][counter]++
	if f.now >= 0 {
		f.period[f.now][counter]++
	}
}

// all is a counter over all records.
func (f *frames) all(counter int) int64 { return f.closed[counter] + int64(f.recent[f.open][counter]) }

// inAll, inRecent and inPeriod read some counters, from one on.
func (f *frames) inAll(dst []int64, counter int) []int64 {
	for i := range dst {
		dst[i] = f.all(counter + i)
	}
	return dst
}

func (f *frames) inRecent(dst []int64, counter int) []int64 { return sumOf(dst, f.recent, counter) }

func (f *frames) inPeriod(dst []int64, counter int) []int64 { return sumOf(dst, f.period, counter) }

func sumOf(dst []int64, ring [][]uint32, counter int) []int64 {
	clear(dst)
	for _, frame := range ring {
		for i := range dst {
			dst[i] += int64(frame[counter+i])
		}
	}
	return dst
}

// sums are what the labelled decisions of comparisons stand for, in the frames of the counters. There are none until two decisions stand for
// different numbers of records: labels before that may have come of some records rather than others, and nobody knows of which.
type sums struct {
	closed         []sum
	recent, period [][]sum
}

func (s *sums) begun() bool { return s.closed != nil }

func (s *sums) begin(size int) {
	s.closed = make([]sum, size)
	s.recent, s.period = make([][]sum, windowFrames), make([][]sum, periodFrames)
	for _, ring := range [...][][]sum{s.recent, s.period} {
		for i := range ring {
			ring[i] = make([]sum, size)
		}
	}
}

// next closes a frame of the recent window, and clears the one that follows it.
func (s *sums) next(full, open int) {
	if !s.begun() {
		return
	}
	for i, one := range s.recent[full] {
		s.closed[i].combine(one)
	}
	clear(s.recent[open])
}

// forget clears a frame of the period.
func (s *sums) forget(frame int) {
	if s.begun() {
		clear(s.period[frame])
	}
}

// add counts a decision in the frames that are open; now is −1 without one of the period.
func (s *sums) add(at int, weight float64, open, now int) {
	one := sum{1, weight, weight * weight}
	s.recent[open][at].combine(one)
	if now >= 0 {
		s.period[now][at].combine(one)
	}
}

// window is one of the windows of counters and sums.
type window uint8

const (
	inAll window = iota
	inRecent
	inPeriod
)

// standing adds up the sums of both sides of a comparison in a window. It says whether there are any.
func (f *frames) standing(both *[2]standing, in window, comparison int) bool {
	s := &f.sums
	if !s.begun() {
		return false
	}
	*both = [2]standing{}
	add := func(sums []sum) {
		for i, one := range sums[comparison*perStanding:][:perStanding] {
			both[i/len(standing{})][i%len(standing{})].combine(one)
		}
	}
	switch in {
	case inAll:
		add(s.closed)
		add(s.recent[f.open])
	case inRecent:
		for _, frame := range s.recent {
			add(frame)
		}
	case inPeriod:
		for _, frame := range s.period {
			add(frame)
		}
	}
	return true
}

// in reads the counters of a comparison in a window.
func (f *frames) in(dst []int64, which window, counter int) []int64 {
	switch which {
	case inRecent:
		return f.inRecent(dst, counter)
	case inPeriod:
		return f.inPeriod(dst, counter)
	}
	return f.inAll(dst, counter)
}

func floorDiv(a, b int64) int64 {
	if q := a / b; a%b >= 0 {
		return q
	}
	return a/b - 1
}

func floorMod(a, b int64) int64 { return ((a % b) + b) % b }
