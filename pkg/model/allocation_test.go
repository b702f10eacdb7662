package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// allocationsPerLevel is what a level may take that gets a weight: its text, and room in the tables.
const allocationsPerLevel = 5

// What repeats for each record allocates nothing once everything has grown, but for levels that still earn a
// weight: the total over thousands of records is looked at, choices of pressure, shifts and turns of the
// windows included.
func TestNothingIsAllocated(t *testing.T) {
	people := peopleText(61, 3000)
	configs := map[string]model.Config{"several constraints": everyConfiguration()["adaptive/piecewise-linear/several"]}
	records := map[string][]record.Record{"several constraints": readRecords(t, configs["several constraints"], people)}
	hours, _ := hoursRecords(t)
	configs["hours, regression"], records["hours, regression"] = hoursConfig(2), hours[:7000]
	for _, mode := range allModes {
		name := "adult, " + string(mode)
		configs[name], records[name] = adultConfig(mode), adultRecords(t)[:7000]
	}
	for name, config := range configs {
		t.Run(name, func(t *testing.T) {
			records := records[name]
			l := learn(t, config, records)
			for range 35000 / len(records) { // until every window and every memory of rows has grown
				for i := range records {
					l.Learn(&records[i])
				}
			}
			pass := func(n int, f func(r *record.Record)) func() {
				return func() {
					for i := range records[:n] {
						f(&records[i])
					}
				}
			}
			// The whole process is counted, so the runtime's own work may be among it once: what learning
			// takes is there in each of three passes.
			least, grown := math.Inf(1), 0
			for range 3 {
				weights := l.Weights()
				n := testing.AllocsPerRun(1, pass(len(records), func(r *record.Record) { l.Learn(r) })) // runs it twice, counts the second
				grown = l.Weights() - weights
				least = min(least, max(0, n-float64(allocationsPerLevel*grown)))
			}
			if least > 1 { // the build with the race detector takes one in some thousand records
				t.Errorf("learning %d records allocates %v times more than %d new weights may", len(records), least, grown)
			}
			number := l.Version()
			count := func(r *record.Record) {
				number++
				l.Count(bareAs(r), number)
			}
			pass(1000, count)() // the tallies of all that came are made
			if n := testing.AllocsPerRun(1, pass(1000, count)); n > 1 {
				t.Errorf("counting 1,000 records without labels allocates %v times", n)
			}
			scorer, err := documentOf(t, l).Scorer()
			if err != nil {
				t.Fatal(err)
			}
			evaluation, err := document.NewEvaluation(documentOf(t, l))
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(1, pass(1000, func(r *record.Record) { scorer.Margin(r) })); n > 0 {
				t.Errorf("scoring 1,000 records allocates %v times", n)
			}
			if n := testing.AllocsPerRun(1, pass(1000, evaluation.Add)); n > 0 {
				t.Errorf("evaluating 1,000 records allocates %v times", n)
			}
		})
	}
}

// BenchmarkStep is a learning step, choice of the multiplier included, of a learner with few and with many
// weights. The ratio of the two is reported: nothing for each record may be proportional to the weights.
func BenchmarkStep(b *testing.B) {
	for _, mode := range allModes {
		times := map[int]float64{}
		for _, weights := range []int{10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", mode, weights), func(b *testing.B) {
				l, records := wide(b, mode, weights)
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					l.Learn(&records[i%len(records)])
				}
				b.StopTimer()
				times[weights] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				if few := times[10_000]; weights > 10_000 && few > 0 {
					b.ReportMetric(times[weights]/few, "times-10000-weights")
				}
			})
		}
	}
}

// wide returns a learner that has so many weights, all with a level of their own, and records that touch few:
// the same few thousand in turn, so that what is measured is the step and not the processor's cache.
func wide(tb testing.TB, mode model.Mode, weights int) (*model.Learner, []record.Record) {
	tb.Helper()
	config := strangeConfig(mode)
	config.Learner.Vocabulary = features.VocabularyConfig{Levels: min(weights, 1_000_000) - 10, Buckets: 1, Columns: 100}
	config.Learner.Columns, config.Learner.Crosses = nil, nil
	l := newLearner(tb, config)
	random := rand.New(rand.NewPCG(9, 9))
	make14 := func(level func(column int) string) record.Record {
		sex := "f"
		if random.IntN(2) == 0 {
			sex = "m"
		}
		r := record.Record{HasLabel: true, Positive: random.IntN(3) == 0 || sex == "m" && random.IntN(3) == 0, Weight: 1,
			Attributes: []record.Value{{Text: []byte(sex)}}}
		for c := range 14 {
			text := []byte(level(c))
			r.Features = append(r.Features, record.Field{Name: fmt.Sprint("c", c), ID: int32(c), Text: text, Hash: record.Hash(text)})
		}
		return r
	}
	var records []record.Record
	for range 4000 {
		records = append(records, make14(func(c int) string { return fmt.Sprint("v", random.IntN(20)) }))
	}
	for i := range records {
		l.Learn(&records[i])
	}
	for next := 0; l.Weights() < weights-20; {
		r := make14(func(c int) string { next++; return fmt.Sprint("w", next) })
		l.Learn(&r)
	}
	for range 3 {
		for i := range records {
			l.Learn(&records[i])
		}
	}
	return l, records
}

var bareRecord record.Record

// bareAs is bare without an allocation.
func bareAs(r *record.Record) *record.Record {
	bareRecord = *r
	bareRecord.HasLabel, bareRecord.Positive, bareRecord.Label = false, false, 0
	return &bareRecord
}
