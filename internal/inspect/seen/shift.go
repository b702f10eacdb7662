package seen

import (
	"math"
)

const (
	// A share is taken of so many records at the start and at the end; it has shifted if it changes by mostShift, five standard errors, or if of a
	// class that had leastVanished nothing is left.
	ShiftRecords  = 500
	mostShift     = .15
	leastVanished = .06
)

// Shift holds what is true of the first and of the newest records.
type Shift struct {
	first, newest  int // of which it is true
	started, ended int
	ring           [ShiftRecords]bool
}

func (s *Shift) add(is bool) {
	if s.started < ShiftRecords {
		s.started++
		if is {
			s.first++
		}
		return
	}
	at := s.ended % ShiftRecords
	if s.ended >= ShiftRecords && s.ring[at] {
		s.newest--
	}
	if s.ring[at] = is; is {
		s.newest++
	}
	s.ended++
}

// Found says whether the share has shifted, and from what to what.
func (s *Shift) Found() (from, to float64, shifted bool) {
	from, to = float64(s.first)/ShiftRecords, float64(s.newest)/ShiftRecords
	vanished := (from == 0 || to == 0 || from == 1 || to == 1) && math.Abs(to-from) >= leastVanished
	return from, to, s.ended >= ShiftRecords && (vanished || math.Abs(to-from) >= mostShift)
}
