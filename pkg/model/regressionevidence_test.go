package model

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// learnUse learns 10 levels a column: of "signal", on which the label depends, and "noise"; after half of the
// records noise is what the label depends on too, if late is set.
func learnUse(t *testing.T, records int, late bool) *Learner {
	t.Helper()
	config := Config{Learner: DefaultLearner()}
	config.Record.Label.Field, config.Learner.Task, config.Learner.Mode = "y", Regression, Unconstrained
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder, random := schema.NewDecoder(), rand.New(rand.NewPCG(3, 5))
	var r record.Record
	for i := range records {
		signal, noise := random.IntN(10), random.IntN(10)
		y := float64(signal) + 3*random.NormFloat64()
		if late && i > records/2 {
			y += float64(noise)
		}
		if err := decoder.DecodeJSON(&r, fmt.Appendf(nil, `{"y":%.3f,"signal":"s%d","noise":"n%d"}`, y, signal, noise)); err != nil {
			t.Fatal(err)
		}
		l.Learn(&r)
	}
	return l
}

func precisionOf(l *Learner, name string) float64 {
	return l.regression.model.evidence.precisions[levelGroup(l, name)]
}

// A column of noise is drawn to 0 much more strongly than one that tells, until it begins to tell.
func TestRegressionEvidenceTellsNoise(t *testing.T) {
	l := learnUse(t, 20000, false)
	if signal, noise := precisionOf(l, "signal"), precisionOf(l, "noise"); !(noise > 20*signal) {
		t.Errorf("the precision is %.2f for the signal, %.2f for noise", signal, noise)
	}
	l = learnUse(t, 40000, true)
	if signal, noise := precisionOf(l, "signal"), precisionOf(l, "noise"); !(noise < 2*signal && noise > signal/2) {
		t.Errorf("both tell now, and the precision is %.2f and %.2f", signal, noise)
	}
}

// The precision is a fixed point of the evidence: written down weight by weight for one group.
func TestRegressionJudgement(t *testing.T) {
	l := learnUse(t, 5000, false)
	m := l.regression.model
	before := precisionOf(l, "signal")
	m.evidence.records = math.MaxInt32 // time to judge
	weights := make([]float64, l.encoder.Size())
	m.unconstrained(weights)
	known, squared, n := 0.0, 0.0, 0
	for _, level := range levelsOf(l, "signal") {
		n++
		information := (m.values[int(level.Weight)*m.stride] - startCurvature) / (m.squaredError * m.squaredError)
		known += information / (information + before)
		squared += weights[level.Weight] * weights[level.Weight] / m.label.variance
	}
	m.judge(&l.encoder.Frozen)
	if got, want := precisionOf(l, "signal"), known/squared; n != 10 || math.Abs(got/want-1) > 1e-9 {
		t.Errorf("the precision of %d weights is %v and should be %v", n, got, want)
	}
	for i, level := range levelsOf(l, "signal") {
		if m.values[int(level.Weight)*m.stride+precisionAt] != precisionOf(l, "signal") {
			t.Fatalf("level %d has another precision", i)
		}
	}
}

// A damaged state with precisions, which no checksum protects, is refused or goes on.
func TestDamagedRegression(t *testing.T) {
	configs := smallConfigs()
	config, records := configs[len(configs)-1], smallRecords(2300)
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		l.Learn(&records[i])
	}
	if len(l.regression.model.evidence.precisions) == 0 {
		t.Fatal("nothing was judged")
	}
	w, whole := &writer{}, &writer{}
	l.write(whole)
	w.floats(l.regression.model.evidence.precisions)
	at := bytes.Index(whole.data, w.data)
	if at < 0 {
		t.Fatal("the precisions are not in the state")
	}
	taken := 0
	for offset := at; offset < at+len(w.data); offset++ {
		for _, b := range []byte{0, 0x7f, 0xff} {
			damaged := bytes.Clone(whole.data)
			damaged[offset] = b
			if readDamaged(t, config, damaged, records[:50]) {
				taken++
			}
		}
	}
	if all := 3 * len(w.data); taken < all/4 || taken > all*9/10 {
		t.Errorf("%d of %d damaged states were taken", taken, all)
	}
}
