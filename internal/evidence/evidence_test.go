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
		Rates(writer, &rates, false)
		Means(writer, &means, false)
		if writer.Err() != nil {
			t.Fatal(writer.Err())
		}
		var readRates fairness.Detector
		var readMeans fairness.MeanDetector
		reader := codec.NewReader(writer.Bytes())
		Rates(reader, &readRates, false)
		Means(reader, &readMeans, false)
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
			Rates(reader, new(fairness.Detector), false)
			Means(reader, new(fairness.MeanDetector), false)
			if reader.End() == nil {
				t.Fatalf("%d of %d bytes are read", cut, len(writer.Bytes()))
			}
		}
	}
}

// TestOldEvidence: what older programs saved has one list of bets, which both orders continue; what was open is passed over.
func TestOldEvidence(t *testing.T) {
	for name, use := range map[string]func(c *codec.Coder, bets *fairness.Bets, seen *[2]int64){
		"rates": func(c *codec.Coder, bets *fairness.Bets, seen *[2]int64) {
			d := fairness.Detector{Bets: *bets}
			d.Blocks.Seen = *seen
			Rates(c, &d, true)
			*bets, *seen = d.Bets, d.Blocks.Seen
		},
		"means": func(c *codec.Coder, bets *fairness.Bets, seen *[2]int64) {
			d := fairness.MeanDetector{Bets: *bets}
			d.Blocks.Seen = *seen
			Means(c, &d, true)
			*bets, *seen = d.Bets, d.Blocks.Seen
		},
	} {
		writer := codec.NewWriter(nil)
		var bets fairness.Bets
		for i := range bets[0] {
			bets[0][i] = float64(i+1) / 8
		}
		seen := [2]int64{3, 5}
		use(writer, &bets, &seen)
		var read fairness.Bets
		var counted [2]int64
		reader := codec.NewReader(writer.Bytes())
		use(reader, &read, &counted)
		rest := map[string]int{"rates": 2 * 4, "means": 2*(3+8) + 1 + 8 + 8}[name] // whole numbers of one byte and others of eight
		if n := len(writer.Bytes()); n != 8*len(bets[0])+2+rest {
			t.Errorf("%s: %d bytes, want %d of bets, 2 of records seen and %d of the rest", name, n, 8*len(bets[0]), rest)
		}
		if err := reader.End(); err != nil || read[0] != bets[0] || read[1] != bets[0] || counted != seen {
			t.Errorf("%s: %v, %v (%v)", name, read, counted, err)
		}
	}
}
