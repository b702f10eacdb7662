package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// comparisonsOf returns a control of so many comparisons that nothing presses, all of them measured.
func comparisonsOf(t *testing.T, count int) *Rates {
	t.Helper()
	var comparisons []fairness.Comparison
	var names []surrogate.Name
	for range count {
		comparisons, names = append(comparisons, fairness.Comparison{Tau: .05, Enforce: true}), append(names, surrogate.Approximation1)
	}
	models := linear.New(linear.Settings{Most: count, Step: 1, Forgetting: 20000}, linear.NewLogistic())
	r, err := NewRates(Settings{Aim: NewAim(.95, count, 10000, .95), Window: 2000, Minimum: 30, Forgetting: 20000}, comparisons, names, models)
	if err != nil {
		t.Fatal(err)
	}
	for k := range r.constraints {
		c := &r.constraints[k]
		c.chosen, c.error = true, .01
		r.windows[k][0].steady, r.windows[k][1].steady = 100, 100
	}
	return r
}

// The doubt is shared in Holm's order: by all, less those that are within tau at what is left when it is their turn.
func TestTheDoubtIsSharedInHolmsOrder(t *testing.T) {
	// Quantiles at a 1st, ..., 4th of .05 are 1.645, 1.960, 2.128, 2.241.
	for _, test := range []struct {
		slacks []float64 // of comparisons without a model, in standard errors
		active int       // comparisons that are pressed, beside these
		want   int
	}{
		{nil, 1, 1},
		{nil, 4, 4},
		{[]float64{4, 5, 5}, 1, 1},
		{[]float64{2.2, 2.2, 2.2}, 1, 4},  // none is clear enough
		{[]float64{2.3, 2.1, 2.0}, 1, 3},  // the first is, the second not
		{[]float64{2.0, 2.15, 2.3}, 1, 1}, // each is when it is its turn
		{[]float64{2.3, 2.15, 2.0, 1.7}, 0, 1},
		{[]float64{-1, 4}, 2, 3},
	} {
		r := comparisonsOf(t, len(test.slacks)+test.active)
		for k, slack := range test.slacks {
			r.constraints[k].difference = r.constraints[k].tau - slack*r.constraints[k].error
		}
		for k := len(test.slacks); k < len(r.constraints); k++ {
			r.constraints[k].difference = .2
			r.active, r.interpolation = append(r.active, k), append(r.interpolation, .5)
			r.constraints[k].model = len(r.active)
		}
		if r.share(); r.family.sharing != test.want {
			t.Errorf("slacks %v and %d pressed: %d share the doubt, want %d", test.slacks, test.active, r.family.sharing, test.want)
		}
	}
}

// A side with too few records takes no doubt from others.
func TestATooSmallGroupTakesNoDoubt(t *testing.T) {
	r := comparisonsOf(t, 3)
	r.windows[2][0].steady = 29
	if r.share(); r.family.measured != 2 || r.family.sharing > 2 {
		t.Errorf("%+v", r.family)
	}
}

// What chance makes of many differences lets no comparison enter, and presses none while sampling error leaves only the least
// target; a clear difference does.
func TestChancePressesNothing(t *testing.T) {
	aim, tau := NewAim(.95, 16, 10000, .95), .05
	early := constraint{tau: tau, theta: (1 - leastTarget) * tau, noise: .03, several: true}
	early.chance = aim.evidence[15] * early.noise // .089
	between := constraint{tau: tau, theta: .035, noise: .01, several: true}
	between.chance = aim.evidence[15] * between.noise // .030
	late := constraint{tau: tau, theta: .02, noise: .004, several: true}
	late.chance = aim.evidence[15] * late.noise // .012
	alone := between
	alone.several = false
	for _, test := range []struct {
		name           string
		c              constraint
		enters, begins float64 // the least differences to enter, and to be pressed
	}{
		{"early", early, 1.25 * early.chance, early.chance},
		{"between", between, 1.25 * between.chance, .5 * tau},
		{"late", late, .03, .03},
		{"alone", alone, 1.25 * between.chance, .5 * tau},
	} {
		pressed := func(difference float64, model int, before bool) bool {
			c := test.c
			c.difference, c.model, c.pressing = difference, model, before
			if model == 0 {
				return c.need() > 1
			}
			c.press(&Settings{}, 1)
			return c.pressing
		}
		for _, sign := range []float64{1, -1} {
			if pressed(sign*.999*test.enters, 0, false) || !pressed(sign*1.001*test.enters, 0, false) {
				t.Errorf("%s: a comparison does not enter from %v on", test.name, test.enters)
			}
			if pressed(sign*.999*test.begins, 1, false) || !pressed(sign*1.001*test.begins, 1, false) {
				t.Errorf("%s: a comparison with a model is not pressed from %v on", test.name, test.begins)
			}
			if pressed(sign*.74*test.begins, 1, true) || !pressed(sign*.76*test.begins, 1, true) {
				t.Errorf("%s: a comparison is not released below three quarters of %v", test.name, test.begins)
			}
		}
	}
}

// Several comparisons are pressed no further than to the standard error of what is measured, one alone to the least target.
func TestTheLeastTargetOfSeveral(t *testing.T) {
	tau := .05
	floor := (1 - leastTarget) * tau
	for _, test := range []struct {
		several     bool
		theta, want float64
		noise       float64
	}{
		{false, floor, .01, .02},
		{true, floor, .02, .02},
		{true, floor, .025, .04},
		{true, floor, .01, .001},
		{true, .03, .02, .022},
	} {
		c := constraint{tau: tau, theta: test.theta, noise: test.noise, several: test.several}
		if got := c.target(); got < test.want-1e-12 || got > test.want+1e-12 {
			t.Errorf("%+v: target %v", test, got)
		}
	}
}

// spied are models that note what influences are prepared with.
type spied struct {
	Models
	curvature, square float64
}

func (s *spied) Influence(_ *linear.Influence, curvature, square float64) {
	s.curvature, s.square = curvature, square
}

// TestWhatInfluencesArePreparedWith: influences are prepared with two numbers. One is the mean curvature of what the constrained models minimise, over
// the models whose curvature is known. The other is the factor by which all pushes together raise the mean square of a gradient; a push whose square
// is unknown counts as 1.
func TestWhatInfluencesArePreparedWith(t *testing.T) {
	known := firmness{records: 9, loss: .2, push: .3, square: .5}
	for name, c := range map[string]struct {
		of                [2]firmness
		active            []int
		curvature, square float64
	}{
		"no constraint":     {active: []int{}},
		"both not known":    {active: []int{0, 1}, square: (4 + 9) / 3.},
		"one known":         {of: [2]firmness{known, {}}, active: []int{0, 1}, curvature: .2 + 2*.3, square: (4*.5 + 9) / 3.},
		"the other known":   {of: [2]firmness{{}, known}, active: []int{0, 1}, curvature: .2 + 3*.3, square: (4 + 9*.5) / 3.},
		"both known":        {of: [2]firmness{known, known}, active: []int{0, 1}, curvature: .2 + 2.5*.3, square: (4*.5 + 9*.5) / 3.},
		"only one active":   {of: [2]firmness{known, known}, active: []int{1}, curvature: .2 + 3*.3, square: 9 * .5 / 2.},
		"a push that pulls": {of: [2]firmness{{records: 9, loss: .2, push: -.3, square: .5}, {}}, active: []int{0}, curvature: .2, square: 4 * .5 / 2.},
	} {
		models := &spied{}
		r := &Rates{models: models}
		r.active, r.constraints, r.pushes = c.active, []constraint{{multiplier: 2}, {multiplier: 3}}, []push{{firmness: c.of[0]}, {firmness: c.of[1]}}
		if r.prepare(&lane{}); math.Abs(models.curvature-c.curvature) > 1e-12 || math.Abs(models.square-c.square) > 1e-12 {
			t.Errorf("%s: curvature %v and square %v, want %v and %v", name, models.curvature, models.square, c.curvature, c.square)
		}
	}
}
