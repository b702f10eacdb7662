package stream

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/release"
)

// law is how records are drawn for a while: how often each group has z, and how likely the label is with it and without. When the law changes, versions
// that were fair may be unfair, and the other way round.
type law struct {
	share        float64 // of group a
	zOfA, zOfB   float64
	with, withHi float64 // the probability of the label with z, and with x = hi without z
	without      float64
}

func drawLaw(r *rand.Rand) law {
	of := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	w := law{of(.2, .5, .7), of(.1, .5, .95), of(.9, .05, .5), of(.97, .97, .97, .3), of(.7, .1), of(.03, .2)}
	if r.IntN(5) == 0 { // groups are alike
		w.zOfB = w.zOfA
	}
	return w
}

// draw is a record without its closing brace and without its label, which is given beside it.
func (w *law) draw(r *rand.Rand) (fields string, label int) {
	group, x, z, likely, zOf := "b", "lo", "n", w.without, w.zOfB
	if r.Float64() < w.share {
		group, zOf = "a", w.zOfA
	}
	if r.Float64() < .5 {
		x, likely = "hi", w.withHi
	}
	if r.Float64() < zOf {
		z, likely = "y", w.with
	}
	if r.Float64() < likely {
		label = 1
	}
	return fmt.Sprintf(`{"group":%q,"x":%q,"z":%q`, group, x, z), label
}

// drivenOptions are those of a small job in which much happens: of a classifier or of a regression, with labels at once or later.
func drivenOptions(r *rand.Rand) Options {
	options := driftingOptions()
	if r.IntN(2) == 0 {
		options.Model.Record.Key = "key"
	}
	switch constraint := &options.Model.Constraints[0]; r.IntN(5) {
	case 0:
		options.Model.Record.Label.Positive, options.Model.Learner.Task = "", model.Regression
		constraint.Criterion, constraint.Relaxation, constraint.Tau = fairness.MeanDifference, "", .2
	case 1:
		constraint.Criterion = fairness.PredictiveEquality // of negative labels only
	}
	options.Decoders, options.KeepVersions, options.Standby = 1+r.IntN(2), 1+r.IntN(3), r.IntN(3) == 0
	redraw(r, &options)
	return options
}

// redraw draws the settings that may change whenever a job starts.
func redraw(r *rand.Rand, options *Options) {
	options.Snapshot, options.Publish = Cadence{Records: 200 + r.Int64N(3000)}, Cadence{Records: 300 + r.Int64N(2500)}
	if r.IntN(3) == 0 {
		options.Publish.Records = 10_000 // nothing takes the place of an unfair version
	}
	runLength := []float64{1000, 1e12, 1e12} // with the second, a test of withdrawal comes before the alarm
	options.Release = release.Config{
		Limit: .07 + .15*r.Float64(), Delta: []float64{.9, .1}[r.IntN(2)], MinimumRecords: 10, MinimumLabels: 100,
		CoolDown: []int64{1, 500}[r.IntN(2)], Deadline: 1000 + r.Int64N(2000), Anchors: 2 + r.IntN(4), RunLength: 1000, AlarmRunLength: runLength[r.IntN(3)],
		Measured: true, Rate: []int64{100_000, 100_000, 400}[r.IntN(3)], Share: []float64{1, 1, .5}[r.IntN(3)],
	}
}

// owedLabel comes later.
type owedLabel struct {
	after int // records
	key   int
	whole string
	label int
}

// put writes records, with their labels or before them, and labels that are due.
func (d *drive) put(records int) {
	var lines []string
	for range records {
		d.made++
		fields, label := d.law.draw(d.random)
		whole := fmt.Sprintf(`%s,"label":%d}`, fields, label)
		switch keyed := d.options.Model.Record.Key != ""; {
		case keyed && d.once(2):
			lines = append(lines, fmt.Sprintf(`%s,"key":"%d"}`, fields, d.made))
			d.came = append(d.came, coming{whole, control.Itself, int64(d.made)})
			if !d.once(20) { // else it never comes
				d.owed = append(d.owed, owedLabel{d.made + 1 + d.random.IntN(600), d.made, whole, label})
			}
		case keyed:
			lines = append(lines, fmt.Sprintf(`%s,"label":%d,"key":"%d"}`, fields, label, d.made))
			d.came = append(d.came, coming{whole, control.Both, 0})
		default:
			lines = append(lines, whole)
			d.came = append(d.came, coming{whole, control.Both, 0})
		}
		if d.once(300) {
			lines = append(lines, `{"label": 1, "x":`) // rejected
		}
		d.owed = slices.DeleteFunc(d.owed, func(one owedLabel) bool {
			if one.after > d.made {
				return false
			}
			d.count["late label"]++
			lines = append(lines, fmt.Sprintf(`{"key":"%d","label":%d}`, one.key, one.label))
			d.came = append(d.came, coming{one.whole, control.Label, int64(one.key)})
			return true
		})
	}
	d.world.Put(testTopics.Input, 0, lines...)
}
