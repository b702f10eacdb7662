package control

import "github.com/fairstream/fairstream/pkg/fairness"

// Where one side stays away.
//
// A push is an expectation over both sides, and a record brings the part of its own. Where records come in bursts of one
// group, as from keyed partitions, all pushes have one sign for long: they move the intercept and what all records share to
// and fro, instead of the weights that tell the groups apart. So while a side has not come for much longer than chance
// would keep it away, remembered records of it are pushed, in the proportion in which it comes at other times.

// absence is for how many times its mean distance a side has to stay away: by chance it does once in e⁴ = 55 times.
const absence = 4.0

// mostRecalled bounds the remembered records for each record learnt.
const mostRecalled = 8

// balance is the state of one comparison.
type balance struct {
	away [2]float64 // records of the other side since the last one of a side
	debt float64    // remembered records that are to be pushed
	turn int        // remembered records that have been pushed
}

// observe takes in a record and returns the side that has stayed away too long, and how many of its records are due.
func (b *balance) observe(side fairness.Side, shares shares) (missing, due int) {
	present := 0
	switch side {
	case fairness.Group:
	case fairness.Versus:
		present = 1
	default:
		return 0, 0
	}
	missing = 1 - present
	b.away[present] = 0
	b.away[missing]++
	if float64(b.away[missing]*shares[missing]) < absence*(shares[0]+shares[1]) {
		b.debt = 0
		return missing, 0
	}
	b.debt = min(b.debt+shares[missing]/shares[present], mostRecalled)
	due = int(b.debt)
	b.debt -= float64(due)
	return missing, due
}

// stride is a prime above every window, so that its multiples visit all records.
const stride = 65537

// next is the slot of the next remembered record of a window.
func (b *balance) next(w *window) int {
	b.turn = (b.turn + 1) % (1 << 30)
	return w.slot(b.turn % w.steady * (stride % w.steady) % w.steady)
}
