package backfill

import "testing"

// TestProceed: which phase follows, how near the models have to be for it, and that the passes are bounded.
func TestProceed(t *testing.T) {
	at := func(left float64) climb { return climb{Left: &left} }
	early, rough, fine := climb{}, at(roughly), at(nearly)
	for name, c := range map[string]struct {
		phase      Phase
		passes     int
		priors     strength
		summed     int64
		free       climb
		pressed    []*pressed
		want       Phase
		unfinished bool
	}{
		"nothing is known yet":              {phase: Free, free: early, want: Free},
		"not near":                          {phase: Free, free: at(2 * roughly), want: Free},
		"near":                              {phase: Free, free: rough, want: All},
		"near, for the end":                 {phase: All, free: rough, want: All},
		"the end":                           {phase: All, free: fine, want: Done},
		"a constrained model is not":        {phase: All, free: fine, pressed: []*pressed{{Way: rough}}, want: All},
		"all are":                           {phase: All, free: fine, pressed: []*pressed{{Way: fine}}, want: Done},
		"a multiplier is looked for":        {phase: Multiplier, free: early, pressed: []*pressed{{Way: rough}}, want: Multiplier},
		"a multiplier is found":             {phase: Multiplier, free: early, pressed: []*pressed{{Way: rough, Found: true}}, want: All},
		"one of two multipliers":            {phase: Multiplier, free: early, pressed: []*pressed{{Way: rough, Found: true}, {Way: early, Found: true}}, want: Multiplier},
		"as many passes as may be":          {phase: Free, passes: mostRounds, free: early, want: Done, unfinished: true},
		"one pass less":                     {phase: Free, passes: mostRounds - 1, free: early, want: Free},
		"more, to choose priors":            {phase: Free, passes: mostRounds + 2, priors: strength{Passes: 3}, free: early, want: Free},
		"as many more":                      {phase: Free, passes: mostRounds + 3, priors: strength{Passes: 3}, free: early, want: Done, unfinished: true},
		"enough records for any prior":      {phase: Free, free: climb{Left: rough.Left, Weights: []float64{1, 2}}, summed: 2 * fewRecords, want: All},
		"too few for any":                   {phase: Free, free: climb{Left: rough.Left, Weights: []float64{1, 2}}, summed: 2*fewRecords - 1, want: Free},
		"too few, and one is chosen":        {phase: Free, priors: strength{Chosen: true}, free: climb{Left: rough.Left, Weights: []float64{1, 2}}, want: All},
		"as many, though it would be ready": {phase: All, passes: mostRounds, free: fine, want: Done, unfinished: true},
	} {
		f := fit{Rounds: Rounds{Phase: c.phase, Passes: c.passes, Free: c.free, Pressed: c.pressed, Priors: c.priors, Summed: c.summed}}
		f.proceed()
		if f.Phase != c.want || f.Unfinished != c.unfinished {
			t.Errorf("%s: %s, unfinished %v; want %s, %v", name, f.Phase, f.Unfinished, c.want, c.unfinished)
		}
		if again := c.want == Free && c.free.Left == rough.Left; again && (f.Free.Left != nil || f.Priors.Tried != 1) {
			t.Errorf("%s: the model does not begin again with stronger priors", name)
		}
		if began := c.want == All && c.phase != All; began && f.Free.Left != nil {
			t.Errorf("%s: the model without constraints does not begin again", name)
		}
	}
}

// TestPressMore: a constraint is pressed that is estimable and beyond its target by more than what counts as kept.
func TestPressMore(t *testing.T) {
	for name, c := range map[string]struct {
		measured Measured
		more     bool
	}{
		"kept":          {Measured{Estimable: true, Difference: .04, Target: .05}, false},
		"at the target": {Measured{Estimable: true, Difference: .05, Target: .05}, false},
		"just kept":     {Measured{Estimable: true, Difference: .05 + closeEnough/2, Target: .05}, false},
		"not kept":      {Measured{Estimable: true, Difference: .05 + 2*closeEnough, Target: .05}, true},
		"the other way": {Measured{Estimable: true, Difference: -.05 - 2*closeEnough, Target: .05}, true},
		"not estimable": {Measured{Difference: .5, Target: .05}, false},
	} {
		f := fit{Rounds: Rounds{Measured: []Measured{c.measured}}}
		if more := f.pressMore(); more != c.more || len(f.Pressed) != map[bool]int{true: 1}[c.more] {
			t.Errorf("%s: %v, %d models", name, more, len(f.Pressed))
		}
	}
}
