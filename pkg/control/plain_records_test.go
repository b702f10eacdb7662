package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// plainRates is Rates written down plainly from its documentation: lists of records in place of rings and slots, rates counted
// one record after the other, every interpolation weight tried on every record, u by its definition. It shares the tuned
// constants with Rates, and pkg/linear.
type plainRates struct {
	settings    Settings
	models      *linear.Models
	comparisons []fairness.Comparison
	kept        []*plainConstraint // of the enforced comparisons, in their order
	active      []*plainConstraint // those with a model, in the order of the models
	windows     [][2]*plainWindow  // by comparison
	everyone    *plainWindow
	slots       []*plainRecord
	vacant      []int
	stale       int

	records, perWeight         float64
	proportion                 float64 // of labels to records
	untilChoice, interval      int
	measured, sharing          int
	shift                      float64
	constant                   bool
	entered, left, turned, due int // how often
}

// plainRecord is a remembered record. Margins and gradients are kept in single precision.
type plainRecord struct {
	row                features.Row
	margins, gradients []float64
	positive           bool
	came, learnt       float64 // records before it came, and before its label did
	number             int64   // of one that came without its label
	held               int     // windows
}

// plainWindow is a list of records and their weights in a comparison, the newest last.
type plainWindow struct {
	capacity, seen, steady int
	items                  []plainItem
}

type plainItem struct {
	*plainRecord
	weight float64
}

func (w *plainWindow) newest() []plainItem {
	items := slices.Clone(w.items)
	slices.Reverse(items)
	return items[:w.steady]
}

func single(x float64) float64 { return float64(float32(x)) }

// push adds a record to a full window from which yield took the oldest, or to one that is not full.
func (w *plainWindow) push(r *plainRecord, weight float64) {
	r.held++
	w.items = append(w.items, plainItem{r, weight})
	w.seen++
	w.steady = min(w.steady+1, w.capacity, max(leastSteady, w.seen*3/4))
}

func (p *plainRates) yield(w *plainWindow) {
	if len(w.items) == w.capacity {
		p.release(w.items[0])
		w.items = w.items[1:]
	}
}

func (p *plainRates) release(item plainItem) {
	if item.held--; item.held == 0 {
		p.vacant = append(p.vacant, slices.Index(p.slots, item.plainRecord))
	}
}

// keep remembers a record in the slot that was vacated last, once its windows have let go of their oldest records: everyone's,
// then those of comparisons that are measured only, then those of the others.
func (p *plainRates) keep(record *Record, gradients []float64) {
	r := &plainRecord{positive: record.Positive, came: p.records, learnt: p.records}
	if record.Brings == Itself {
		r.number = record.Number
	}
	kept := p.remembered(record)
	r.row = features.Row{Index: slices.Clone(record.Row.Index), Value: slices.Clone(record.Row.Value)}
	for k, margin := range record.Margins.Average {
		r.margins, r.gradients = append(r.margins, single(margin)), append(r.gradients, single(gradients[k]))
	}
	labelled := record.Weight
	if record.Labelled > 0 {
		labelled = record.Labelled
	}
	weights := map[*plainWindow]float64{}
	var windows []*plainWindow
	join := func(w *plainWindow, weight float64) {
		if single(weight) > 0 {
			windows, weights[w] = append(windows, w), single(weight)
		}
	}
	if p.everyone != nil && record.Brings != Itself {
		join(p.everyone, labelled)
	}
	for _, enforced := range []bool{false, true} {
		for i, comparison := range p.comparisons {
			factor := 1.0
			if record.Factors != nil {
				factor = record.Factors[i]
			}
			if at := slices.Index([]fairness.Side{fairness.Group, fairness.Versus}, record.Sides[i]); at >= 0 && comparison.Enforce == enforced {
				weight := record.Weight
				if comparison.Criterion.NeedsLabel() {
					weight = labelled
				}
				join(p.windows[i][at], weight*factor)
			}
		}
	}
	if len(windows) == 0 && kept == nil {
		return
	}
	for _, w := range windows {
		p.yield(w)
	}
	if kept != nil { // its label came
		kept.positive, kept.learnt = record.Positive, p.records
		for k := range kept.gradients {
			kept.gradients[k] = single(kept.gradients[k] + single(gradients[k]))
		}
		for _, w := range windows {
			w.push(kept, weights[w])
		}
		return
	}
	if last := len(p.vacant) - 1; last >= 0 {
		p.slots[p.vacant[last]], p.vacant = r, p.vacant[:last]
	} else {
		p.slots = append(p.slots, r)
	}
	for _, w := range windows {
		w.push(r, weights[w])
	}
}

// remembered is the record that a label belongs to, nil if no window of a comparison that needs no label has it.
func (p *plainRates) remembered(record *Record) *plainRecord {
	if record.Brings != Label {
		return nil
	}
	for i, sides := range p.windows {
		for _, w := range sides {
			for _, item := range w.items {
				if !p.comparisons[i].Criterion.NeedsLabel() && item.number == record.Number {
					return item.plainRecord
				}
			}
		}
	}
	return nil
}

func (p *plainRates) used() int { return len(p.slots) - len(p.vacant) }

// refresh computes the margins of some records again: of all where a side of a pressed comparison came in a burst.
func (p *plainRates) refresh() {
	perRecord := min(mostRefreshed, max(refreshPerRecord*float64(max(1, len(p.active))), refreshTurn/float64(max(1, p.used()))))
	if len(p.active) == 0 {
		perRecord *= idleShare
	}
	count := max(1, int(perRecord*float64(p.interval)))
	if p.proportion < 1 {
		count = p.used()
	}
	for _, c := range p.active {
		var long [2]bool
		for i, away := range c.away {
			long[i] = away >= float64(p.interval)*burstShare && away*c.shares[i] >= absence
		}
		if long[0] != long[1] {
			count = p.used()
		}
	}
	influence := p.influence()
	for count = min(count, p.used()); count > 0; p.stale++ {
		p.stale %= len(p.slots)
		if r := p.slots[p.stale]; r.held > 0 {
			r.margins = p.marginsOf(r, influence)
			for k := range r.margins {
				r.margins[k] = single(r.margins[k])
			}
			count--
		}
	}
}

// influence is that of records on their own margins, nil if it is to be left in.
func (p *plainRates) influence() *linear.Influence {
	if p.without(refine.LeaveOneOut) {
		return nil
	}
	curvature, square, known := 0.0, 0.0, 0.0
	for _, c := range p.active {
		if c.pushed == 0 {
			square += c.multiplier * c.multiplier
			continue
		}
		known++
		curvature += c.lossCurvature + c.multiplier*max(0, c.pushCurvature)
		square += c.multiplier * c.multiplier * c.pushSquare
	}
	var influence linear.Influence
	p.models.Influence(&influence, curvature/max(1, known), square/float64(len(p.active)+1))
	return &influence
}

// marginsOf are the margins of a record under today's models, less what they owe to the record.
func (p *plainRates) marginsOf(r *plainRecord, influence *linear.Influence) []float64 {
	at := p.models.NewMargins()
	p.models.Margins(at, &r.row)
	if influence == nil {
		return at.Average
	}
	free, constrained := influence.Of(&r.row, max(earliest, (r.learnt-.5)/p.records))
	at.Average[0] += free * r.gradients[0]
	for k := 1; k < len(at.Average); k++ {
		at.Average[k] += constrained * r.gradients[k]
	}
	return at.Average
}

// cut drops the older records of a comparison where the newest are decided too differently.
func (p *plainRates) cut(c *plainConstraint, decide func(*plainRecord) bool) {
	items := [2][]plainItem{c.sides[0].newest(), c.sides[1].newest()}
	half := min(len(items[0]), len(items[1])) / 2
	if half < recent[0] || p.without(refine.Change) {
		return
	}
	var lengths []int
	for _, length := range recent {
		if length < half {
			lengths = append(lengths, length)
		}
	}
	for _, length := range append(lengths, half) {
		difference, variance := 0.0, 0.0
		for i, sign := range []float64{1, -1} {
			young, old, all := count(items[i][:length], decide), count(items[i][length:], decide), count(items[i], decide)
			difference += sign * (young.rate() - old.rate())
			variance += all.variance() * all.effective() * (1/young.effective() + 1/old.effective())
		}
		sigma := changeSigma
		if length == half {
			sigma = driftSigma
		}
		for others := 1; others < p.measured; others *= 2 {
			sigma = math.Sqrt(sigma*sigma + 2*math.Ln2)
		}
		if math.Abs(difference) > sigma*math.Sqrt(variance) {
			c.changes++
			c.cuts = append(c.cuts, change{p.records, difference / math.Sqrt(variance)})
			for _, w := range c.sides {
				old := w.items[:len(w.items)-length]
				w.items, w.steady = w.items[len(old):], length
				for _, item := range slices.Backward(old) {
					p.release(item)
				}
			}
			return
		}
	}
}

// plainCount is the decisions of some records.
type plainCount struct{ records, weight, squared, positive, positiveSquared float64 }

func count(items []plainItem, decide func(*plainRecord) bool) (n plainCount) {
	for _, item := range items {
		n.records++
		n.weight += item.weight
		n.squared += item.weight * item.weight
		if decide(item.plainRecord) {
			n.positive += item.weight
			n.positiveSquared += item.weight * item.weight
		}
	}
	return n
}

func (n plainCount) rate() float64      { return n.positive / n.weight }
func (n plainCount) effective() float64 { return n.weight * n.weight / n.squared }
func (n plainCount) smoothed() float64  { return (n.effective()*n.rate() + 1) / (n.effective() + 2) }

// worth is p (1−p) over the variance of a ratio of sums of weights; all weights are equal if they are within rounding.
func (n plainCount) worth() float64 {
	if math.Abs(n.effective()-n.records) < 1e-9*n.records {
		return n.effective()
	}
	p := n.smoothed()
	return min(n.effective(), p*(1-p)/(((1-p)*(1-p)*n.positiveSquared+p*p*(n.squared-n.positiveSquared))/(n.weight*n.weight)))
}

func (n plainCount) variance() float64 { return n.smoothed() * (1 - n.smoothed()) / n.effective() }
