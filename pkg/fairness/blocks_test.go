package fairness

import (
	"math/rand/v2"
	"testing"
)

// plainBlocks pair records as the comment of Blocks says, and keep all of them.
type plainBlocks struct {
	records int
	seen    [2]int64
	wanted  [2]int64
	open    [2][]plainRecord
	waiting [2][][]plainRecord
}

type plainRecord struct {
	value float64
	place int
}

func plainMean(part []plainRecord, of func(plainRecord) float64) float64 {
	sum := 0.0
	for _, r := range part {
		sum += of(r)
	}
	return sum / float64(len(part))
}

func plainValue(r plainRecord) float64 { return r.value }
func plainPlace(r plainRecord) float64 { return float64(r.place) }

// add returns the parts of both sides of a block that the record completes, nil if it does not.
func (b *plainBlocks) add(side int, value float64) (parts [2][]plainRecord, complete bool) {
	if len(b.open[side]) == 0 {
		b.wanted[side] = blockOf(b.seen)[side]
	}
	b.open[side] = append(b.open[side], plainRecord{value, b.records})
	b.records++
	b.seen[side]++
	if int64(len(b.open[side])) < b.wanted[side] {
		return parts, false
	}
	full, other := b.open[side], 1-side
	b.open[side] = nil
	for k, waiting := range b.waiting {
		if len(waiting) == mostWaiting && k == side {
			b.waiting[k] = waiting[mostWaiting/2:]
		}
	}
	if last := len(b.waiting[other]) - 1; last >= 0 {
		newest := b.waiting[other][last]
		if float64(b.records)-plainMean(newest, plainPlace) < waitingRecords {
			b.waiting[other] = b.waiting[other][:last]
			parts[side], parts[other] = full, newest
			return parts, true
		}
		b.waiting[other] = nil
	}
	b.waiting[side] = append(b.waiting[side], full)
	return parts, false
}

// collect has plain bets collect the gains of a block.
func (b *plainBlocks) collect(bets *[2][2][detectorBets]float64, parts [2][]plainRecord, gains [2]float64) {
	later := plainMean(parts[0], plainPlace) - plainMean(parts[1], plainPlace)
	for order := range bets {
		if order == 0 && later < -nearby || order == 1 && later > nearby {
			continue
		}
		for k, gain := range gains {
			for i, lambda := range detectorLambda {
				bets[order][k][i] = (bets[order][k][i] + float64(len(parts[0])+len(parts[1]))) * (1 + float64(lambda*gain))
			}
		}
	}
}

// runs returns sides in runs of one side, of about mean records.
func runs(random *rand.Rand, share float64, mean int) func() (Side, int) {
	side, left := 1, 0
	return func() (Side, int) {
		if left == 0 {
			side, left = 1, 1+random.IntN(2*mean)
			if random.Float64() < share {
				side = 0
			}
		}
		left--
		return [2]Side{Group, Versus}[side], side
	}
}

// In runs of one side few records are lost, and memory is bounded.
func TestBlocksInRuns(t *testing.T) {
	for _, mean := range []int{1, 20, 200, 5000} {
		random := rand.New(rand.NewPCG(5, uint64(mean)))
		next := runs(random, 0.3, mean)
		var b Blocks
		const records = 200_000
		taken := int64(0)
		for range records {
			side, _ := next()
			if complete, ok := b.add(side, 1); ok {
				taken += complete.group.Taken + complete.versus.Taken
			}
			if !b.valid(1) {
				t.Fatalf("runs of %d: %+v", mean, b)
			}
		}
		if least := map[int]int64{1: 180_000, 20: 170_000, 200: 140_000, 5000: 1000}[mean]; taken < least {
			t.Errorf("runs of %d: %d of %d records are in blocks, want at least %d", mean, taken, records, least)
		}
	}
}

// Rates of both sides that rise together by 0.3 in 20,000 records are no difference, however long the runs; a change of one side is found
// in runs of 200.
func TestACommonDriftIsNoDifference(t *testing.T) {
	alarms := func(difference, drift float64) (alarms int) {
		c := &Comparison{Criterion: DemographicParity, Tau: 0.05}
		for stream := range 30 {
			random := rand.New(rand.NewPCG(uint64(stream), 9))
			next := runs(random, 0.3, 200)
			var d Detector
			for record := range 20_000 {
				side, at := next()
				rate := 0.3 + drift*float64(record)/20_000
				if at == 0 {
					rate += difference
				}
				if d.Add(side, random.Float64() < rate, c) && d.Evidence() >= 50_000 {
					alarms++
					break
				}
			}
		}
		return alarms
	}
	if up, down, found := alarms(0.05, 0.3), alarms(-0.05, -0.25), alarms(0.15, 0); up > 4 || down > 4 || found < 29 {
		t.Errorf("%d and %d of 30 streams have an alarm at tau, %d of 30 after a change", up, down, found)
	}
}
