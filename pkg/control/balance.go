package control

import "github.com/fairstream/fairstream/pkg/fairness"

// Where one side stays away.
//
// A push is an expectation over both sides, and a record brings the part of its own. Where records come in bursts of one
// group, as from keyed partitions, all pushes have one sign for long: they move the intercept and what all records share to
// and fro, instead of the weights that tell the groups apart. Where the attribute stays away, there is no push at all, and the
// constrained model forgets what it is for. So while a side has not come for much longer than chance would keep it away,
// remembered records of it are pushed, in the proportion in which it comes at other times.

// absence is for how many times its mean distance a side has to stay away: by chance it does once in e⁴ = 55 times.
const absence = 4.0

// mostRecalled bounds the remembered records for each record learnt.
const mostRecalled = 8

// balance is the state of one comparison.
type balance struct {
	away [2]float64 // records since the last one of a side
	debt [2]float64 // remembered records that are to be pushed
	turn int        // remembered records that have been pushed
}

// observe takes in a record and returns how many remembered records are due of each side.
func (b *balance) observe(side fairness.Side, shares shares) (due [2]int) {
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		if side == on {
			b.away[i] = 0
			continue
		}
		b.away[i]++
		if float64(b.away[i]*shares[i]) < absence {
			b.debt[i] = 0
			continue
		}
		rate := shares[i] // for each record, and for each of the other side in its proportion
		if side == fairness.Group || side == fairness.Versus {
			rate /= shares[1-i]
		}
		b.debt[i] = min(b.debt[i]+rate, mostRecalled)
		due[i] = int(b.debt[i])
		b.debt[i] -= float64(due[i])
	}
	return due
}

// burst says whether one side, and not both, has stayed away for so many records, and for longer than chance explains.
func (b *balance) burst(shares shares, records float64) bool {
	var long [2]bool
	for i, away := range b.away {
		long[i] = away >= records && float64(away*shares[i]) >= absence
	}
	return long[0] != long[1]
}

// longAbsence is for how many times its mean distance a side that is apart has stayed away: by chance once in e⁸ = 3,000 times.
const longAbsence = 2 * absence

// apart returns for how many records each side has stayed away, 0 unless half of the other side's steady records have come since and
// chance does not explain it. The difference of two such windows compares different times, and what the models owe to
// records of before is no longer what leaving them out takes away.
func apart(sides [2]*window, shares shares, records float64) (away [2]float64) {
	if sides[0].len() == 0 || sides[1].len() == 0 {
		return away
	}
	for i, w := range sides {
		newest, other := w.cameAt(0), sides[1-i]
		if since := records - newest; other.cameAt(other.steady/2) > newest && float64(since*shares[i]) >= longAbsence {
			away[i] = since
		}
	}
	return away
}

// stride is a prime above every window, so that its multiples visit all records.
const stride = 65537

// next is the age of the next remembered record of a window.
func (b *balance) next(w *window) int {
	b.turn = (b.turn + 1) % (1 << 30)
	return b.turn % w.steady * (stride % w.steady) % w.steady
}
