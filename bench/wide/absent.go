package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

// absences are the worlds of fields that are there or not, and of amounts.
func absences() []world {
	return []world{
		flags("300 flags, 1", 300, "1"), flags("300 flags, true", 300, "true"), flags("300 flags, yes", 300, "yes"),
		words("2,000 word counts", 2000), gaps("10 ages, 5 % absent", 10, .05, false), gaps("10 ages, 5 % null", 10, .05, true),
		amounts("20 lognormal amounts", 20),
	}
}

// flags are fields that are there with one value, or not at all, 30 of them in a record on average. A fifth of them speak.
func flags(label string, columns int, value string) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		weight := speaking(random, columns, 1)
		return func() sample {
			var s sample
			margin := .5 * random.NormFloat64()
			for i := range columns {
				if random.Float64() < 30/float64(columns) {
					margin += weight[i]
					s.add(name(i), value, i, 1)
				}
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// words are counts of at least 1, of words as frequent as their rank is low (Zipf), some 40 of them in a record. A fifth of them speak.
func words(label string, columns int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		weight, again := speaking(random, columns, .5), frequencies(columns, 1)
		return func() sample {
			var s sample
			margin := .5 * random.NormFloat64()
			margin += s.addWords(again, weight, random)
			s.positive = margin > 0
			return s
		}
	}}
}

// frequencies are the chances that each word comes once more in a record, some 40 words in all: the frequency of a word falls with its rank to a power.
func frequencies(columns int, power float64) []float64 {
	again, total := make([]float64, columns), 0.0
	for i := range again {
		again[i] = math.Pow(float64(i+10), -power)
		total += again[i]
	}
	for i := range again { // counts are geometric, so a word that is there may come again
		mean := 40 * again[i] / total
		again[i] = mean / (1 + mean)
	}
	return again
}

// addWords adds counts of words, and returns what they add to the margin.
func (s *sample) addWords(again, weight []float64, random *rand.Rand) (margin float64) {
	for i := range again {
		count := 0
		for random.Float64() < again[i] {
			count++
		}
		if count > 0 {
			margin += weight[i] * float64(count)
			s.add(name(i), strconv.Itoa(count), i, float64(count))
		}
	}
	return margin
}

// speaking are weights of random sign for a fifth of the columns.
func speaking(random *rand.Rand, columns int, size float64) []float64 {
	weight := make([]float64, columns)
	for i := range weight {
		if random.IntN(5) == 0 {
			weight[i] = size * float64(2*random.IntN(2)-1)
		}
	}
	return weight
}

// gaps are ages of which a share is not told: absent, or null. The batch regression has the mean there.
func gaps(label string, columns int, share float64, null bool) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		weight := speaking(random, columns, 1)
		weight[0] = 1
		return func() sample {
			var s sample
			margin := random.NormFloat64()
			for i := range columns {
				x := random.NormFloat64()
				margin += weight[i] * x
				switch {
				case random.Float64() >= share:
					s.add(name(i), strconv.Itoa(int(math.Round(45+12*x))), i, x)
				case null:
					s.fields = append(s.fields, record.Field{Name: name(i), ID: record.NoName, Missing: true})
				}
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// amounts are lognormal; the label depends on their logarithms, which the batch regression has.
func amounts(label string, columns int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		weight := speaking(random, columns, 1)
		weight[0] = 1
		return func() sample {
			var s sample
			margin := random.NormFloat64()
			for i := range columns {
				x := random.NormFloat64()
				margin += weight[i] * x
				s.add(name(i), number(1000*math.Exp(x)), i, x)
			}
			s.positive = margin > 0
			return s
		}
	}}
}
