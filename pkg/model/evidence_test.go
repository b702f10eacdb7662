package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

// judge is adaptive.judge, written down group by group.
func (d *denseAdaptive) judge(e *features.Frozen) {
	members := map[int][]int32{}
	e.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			members[group] = append(members[group], j)
		}
	})
	for _, weights := range members {
		known, squared := 0.0, 0.0
		for _, j := range weights {
			information := d.curvature[j] - startCurvature
			known += information / (information + d.precisions[j])
			squared += d.averages[0][j] * d.averages[0][j]
		}
		if squared > 0 {
			for _, j := range weights {
				d.precisions[j] = min(mostPrecision, max(leastPrecision, known/squared))
			}
		}
	}
}

// A column of noise is drawn to 0 much more strongly than one that tells.
func TestEvidenceTellsNoise(t *testing.T) {
	l := learnNoise(t, 8192)
	precisions := l.trainer.(*adaptive).evidence.precisions
	of := func(name string) float64 {
		return precisions[levelGroup(l, name)]
	}
	if signal, noise := of("signal"), of("noise"); !(noise > 5*signal) {
		t.Errorf("the precision is %.2f for the signal, %.2f for noise", signal, noise)
	}
}

// learnNoise learns from a column that tells the label and one that does not.
func learnNoise(t *testing.T, records int) *Learner {
	t.Helper()
	config := Config{Learner: DefaultLearner()}
	config.Record.Label = record.Label{Field: "y", Positive: "1"}
	config.Learner.Mode = Unconstrained
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
	for range records {
		signal, y := random.IntN(8), 0
		if random.Float64() < []float64{.05, .1, .2, .3, .7, .8, .9, .95}[signal] {
			y = 1
		}
		text := fmt.Sprintf(`{"y":%d,"signal":"s%d","noise":"n%d"}`, y, signal, random.IntN(200))
		if err := decoder.DecodeJSON(&r, []byte(text)); err != nil {
			t.Fatal(err)
		}
		l.Learn(&r)
	}
	return l
}
