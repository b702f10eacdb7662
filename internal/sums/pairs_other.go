//go:build !amd64

package sums

// addPairs adds no non-zero.
func (s *Sums) addPairs(*Weights, Row) (done int) { return 0 }

func (s *Sums) addPairsWith(*Weights, Row, int, []Part, int64) (done int) { return 0 }

func (s *Sums) addNarrowPairs(*Weights, *Narrow, int, int, []Part, int64) (done int) { return 0 }
