package evidence

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestEvidenceGoesOn: a detector that was saved and read is the same, and decides of the records that follow as the one that was not.
func TestEvidenceGoesOn(t *testing.T) {
	comparison := &fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .1}
	for records := range 12 {
		random := rand.New(rand.NewPCG(uint64(records), 1))
		var rates fairness.Detector
		var means fairness.MeanDetector
		feed := func(r *fairness.Detector, m *fairness.MeanDetector, n int, random *rand.Rand) (alarms []bool) {
			for range n {
				side := fairness.Side(random.IntN(2))
				alarms = append(alarms, r.Add(side, random.Float64() < .3+.05*float64(side), comparison), m.Add(side, random.Float64()*float64(1+side), .2))
			}
			return alarms
		}
		feed(&rates, &means, records*900, random)
		writer := codec.NewWriter(nil)
		Rates(writer, &rates)
		Means(writer, &means)
		if writer.Err() != nil {
			t.Fatal(writer.Err())
		}
		var readRates fairness.Detector
		var readMeans fairness.MeanDetector
		reader := codec.NewReader(writer.Bytes())
		Rates(reader, &readRates)
		Means(reader, &readMeans)
		if err := reader.End(); err != nil {
			t.Fatalf("%d records: %v", records*900, err)
		}
		if !reflect.DeepEqual(readRates, rates) || !reflect.DeepEqual(readMeans, means) {
			t.Fatalf("%d records: read %+v and %+v, saved %+v and %+v", records*900, readRates, readMeans, rates, means)
		}
		one, other := rand.New(rand.NewPCG(9, 9)), rand.New(rand.NewPCG(9, 9))
		if got, want := feed(&readRates, &readMeans, 200, one), feed(&rates, &means, 200, other); !reflect.DeepEqual(got, want) {
			t.Errorf("%d records: what was read decides otherwise", records*900)
		}
		for cut := 0; records == 3 && cut < len(writer.Bytes()); cut++ {
			reader := codec.NewReader(writer.Bytes()[:cut])
			Rates(reader, new(fairness.Detector))
			Means(reader, new(fairness.MeanDetector))
			if reader.End() == nil {
				t.Fatalf("%d of %d bytes are read", cut, len(writer.Bytes()))
			}
		}
	}
}
