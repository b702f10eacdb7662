package surrogate

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestBitsDoNotDependOnTheMachine pins the bits of a long run of the hot loop.
// They are the same with fused multiply-add (GOAMD64=v3, arm64) and without
// (GOAMD64=v1, 386); a change of them changes every learnt weight.
func TestBitsDoNotDependOnTheMachine(t *testing.T) {
	want := map[Name]uint64{
		Approximation1: 0x25819fe1dffa309d,
		Approximation2: 0x17b5f3345978efbc,
		Approximation3: 0x065ca91e1f82cd86,
		MeanMargin:     0x86f17e30859a5048,
		Sigmoid:        0x8a1d272177cc472d,
	}
	for _, name := range Names() {
		rng := rand.New(rand.NewPCG(19, 1))
		hash := fnv.New64a()
		r := mustNew(t, Settings{Name: name, Threshold: 2, Slope: 1.3})
		u, l, gradient := make([]float64, r.InnerSize()), make([]float64, r.OuterSize()), make([]float64, r.InnerSize())
		add := func(values ...float64) {
			for _, v := range values {
				if err := binary.Write(hash, binary.LittleEndian, math.Float64bits(v)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for step := range 2000 {
			side, z, beta := fairness.Side(rng.IntN(3)), 6*rng.Float64()-3, 1/math.Sqrt(float64(step+1))
			r.Track(u, beta, side, z)
			r.Outer(l, u)
			r.OuterGradient(gradient, r.OuterSize()-1, u)
			add(r.Coefficient(u, []float64{0.7, 0.3}, side, z))
			add(u...)
			add(l...)
			add(gradient...)
		}
		if got := hash.Sum64(); got != want[name] {
			t.Errorf("%s: the run hashes to %#x, want %#x", name, got, want[name])
		}
	}
}
