package model_test

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// The three approximations of the paper are three methods: on the same records each learns weights of its own, which decide
// some held-out records otherwise. All keep the difference on these within tau.
func TestApproximationsDifferAndKeepTau(t *testing.T) {
	learnt, heldOut := splitAdult(t)
	names := []surrogate.Name{surrogate.Approximation1, surrogate.Approximation2, surrogate.Approximation3}
	decisions := make([][]bool, len(names))
	hashes := map[string]surrogate.Name{}
	for k, name := range names {
		config := adultConfig(model.Adaptive)
		config.Constraints[0].Relaxation = name
		d := documentOf(t, learn(t, config, learnt))
		if other, same := hashes[d.WeightsSHA256]; same {
			t.Errorf("%s and %s have the same weights", name, other)
		}
		hashes[d.WeightsSHA256] = name
		evaluation, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		scorer, err := d.Scorer()
		if err != nil {
			t.Fatal(err)
		}
		for i := range heldOut {
			evaluation.Add(&heldOut[i])
			decisions[k] = append(decisions[k], scorer.Margin(&heldOut[i]) > 0)
		}
		if c := evaluation.Report().Constraints[0]; !(c.Value > 0 && c.Value <= config.Constraints[0].Tau) {
			t.Errorf("%s: the difference on the holdout is %+.4f", name, c.Value)
		}
	}
	for k := range names {
		for j := range k {
			differ := 0
			for i := range heldOut {
				if decisions[k][i] != decisions[j][i] {
					differ++
				}
			}
			t.Logf("%s and %s decide %d of %d held-out records otherwise", names[k], names[j], differ, len(heldOut))
			if differ == 0 {
				t.Errorf("%s and %s decide all held-out records alike", names[k], names[j])
			}
		}
	}
}
