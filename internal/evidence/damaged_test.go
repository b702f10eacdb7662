package evidence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestDamagedEvidenceIsRefused: what no detector can have gathered, at each bound.
func TestDamagedEvidenceIsRefused(t *testing.T) {
	const fine, refused = true, false
	comparison := &fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .1}
	for name, test := range map[string]struct {
		change func(r *fairness.Detector, m *fairness.MeanDetector)
		want   bool
	}{
		"as it was":                    {func(*fairness.Detector, *fairness.MeanDetector) {}, fine},
		"the most evidence":            {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Bets[0][0] = fairness.MostEvidence }, fine},
		"more":                         {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Bets[0][0] = 2 * fairness.MostEvidence }, refused},
		"of means":                     {func(_ *fairness.Detector, m *fairness.MeanDetector) { m.Bets[1][0] = 2 * fairness.MostEvidence }, refused},
		"fewer blocks than none":       {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Differences.Blocks = -1 }, refused},
		"fewer records than none":      {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Differences.Records[1] = -1 }, refused},
		"a mean difference beyond 2":   {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Differences.Mean = 2.5 }, refused},
		"squares below 0":              {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Differences.Squares = -1 }, refused},
		"fewer blocks ended than none": {func(_ *fairness.Detector, m *fairness.MeanDetector) { m.Ended = -1 }, refused},
		"a mean without end":           {func(_ *fairness.Detector, m *fairness.MeanDetector) { m.Mean = math.Inf(1) }, refused},
		"a variance below 0":           {func(_ *fairness.Detector, m *fairness.MeanDetector) { m.Variance = -1 }, refused},
		"fewer seen than none":         {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Seen[0] = -1 }, refused},
		"a part that wants less":       {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Open[0].Wanted = -1 }, refused},
		"a part that took less":        {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Open[1].Taken = -1 }, refused},
		"a sum without end":            {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Open[0].Sum = math.NaN() }, refused},
		"places below 0":               {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Open[0].Places = -1 }, refused},
		"a third side that waits":      {func(r *fairness.Detector, _ *fairness.MeanDetector) { r.Blocks.Waits = 2 }, refused},
	} {
		random := rand.New(rand.NewPCG(5, 1))
		var rates fairness.Detector
		var means fairness.MeanDetector
		for range 700 {
			side := fairness.Side(random.IntN(2))
			rates.Add(side, random.IntN(3) == 0, comparison)
			means.Add(side, random.Float64(), .2)
		}
		test.change(&rates, &means)
		writer := codec.NewWriter(nil)
		Rates(writer, &rates, false)
		Means(writer, &means, false)
		err := writer.Err()
		if err == nil {
			reader := codec.NewReader(writer.Bytes())
			Rates(reader, new(fairness.Detector), false)
			Means(reader, new(fairness.MeanDetector), false)
			err = reader.End()
		}
		if (err == nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
