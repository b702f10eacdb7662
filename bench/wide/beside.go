package main

import (
	"math/rand/v2"
	"strconv"
)

// numbers is how many numeric columns, which speak, stand beside others of which more or fewer do.
const numbers = 5

// besides are worlds of columns with few levels beside numeric ones. Nothing was tuned on them.
func besides() []world {
	return []world{
		wordsBeside("500 words", 500, 1, .2, .5), wordsBeside("5,000 words", 5000, 1, .2, .5),
		wordsBeside("2,000 words, flat", 2000, .5, .2, .5), wordsBeside("2,000 words, steep", 2000, 1.5, .2, .5),
		wordsBeside("2,000 words, a fiftieth speaks", 2000, 1, .02, 1.5), wordsBeside("2,000 words, all speak", 2000, 1, 1, .25),
		wordsBeside("2,000 words, none speaks", 2000, 1, 0, 0),
		booleansBeside("3,000 booleans, a fiftieth speaks", 3000, 30, .02, 3), booleansBeside("3,000 booleans, none speaks", 3000, 30, 0, 0),
		codesBeside("2,000 rare fields, 1 or 2 say the same", 2000, true), codesBeside("2,000 rare fields, 1 or 2 are codes", 2000, false),
		booleansBeside("60 booleans", 60, 20, .3, 1), booleansBeside("5 booleans", 5, 2, 1, .5),
	}
}

// addNumbers adds the numeric columns behind so many others, and returns what they say.
func (s *sample) addNumbers(columns int, size float64, random *rand.Rand) (margin float64) {
	for i := range numbers {
		x := random.NormFloat64()
		margin += size * x
		s.add("n"+strconv.Itoa(i), number(x), columns+i, x)
	}
	return margin
}

// wordsBeside are counts of words, some 40 in a record, whose frequency falls with the rank to a power. A share of them speaks.
func wordsBeside(label string, columns int, power, share, size float64) world {
	return world{name: label + " beside numbers", columns: columns + numbers, start: func(random *rand.Rand) func() sample {
		weight, again := some(random, columns, share, size), frequencies(columns, power)
		return func() sample {
			var s sample
			margin := .5*random.NormFloat64() + s.addNumbers(columns, .4, random)
			margin += s.addWords(again, weight, random)
			s.positive = margin > 0
			return s
		}
	}}
}

// codesBeside are fields as frequent as words, some 40 in a record, with the value 1, or in one of ten 2. A fifth of them speaks: both values alike, or each in its
// own way.
func codesBeside(label string, columns int, alike bool) world {
	return world{name: label + ", beside numbers", columns: 2*columns + numbers, start: func(random *rand.Rand) func() sample {
		weight, there := [2][]float64{speaking(random, columns, .5), speaking(random, columns, .5)}, frequencies(columns, 1)
		if alike {
			weight[1] = weight[0]
		}
		return func() sample {
			var s sample
			margin := .5*random.NormFloat64() + s.addNumbers(2*columns, .4, random)
			for i := range there {
				if random.Float64() < there[i] {
					code := max(0, random.IntN(10)-8)
					margin += weight[code][i]
					s.add(name(i), strconv.Itoa(1+code), code*columns+i, 1)
				}
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// booleansBeside are fields of which each record has a few, which are true. A share of them speaks.
func booleansBeside(label string, columns, each int, share, size float64) world {
	return world{name: label + " beside numbers", columns: columns + numbers, start: func(random *rand.Rand) func() sample {
		weight := some(random, columns, share, size)
		return func() sample {
			var s sample
			margin := s.addNumbers(columns, .7, random)
			for _, i := range random.Perm(columns)[:each] {
				margin += weight[i]
				s.add(name(i), "true", i, 1)
			}
			s.positive = random.Float64() < probability(margin)
			return s
		}
	}}
}

// some are weights of random sign for a share of the columns.
func some(random *rand.Rand, columns int, share, size float64) []float64 {
	weight := make([]float64, columns)
	for i := range weight {
		if random.Float64() < share {
			weight[i] = size * float64(2*random.IntN(2)-1)
		}
	}
	return weight
}
