package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

// sample is one labelled record, as fairstream reads it and as a batch method does.
type sample struct {
	fields   []record.Field
	line     string // of a table, instead of fields: less memory
	table    *table
	dense    sparse // standardized numbers and one-hot categories
	positive bool
	group    bool
}

// sparse is the non-zeros of a vector.
type sparse struct {
	index []int32
	value []float64
}

func (s *sample) add(name, text string, index int, value float64) {
	s.fields = append(s.fields, field(name, text))
	s.dense.index = append(s.dense.index, int32(index))
	s.dense.value = append(s.dense.value, value)
}

func field(name, text string) record.Field {
	f := record.Field{Name: name, ID: record.NoName, Text: []byte(text)}
	f.Hash = record.Hash(f.Text)
	return f
}

// world draws records. start returns how one record is drawn, with the truth that the seed chose.
type world struct {
	name  string
	start func(random *rand.Rand) func() sample
	// columns is the length of a batch method's vector.
	columns int
	// records is how many a real data set gives, 0 for a world without end.
	records int
}

// worlds are those of the study.
func worlds() []world {
	return append([]world{
		numeric("10 numeric", 10, 3, 0.9), numeric("50 numeric", 50, 3, 0.9),
		numeric("150 numeric", 150, 3, 0.9), numeric("500 numeric", 500, 3, 0.9),
		categorical("100 x 20 categorical", 100, 20, 5), categorical("300 x 10 categorical", 300, 10, 5),
		booleans("3,000 booleans, 30 each", 3000, 30),
		// Other shapes, on which nothing is tuned.
		numeric("150 numeric, all speak", 150, 150, 0.9), numeric("500 numeric, all speak", 500, 500, 0.9),
		correlated("150 numeric, correlated", 150), heavy("150 numeric, heavy tails", 150),
		bent("50 numeric, bent", 50), rare("150 numeric, 5 % positive", 150),
		categorical("300 x 10 categorical, 100 speak", 300, 10, 100),
		booleans("300 booleans, 30 each", 300, 30), booleans("1,000 booleans, 100 each", 1000, 100), booleans("8,000 booleans, 30 each", 8000, 30),
	}, append(absences(), besides()...)...)
}

func name(i int) string       { return "x" + strconv.Itoa(i) }
func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func probability(margin float64) float64 { return 1 / (1 + math.Exp(-margin)) }

// numeric has normal columns; the label is the sign of the sum of some of them and of normal noise. Weights have
// random signs, and the sum has the variance of three columns however many speak.
func numeric(label string, columns, speaking int, noise float64) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		weight := make([]float64, columns)
		for i := range speaking {
			weight[i] = math.Sqrt(3/float64(speaking)) * float64(2*random.IntN(2)-1)
		}
		return func() sample {
			var s sample
			margin := noise * random.NormFloat64()
			for i := range columns {
				x := random.NormFloat64()
				margin += weight[i] * x
				s.add(name(i), number(x), i, x)
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// correlated columns share ten factors.
func correlated(label string, columns int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		const factors = 10
		loading := make([]float64, columns*factors)
		for i := range loading {
			loading[i] = random.NormFloat64() / math.Sqrt(factors)
		}
		weight := make([]float64, columns)
		for i := range 6 {
			weight[i] = float64(2*random.IntN(2) - 1)
		}
		return func() sample {
			var s sample
			var factor [factors]float64
			for k := range factor {
				factor[k] = random.NormFloat64()
			}
			margin := 0.9 * random.NormFloat64()
			for i := range columns {
				x := 0.6 * random.NormFloat64()
				for k := range factor {
					x += loading[i*factors+k] * factor[k]
				}
				margin += weight[i] * x
				s.add(name(i), number(x), i, x)
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// heavy columns are powers of normal ones, with outliers, missing and constant columns among them; the label depends on
// the signs' roots, so a batch method gets these roots.
func heavy(label string, columns int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		return func() sample {
			var s sample
			margin := 0.9 * random.NormFloat64()
			for i := range columns {
				z := random.NormFloat64()
				x := z
				if i < 3 {
					margin += z
				}
				switch i % 5 {
				case 1:
					x = math.Exp(2 * z)
				case 2:
					x = math.Copysign(math.Pow(math.Abs(z), 3), z)
				case 3:
					x = 7
				case 4:
					if random.Float64() < 0.001 {
						x = 1e12
					}
				}
				if i%10 == 5 && random.Float64() < 0.3 {
					f := record.Field{Name: name(i), ID: record.NoName, Missing: true}
					s.fields = append(s.fields, f)
					continue
				}
				s.add(name(i), number(x), i, z)
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// bent columns speak by their distance from 0, which no linear term tells; a batch method gets that distance too.
func bent(label string, columns int) world {
	return world{name: label, columns: 2 * columns, start: func(random *rand.Rand) func() sample {
		return func() sample {
			var s sample
			margin := 0.9 * random.NormFloat64()
			for i := range columns {
				x := random.NormFloat64()
				s.add(name(i), number(x), i, x)
				s.dense.index = append(s.dense.index, int32(columns+i))
				s.dense.value = append(s.dense.value, (x*x-1)/math.Sqrt2)
				switch i {
				case 0, 1:
					margin += x
				case 2, 3:
					margin += (x*x - 1) / math.Sqrt2
				}
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// rare labels are positive in 5 %.
func rare(label string, columns int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		return func() sample {
			var s sample
			margin := -3.22 + 0.9*random.NormFloat64()
			for i := range columns {
				x := random.NormFloat64()
				if i < 3 {
					margin += x
				}
				s.add(name(i), number(x), i, x)
			}
			s.positive = margin > 0
			return s
		}
	}}
}

// categorical columns have equally frequent levels with normal effects.
func categorical(label string, columns, levels, speaking int) world {
	return world{name: label, columns: columns * levels, start: func(random *rand.Rand) func() sample {
		effect := make([]float64, columns*levels)
		for i := range speaking * levels {
			effect[i] = math.Sqrt(5/float64(speaking)) * random.NormFloat64()
		}
		return func() sample {
			var s sample
			margin := 0.0
			for i := range columns {
				k := random.IntN(levels)
				margin += effect[i*levels+k]
				s.add(name(i), "v"+strconv.Itoa(k), i*levels+k, 1)
			}
			s.positive = random.Float64() < probability(margin)
			return s
		}
	}}
}

// booleans has so many fields, of which each record has a few, which are true.
func booleans(label string, columns, each int) world {
	return world{name: label, columns: columns, start: func(random *rand.Rand) func() sample {
		effect := make([]float64, columns)
		for i := range effect {
			effect[i] = 0.5 * random.NormFloat64()
		}
		return func() sample {
			var s sample
			margin := 0.0
			seen := map[int]bool{}
			for len(seen) < each {
				i := random.IntN(columns)
				if !seen[i] {
					seen[i] = true
					margin += effect[i]
					s.add(name(i), "true", i, 1)
				}
			}
			s.positive = random.Float64() < probability(margin)
			return s
		}
	}}
}
