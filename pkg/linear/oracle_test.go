package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestModelsAreWhatTheirDocumentationSays compares Models with plainModels after each record: of both losses, with and without what
// a setting adds, while models join, leave, settle and are mirrored.
func TestModelsAreWhatTheirDocumentationSays(t *testing.T) {
	logistic, squared := func() Loss { return NewLogistic() }, func() Loss { return NewSquared() }
	for name, test := range map[string]struct {
		settings Settings
		loss     func() Loss
		without  []string
		records  int
		levels   []int
	}{
		"logistic":        {Settings{Most: 3, Step: 1, Regularization: 1e-3, Forgetting: 900}, logistic, nil, 4300, []int{3, 1, 2, 5}},
		"squared":         {Settings{Most: 3, Sums: 2, Window: 40, Step: 1, Regularization: 1e-3, Forgetting: 900}, squared, nil, 2300, []int{3, 1, 2, 5}},
		"sparse":          {Settings{Most: 2, Sums: 2, Window: 40, Step: .7, Sparsity: .02, Forgetting: 500}, squared, nil, 700, []int{3, 4, 5}},
		"many flags":      {Settings{Most: 1, Step: 1, Forgetting: 3000}, logistic, nil, 6300, slices.Repeat([]int{2}, 20)},
		"flags, squared":  {Settings{Most: 1, Step: 1, Forgetting: 3000}, squared, nil, 4300, slices.Repeat([]int{1, 2}, 11)},
		"many weights":    {Settings{Most: 1, Step: 1, Forgetting: 500}, logistic, nil, 300, []int{4080, 30}},
		"no prior":        {Settings{Most: 1, Step: 2, Forgetting: 500}, logistic, []string{string(refine.Prior)}, 2200, []int{3, 4}},
		"no bound":        {Settings{Most: 1, Step: 3, Forgetting: 500}, logistic, []string{string(refine.BoundedSteps)}, 300, []int{3, 4}},
		"equal steps":     {Settings{Most: 1, Step: .1, Forgetting: 200}, logistic, []string{string(refine.PreconditionedSteps)}, 500, []int{3, 4}},
		"a large step":    {Settings{Most: 1, Step: 5, Forgetting: 500}, logistic, nil, 500, []int{2, 3}},
		"short sums":      {Settings{Most: 1, Sums: 2, Window: 3, Step: 1, Forgetting: 500}, squared, nil, 1500, []int{3, 4}}, // their scale is folded
		"hardly a memory": {Settings{Most: 2, Step: 1, Forgetting: 4}, logistic, nil, 1300, []int{3, 4}},                      // the decay is folded
		"a short memory":  {Settings{Most: 2, Step: 1, Forgetting: 30}, logistic, nil, 1500, []int{3, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := refine.Parse(test.without)
			if err != nil {
				t.Fatal(err)
			}
			test.settings.Without = set
			e := levelled(t, test.levels...)
			c := &comparison{e: e, settings: test.settings, loss: test.loss, random: rand.New(rand.NewPCG(61, uint64(test.records)))}
			c.fast, c.slow = New(test.settings, test.loss()), newPlainModels(test.settings, test.loss(), e)
			c.fast.Grow(e)
			c.fast.Loss().Start([]float64{-1, 0, 2, 5})
			c.slow.loss.Start([]float64{-1, 0, 2, 5})
			for i := range test.records {
				c.reshape(t, i)
				c.learn(t, i)
			}
			if used, _ := c.fast.InUse(); (used > 0) != (test.records > 2048 && test.without == nil) {
				t.Errorf("%v weights are in use", used)
			}
		})
	}
}

// comparison is of Models and plainModels on one stream.
type comparison struct {
	fast     *Models
	slow     *plainModels
	e        *features.Frozen
	settings Settings
	loss     func() Loss
	random   *rand.Rand
	prepared Influence
}

// reshape lets models join, leave and so on, now and then, and restores the state.
func (c *comparison) reshape(t *testing.T, i int) {
	if i%173 == 100 {
		w := codec.NewWriter(nil)
		c.fast.Fields(w, c.e.Size())
		c.fast = New(c.settings, c.loss())
		r := codec.NewReader(w.Bytes())
		if c.fast.Fields(r, c.e.Size()); r.End() != nil {
			t.Fatal(r.End())
		}
		c.fast.Grow(c.e)
		c.prepared = Influence{}
	}
	count := c.fast.Models()
	switch {
	case i%100 == 30 && count <= c.settings.Most:
		if got := c.fast.Join(); got != count {
			t.Fatalf("model %d joined as %d", count, got)
		}
		c.slow.join()
	case i%400 == 399 && count > 1:
		model := 1 + c.random.IntN(count-1)
		c.fast.Leave(model)
		c.slow.leave(model)
	case i%150 == 149 && count > 1:
		model := 1 + c.random.IntN(count-1)
		c.fast.Settle(model)
		c.slow.settle(model)
	case i%170 == 169 && count > 1 && c.settings.Sums == 0:
		model := 1 + c.random.IntN(count-1)
		c.fast.Reflect(model)
		c.slow.reflect(model)
	case i == 450:
		c.fast.rescale() // changes what averages are made of, not what they are
	case i == 470:
		for sum := range c.fast.sums {
			c.fast.fold(sum)
		}
	}
}

// learn gives both a record and compares them.
func (c *comparison) learn(t *testing.T, i int) {
	row, x := c.row()
	same := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-8*max(1, math.Abs(want))) {
			t.Fatalf("record %d: %s is %v and should be %v", i, what, got, want)
		}
	}
	at, count := c.fast.NewMargins(), c.fast.Models()
	c.fast.Margins(at, &row)
	push := make([]float64, count)
	for k := range count {
		same("a margin", at.Iterate[k], dot(c.slow.iterates[k], x))
		same("an average margin", at.Average[k], dot(c.slow.averages[k], x))
		if k > 0 {
			push[k] = .3 * c.random.NormFloat64()
		}
	}
	label := c.fast.Loss().Label(x[1]+c.random.NormFloat64() > 0, 2+3*x[1]+c.random.NormFloat64())
	weight := .2 + 2*c.random.Float64()
	if i%100 == 0 {
		weight *= 400
	}
	relative := c.fast.Count(weight)
	same("a weight", relative, c.slow.count(weight))
	if len(c.slow.sums) > 0 {
		sum := c.random.IntN(len(c.slow.sums))
		c.fast.Add(sum, &row, at, relative)
		c.slow.sums[sum] = append(c.slow.sums[sum], plainRow{x, relative})
	}
	want := c.slow.step(x, row.Index, push, label, relative)
	for k, got := range c.fast.Step(&row, at, push, label, relative) {
		same("a gradient", got, want[k])
	}
	if count > 1 && i%3 == 0 {
		gradients := make([]float64, count)
		model := 1 + c.random.IntN(count-1)
		gradients[model] = c.random.NormFloat64()
		c.fast.Nudge(&row, model, gradients[model])
		c.slow.press(x, row.Index, gradients)
	}
	if i%3 == 1 {
		for k := range push { // as of a record without its label
			push[k] *= float64(i % 2)
		}
		gradients := slices.Clone(c.fast.Press(&row, push, c.fast.Relative(weight)))
		for k := range push {
			same("a pressing gradient", gradients[k], push[k]*min(weight/c.slow.mean, 100))
		}
		c.slow.press(x, row.Index, gradients)
	}
	c.fast.Adapt(c.e)
	c.slow.adapt(c.e)
	same("the squared error", c.fast.SquaredError(), c.slow.error)
	if i%20 == 0 {
		c.look(&row, x, same)
	}
}

// look compares what is asked for now and then.
func (c *comparison) look(row *features.Row, x []float64, same func(what string, got, want float64)) {
	used, records := c.fast.InUse()
	wantUsed, wantRecords := c.slow.inUse()
	same("the weights in use", used, wantUsed)
	same("the records in use", records, wantRecords)
	curvature, square, before := c.random.Float64(), c.random.Float64(), .01+.98*c.random.Float64()
	if c.random.IntN(2) == 0 {
		curvature = 0 // not known
	}
	c.fast.Influence(&c.prepared, curvature, square)
	if curvature == 0 {
		curvature = c.slow.error
	}
	var kept features.Packed
	kept.Pack(row, new(features.Slab))
	for range 2 { // the second time from what was kept of the first
		free, constrained := c.prepared.Of(row, before)
		same("an influence on the free model", free, c.slow.influence(x, row.Index, before, c.slow.error, square))
		same("an influence on constrained models", constrained, c.slow.influence(x, row.Index, before, curvature, square))
		one, both := c.fast.NewMargins(), c.fast.NewMargins()
		c.fast.Margins(one, row)
		if f, g := c.prepared.Margins(both, kept, &features.Row{}, before); f != free || g != constrained || !slices.Equal(one.Iterate, both.Iterate) || !slices.Equal(one.Average, both.Average) || !slices.Equal(one.lag, both.lag) {
			same("margins and influence at once", math.NaN(), free)
		}
	}
	for sum, rows := range c.slow.sums {
		if len(rows) == 0 {
			same("the effective number of no rows", c.fast.Effective(sum), 0)
			continue
		}
		for model := range c.slow.iterates {
			mean, total, effective := c.slow.meanOf(sum, model)
			same("a mean", c.fast.Mean(sum, model), mean)
			same("a total", c.fast.Total(sum), total)
			interpolation := make([]float64, len(c.slow.iterates)-1)
			if model > 0 {
				interpolation[model-1] = 1
			}
			weights := len(c.fast.values) / c.fast.stride
			same("parts of a mean", c.fast.Part(sum, interpolation, 0, weights/3)+c.fast.Part(sum, interpolation, weights/3, weights), mean)
			same("an effective number", c.fast.Effective(sum), effective)
		}
	}
	interpolation := make([]float64, c.fast.Models()-1)
	for k := range interpolation {
		interpolation[k] = c.random.NormFloat64()
	}
	for _, j := range row.Index {
		w := c.slow.averages[0][j]
		for k, value := range interpolation {
			w += value * (c.slow.averages[k+1][j] - c.slow.averages[0][j])
		}
		same("a published weight", c.fast.Weight(int(j), interpolation), w)
	}
}

// row draws a row of the intercept and one level of some columns, half of the rows with values.
func (c *comparison) row() (row features.Row, x []float64) {
	x = make([]float64, c.e.Size())
	values := c.random.IntN(2) == 0
	draw := func(j int32) {
		if x[j] = 1; values {
			x[j] = float64(float32(c.random.NormFloat64()))
		}
		row.Add(j, x[j])
	}
	row.Add(0, 1)
	x[0] = 1
	members := map[int32][]int32{}
	owners := c.slow.owners
	for j := range owners {
		members[owners[j]] = append(members[owners[j]], int32(j))
	}
	for owner := range int32(len(c.slow.norms)) {
		if js := slices.DeleteFunc(slices.Clone(members[owner]), func(j int32) bool { return j == 0 }); len(js) > 0 && c.random.IntN(5) > 0 {
			first := c.random.IntN(len(js))
			draw(js[first])
			if values && first+1 < len(js) {
				draw(js[first+1])
			}
		}
	}
	return row, x
}
