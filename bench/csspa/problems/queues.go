package problems

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Arrivals are the numbers of jobs that arrived at each queue in one unit of time.
type Arrivals []float64

// Queues chooses the service rates x_i (jobs a unit of time) of parallel M/M/1
// queues, whose arrival rates are known only through observed arrivals N_i:
//
//	min_{0 <= x <= Limit} Σ_i Cost_i x_i   s.t.   Σ_i Share_i / (x_i - E N_i) - Delay <= 0
//
// 1/(x - a) is the mean time that a job spends in an M/M/1 queue of arrival rate
// a < x (Kleinrock, Queueing Systems I, eq. 3.26); Share_i weighs the queues, for
// example by their shares of the jobs. With a single N_i in place of its mean the
// delay would be meaningless, or negative: the constraint is compositional by
// nature. Below a spare capacity of Knee the delay is continued by its tangent, so
// that a temporarily overloaded estimate is a large finite delay.
type Queues struct {
	Cost  []float64 // > 0, one a queue
	Share []float64 // > 0, one a queue
	Delay float64   // bound on the weighted mean time in system, > 0
	Limit float64   // largest service rate, > 0
	Knee  float64   // > 0, below the spare capacity at the optimum
}

// Check reports the first field that is out of range.
func (q Queues) Check() error {
	if len(q.Cost) == 0 || len(q.Cost) != len(q.Share) {
		return fmt.Errorf("problems: Queues has %d costs and %d shares: it needs one of each a queue", len(q.Cost), len(q.Share))
	}
	for i := range q.Cost {
		if !(q.Cost[i] > 0) || !(q.Share[i] > 0) {
			return fmt.Errorf("problems: queue %d has cost %v and share %v: both must be positive", i, q.Cost[i], q.Share[i])
		}
	}
	for _, field := range []struct {
		name  string
		value float64
	}{{"Delay", q.Delay}, {"Limit", q.Limit}, {"Knee", q.Knee}} {
		if !(field.value > 0) {
			return fmt.Errorf("problems: Queues.%s is %v: it must be positive", field.name, field.value)
		}
	}
	return nil
}

// Problem states the design as problem (P), with h = x - N, the spare capacity.
func (q Queues) Problem() (csspa.Problem[Arrivals], error) {
	if err := q.Check(); err != nil {
		return csspa.Problem[Arrivals]{}, err
	}
	n := len(q.Cost)
	return csspa.Problem[Arrivals]{
		N: n,
		G: csspa.Func[Arrivals]{
			In: n, Len: 1,
			Value:    func(dst, x []float64, _ Arrivals) { dst[0] = dot(q.Cost, x) },
			Gradient: func(dst, _, weights []float64, _ Arrivals) { addScaled(dst, weights[0], q.Cost) },
		},
		F: csspa.Identity[Arrivals](1),
		H: csspa.Func[Arrivals]{
			In: n, Len: n,
			Value: func(dst, x []float64, arrived Arrivals) {
				for i, v := range x {
					dst[i] = v - arrived[i]
				}
			},
			Gradient: func(dst, _, weights []float64, _ Arrivals) { addScaled(dst, 1, weights) },
		},
		L: csspa.Func[Arrivals]{
			In: n, Len: 1,
			Value: func(dst, u []float64, _ Arrivals) {
				dst[0] = -q.Delay
				for i, spare := range u {
					delay, _ := csspa.Reciprocal(spare, q.Knee)
					dst[0] += q.Share[i] * delay
				}
			},
			Gradient: func(dst, u, weights []float64, _ Arrivals) {
				for i, spare := range u {
					_, slope := csspa.Reciprocal(spare, q.Knee)
					dst[i] += weights[0] * q.Share[i] * slope
				}
			},
		},
		X:          csspa.Box{Lower: []float64{0}, Upper: []float64{q.Limit}},
		FixedOuter: true,
	}, nil
}

// Optimum returns the best service rates and the multiplier for known arrival
// rates, provided that no rate reaches Limit. From Cost_i = λ Share_i / s_i² for
// the spare capacities s_i = x_i - rate_i, and Σ Share_i / s_i = Delay:
//
//	√λ = Σ_k √(Share_k Cost_k) / Delay,   x_i = rate_i + √(λ Share_i / Cost_i).
func (q Queues) Optimum(rates []float64) (x []float64, lambda float64) {
	sum := 0.0
	for k := range q.Cost {
		sum += math.Sqrt(q.Share[k] * q.Cost[k])
	}
	sum /= q.Delay
	x = make([]float64, len(rates))
	for i, rate := range rates {
		x[i] = rate + sum*math.Sqrt(q.Share[i]/q.Cost[i])
	}
	return x, sum * sum
}
