package linear

import (
	"math"

	"github.com/fairstream/fairstream/internal/sums"
	"github.com/fairstream/fairstream/pkg/features"
)

// What a margin owes to its own record.
//
// Margins that are computed again after their records were learnt from are those of records the models have seen:
// they say how fair they are on these, not on the next. So a record's own influence is taken out of them, as in an
// approximate leave-one-out (Rad and Maleki, J. R. Stat. Soc. B 82, 2020):
//
//	margin_k += influence · g_k
//
// g_k is the gradient of the record's loss in the margin of model k when it was learnt, after a share v of the
// records. The step of AdaGrad moved weight j by s·g·x_j/√(v·G_j), s being the step size and G_j what curvature has
// become since: it grows with the records. Two things happened to that:
//
//   - Later records pull it back: after a share u of them exp(−c_j·(√u − √v)) of it is left, with
//     c_j = 2s·(together·H_j + precision_j)/√G_j, H_j being the curvature of the objective in weight j. G_j sums squares of
//     gradients instead, of all models: H_j is G_j times the mean curvature in a margin over the mean square of a gradient.
//   - Published is an average over u, with weights that grow like u^(q−1): q is the records divided by the length of
//     the average.
//
// With taken = 1 − v^q, the share of the average that came after the record, E the mean of √u − √v over it,
// tail = q·v^q/√v·E and y = c_j·E,
//
//	influence = Σ_j x_j²·s/√(v·G_j) · (taken + tail·y) / (1 + y + y²/2)
//
// Here s is the step size times the share that bounds what a record may move its margin, and times G_j/(G_j + what its
// prior adds to the start's).
//
// The fraction is the exact average where y is small, and where it is large; between, it is close to it.
//
// Curvature stops growing when a weight has been touched as often as forgetting allows, F. From then on later records
// pull back more than c_j says, by the number n of touches divided by F. The touches are not counted: F ≤ n ≤ records.
// Where curvature is full, n is taken for half the geometric mean of these bounds, if that exceeds F.
//
// Of v, only 1/√v is exact: the rest is computed for the middle of one of 32 intervals of √v, once for each weight that
// a record of the interval has. There are many records for each weight.

// together is how many of a row's weights pull back what one of them was moved: a number's fine and coarse bins
// stand for much the same, and every row has the intercept. With it the influence is that
// of learning once more without the record: TestInfluenceIsThatOfLeavingOneOut.
const together = 2.5

// ages is the number of intervals of √v.
const ages = 32

// mostParts bounds the weights whose parts are kept: the parts of others are computed for each record.
const mostParts = 4096

// Influence is what the influences of all records have in common at a time. It is valid until the models change, and belongs
// to one goroutine.
type Influence struct {
	models   *Models
	step     float64 // s, less its prior's part
	prior    float64 // by which precisions are multiplied to compare with curvature
	start    float64 // precision that slows no step
	averages int     // q
	full     float64 // curvature that grows no more
	more     float64 // by how much pull is more where it is full
	// pulling is H_j/G_j, times together, of the free model and of the constrained ones.
	pulling [2]float64

	number  int64 // how often it was prepared
	ages    [ages]age
	parts   []sums.Part // by age and weight: what a weight contributes to the influences of records of one age, by pulling
	weights int         // of each age
	spare   sums.Part   // of a weight beyond these
}

// age is what records of an interval of v have in common: see above.
type age struct {
	of                 int64 // the number of the Influence that it was computed for
	taken, tail, reach float64
}

// Influence prepares f for the influences of today. curvature is that of what constrained models minimise, in the margin of a
// record and on average over the records; 0 stands for that of the free model. There the mean square of the loss's gradient is
// its curvature, where probabilities are right (Fisher). square is what pushes add to the mean square of a gradient, on average over the models.
func (m *Models) Influence(f *Influence, curvature, square float64) {
	squares := m.squaredError + square
	if curvature == 0 {
		curvature = m.squaredError
	}
	forgetting, noise := m.settings.Forgetting, m.noise()
	f.models, f.number = m, f.number+1
	f.step, f.prior, f.start = m.settings.Step*m.bounded, noise*noise, m.constants.StartPrecision
	f.pulling = [2]float64{together * m.squaredError / squares, together * curvature / squares}
	f.full, f.more = forgetting*squares, max(0, math.Sqrt(m.memory.Records/forgetting)/2-1)
	// A whole number, so that the power is made of products alone and has the same bits on every machine.
	q := math.Round(m.memory.Records * max(1/m.averaging, 1/(1+float64(m.memory.Records/earlyAveraging))))
	f.averages = int(min(max(1, q), math.MaxInt32))
	if weights := min(len(m.values)/m.stride, mostParts); f.weights < weights {
		f.weights = min(weights+weights/4, mostParts) // new weights come one by one
		f.parts = make([]sums.Part, ages*f.weights)
	}
}

// Of is how far learning a row moved its own margin under the free model and under constrained ones, for a gradient of 1. before is
// v, in (0, 1).
func (f *Influence) Of(row *features.Row, before float64) (free, constrained float64) {
	a, parts, scale := f.at(before)
	xs, x2 := row.Value, 1.0 // x2 is x²
	for i, j := range row.Index {
		p := f.part(parts, a, j)
		if i < len(xs) {
			x2 = float64(float64(xs[i]) * float64(xs[i]))
		}
		free += float64(x2 * p.Left[0])
		constrained += float64(x2 * p.Left[1])
	}
	return scale * free, scale * constrained
}

// Margins computes the margins of a row that is kept as Models.Margins does, and returns what Of does: of two models in one go, since an addition waits
// for the one before it, and those of several sums pass the time for each other. into is room for the row, where it has to be unpacked.
func (f *Influence) Margins(dst *Margins, kept features.Packed, into *features.Row, before float64) (free, constrained float64) {
	m := f.models
	if m.count != 2 {
		kept.Unpack(into)
		m.Margins(dst, into)
		return f.Of(into, before)
	}
	a, parts, scale := f.at(before)
	// Field by field: to copy a structure whose fields were just stored, a processor waits until they are in its cache.
	var weights sums.Weights
	var all sums.Sums
	weights.Values, weights.Stride, weights.At = m.values, m.stride, modelsAt
	from := 0
	if indices, marked, values, narrow := kept.Narrow(); narrow {
		var r sums.Narrow
		r.Index, r.Marks, r.Values = indices, marked, values
		for !all.AddNarrow(&weights, &r, parts, f.number) && r.Next() < len(parts) {
			f.part(parts, a, int32(r.Next())) // from now on it is known
		}
		from = r.Done()
	}
	if from < kept.NonZeros() {
		kept.Unpack(into)
		f.addFrom(&all, from, sums.Row{Index: into.Index, Value: into.Value}, &weights, a, parts)
	}
	m.setTwo(dst, &all.Of)
	return scale * all.Parts[0], scale * all.Parts[1]
}

// addFrom adds the non-zeros of a row from the i-th on with their parts.
func (f *Influence) addFrom(all *sums.Sums, i int, r sums.Row, weights *sums.Weights, a *age, parts []sums.Part) {
	for i < len(r.Index) {
		if j := uint(r.Index[i]); j < uint(len(parts)) && parts[j].Of == f.number {
			i = all.AddWith(weights, r, i, parts, f.number)
		} else {
			all.AddOne(weights, r, i, f.part(parts, a, r.Index[i]))
			i++
		}
	}
}

// at returns what records of an age have in common, the parts of that age, and by what their sums are multiplied.
func (f *Influence) at(before float64) (a *age, parts []sums.Part, scale float64) {
	root := math.Sqrt(before)
	of := min(int(root*ages), ages-1)
	a = &f.ages[of]
	if a.of != f.number {
		f.meet(a, (float64(of)+.5)/ages)
	}
	return a, f.parts[of*f.weights : (of+1)*f.weights], 2 * f.step / root
}

// part returns that of a weight, among those of an age.
func (f *Influence) part(parts []sums.Part, a *age, j int32) *sums.Part {
	p := &f.spare
	if at := uint(j); at < uint(len(parts)) {
		p = &parts[at]
	} else {
		p.Of = 0 // it is that of another weight
	}
	if p.Of != f.number {
		p.Of, p.Left = f.number, f.left(a, j)
	}
	return p
}

// meet computes what records have in common after a share of root² of the records.
func (f *Influence) meet(a *age, root float64) {
	q, power := float64(f.averages), wholePower(float64(root*root), f.averages)
	a.of, a.taken = f.number, 1-power
	mean := q*(1-float64(power*root))/float64((q+.5)*a.taken) - root
	a.tail, a.reach = q*power/root*mean, 2*f.step*mean
}

// left is x² (taken + tail·y) / (2√G·(1 + y + y²/2)) for x = 1, multiplied out, times what the prior leaves of the step.
func (f *Influence) left(a *age, j int32) (left [2]float64) {
	numbers := f.models.values[int(j)*f.models.stride:]
	curvature, precision := numbers[curvatureAt], numbers[precisionAt]
	root := math.Sqrt(curvature)
	slow := curvature / (curvature + float64(f.prior*max(0, precision-f.start)))
	for i, pulling := range f.pulling {
		if i > 0 && pulling == f.pulling[0] {
			left[i] = left[0]
			continue
		}
		y := float64(a.reach*slow) * (float64(pulling*curvature) + precision) // times √G
		if f.more > 0 {
			y = float64(y * (1 + float64(f.more*min(1, curvature/f.full))))
		}
		left[i] = float64(slow*(float64(a.taken*root)+float64(a.tail*y))) / (2*curvature + float64(y*(float64(2*root)+y)))
	}
	return left
}

// wholePower is x to the power of n.
func wholePower(x float64, n int) float64 {
	power := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power *= x
		}
		x *= x
	}
	return power
}
