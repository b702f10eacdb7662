package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestEncodersAreWhatTheirDocumentationSays compares Learning with plainEncoder, record by record: rows, weights, groups and owners, of
// records to learn from and of others, across snapshots.
func TestEncodersAreWhatTheirDocumentationSays(t *testing.T) {
	few := everyKind()
	roomy := everyKind()
	roomy.Vocabulary = VocabularyConfig{Levels: 90, Buckets: 3, Columns: 9}
	roomy.Crosses = [][]string{{"bins", "words"}, {"words", "knots"}, {"scaled", "spiked", "sign"}, {"never", "words"}}
	wide := DefaultConfig()
	wide.Vocabulary.Levels = 400
	for name, test := range map[string]struct {
		config  Config
		records int
		columns int // further numeric columns
		first   int // records that are observed first
	}{
		"few levels":        {few, 2500, 0, 100},
		"levels of numbers": {roomy, 5000, 0, 150},
		"amounts":           {few, 4000, 0, 600},
		"late columns":      {roomy, 1200, 0, 20},
		"many columns":      {wide, 500, 70, 60},
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(81, uint64(test.records)))
			fast, slow := NewLearning(test.config), newPlainEncoder(test.config)
			earned, counted := 0, 0
			for i := range test.records {
				features, effect := variedRecord(random, i, test.columns)
				if i < test.first {
					fast.Observe(features)
					slow.observe(features)
					continue
				}
				if i == test.first {
					fast.Infer()
					slow.inferAll()
				}
				if i%317 == 200 {
					fast = savedAndRead(t, fast, test.config)
				}
				if i%9 == 0 {
					if got, want := encoded(fast, false, features), slow.encode(features, false); got != want {
						t.Fatalf("record %d: without learning the row is\n%s and should be\n%s", i, got, want)
					}
				}
				if got, want := encoded(fast, true, features), slow.encode(features, true); got != want {
					t.Fatalf("record %d: the row is\n%s and should be\n%s", i, got, want)
				}
				weight, residual := .5+random.Float64(), effect+.7*(random.Float64()-.5)
				fast.Reveal(residual, .2, weight)
				slow.reveal(residual, .2, weight)
				if int(fast.Size()) != len(slow.groups) || fast.Ignored() != slow.ignored {
					t.Fatalf("record %d: %d weights and %d ignored, should be %d and %d", i, fast.Size(), fast.Ignored(), len(slow.groups), slow.ignored)
				}
			}
			compareEncoders(t, fast, slow)
			for _, c := range slow.columns {
				if c.First != 0 && c.FirstCoarse != 0 {
					earned++
				}
				if c.counts && (c.sample == nil) == (test.records > 2000) {
					counted++
				}
			}
			if counted == 0 && slices.Contains([]string{"few levels", "many columns"}, name) {
				t.Error("no column has rare counts: the test looks at little")
			}
			if earned == 0 && test.records > 2000 {
				t.Error("no column earned its bins: the test looks at little")
			}
		})
	}
}

// compareEncoders compares what encoders know.
func compareEncoders(t *testing.T, fast *Learning, slow *plainEncoder) {
	t.Helper()
	owners := fast.Owners(fast.Owners(nil)[:fast.Size()/2])
	groups := make([]int32, fast.Size())
	for j := range groups {
		groups[j] = -1
	}
	fast.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			groups[j] = int32(group)
		}
	})
	for j := range groups {
		if groups[j] != slow.groups[j] || owners[j] != slow.owners[j] {
			t.Errorf("weight %d is of group %d and owner %d, should be of %d and %d", j, groups[j], owners[j], slow.groups[j], slow.owners[j])
		}
	}
	if want := GroupKinds * max(len(slow.columns), len(slow.crosses)); fast.GroupCount() != want {
		t.Errorf("%d groups, should be %d", fast.GroupCount(), want)
	}
	most, counts := "", map[string]int{}
	for _, l := range fast.Parts().Levels {
		if i, column := l.Slot.Column(); column {
			counts[slow.columns[i].Name]++
			if l.Text != slow.texts[l.Weight] {
				t.Errorf("the level of weight %d is called %q, should be %q", l.Weight, l.Text, slow.texts[l.Weight])
			}
		}
	}
	for _, c := range slow.columns {
		if counts[c.Name] > counts[most] {
			most = c.Name
		}
	}
	full := len(slow.levels) >= slow.config.Vocabulary.Levels
	if column, levels := fast.Crowding(); full && (column != most || levels != counts[most]) || !full && (column != "" || levels != 0) {
		t.Errorf("%q is said to crowd with %d levels; full %t, most has %q with %d", column, levels, full, most, counts[most])
	}
	var single []int
	for i, c := range slow.columns {
		if c.Kind == Levelled && c.Missing == 0 && counts[c.Name] == 1 {
			single = append(single, i)
		}
	}
	if got := fast.OneLevel(); !slices.Equal(got, single) {
		t.Errorf("columns %v are said to have one level, should be %v", got, single)
	}
	again, err := NewFrozen(fast.Parts())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(82, 1))
	for range 50 {
		var a, b Row
		features, _ := variedRecord(random, 1000, 0)
		again.Encode(&a, &record.Record{Features: features})
		fast.Frozen.Encode(&b, &record.Record{Features: features})
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("an encoder of the parts gives %v, the encoder itself %v", a, b)
		}
	}
}

func savedAndRead(t *testing.T, l *Learning, config Config) *Learning {
	t.Helper()
	again := NewLearning(config)
	s := codec.NewReader(write(l))
	if again.Fields(s); s.End() != nil {
		t.Fatal(s.End())
	}
	return again
}

// variedRecord is a record with columns of every kind, of which some are missing, rare, late or no numbers now and then, and what its
// values do to the residual.
func variedRecord(random *rand.Rand, i, columns int) (features []record.Field, effect float64) {
	bins, words, spiked := random.IntN(60), random.IntN(1+random.IntN(40)), random.IntN(9)
	if bins >= 20 && bins < 36 {
		effect += .4
	}
	if words%5 == 3 && bins > 40 {
		effect -= .5
	}
	if bins%2 == 0 {
		effect += .2
	}
	pairs := []string{"bins", fmt.Sprint(bins), "knots", fmt.Sprint(random.IntN(90)), "scaled", fmt.Sprint(random.NormFloat64() * 30), "words", fmt.Sprint("w", words),
		"sign", fmt.Sprint(random.IntN(2)), "constant", "7"}
	if spiked > 5 {
		pairs = append(pairs, "spiked", fmt.Sprint(random.IntN(300)))
	} else {
		pairs = append(pairs, "spiked", "0")
	}
	if random.IntN(4) == 0 {
		pairs[2*random.IntN(len(pairs)/2)+1] = "?"
	}
	if random.IntN(30) == 0 {
		pairs[2*random.IntN(3)+1] = "unknown"
	}
	if i > 150 && random.IntN(2) == 0 {
		pairs = append(pairs, "late", fmt.Sprint(random.IntN(50)), "later", fmt.Sprint("l", random.IntN(9)), "never", "x")
	}
	pairs = append(pairs, "amount", fmt.Sprintf("%.2f", 900*math.Exp(1.2*random.NormFloat64())))
	if random.IntN(8) == 0 {
		pairs = append(pairs, "rare", fmt.Sprint(1+random.IntN(2)*random.IntN(3)))
	}
	if i > 150 && i%5 == 2 { // of which some are no number later
		pairs = append(pairs, "counts", []string{"2", "2", "4", "2", "2", "2", "6", "2", "2", "2", "2", "some"}[i/5%(11+i/1000%2)])
	}
	for k := range columns {
		pairs = append(pairs, fmt.Sprint("n", k), fmt.Sprint(random.IntN(50)))
	}
	return fields(pairs...), effect
}
