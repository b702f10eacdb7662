package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// scenario is an order in which people come. It is steady if no condition of this study should stand.
type scenario struct {
	name   string
	steady bool
	config func(tau float64) model.Config
	order  func(p pool, random *rand.Rand) stream
}

// stream is some records, and what weights are to be true of once so many have been learnt.
type stream struct {
	records []record.Record
	truth   func(learnt int) []record.Record
	rounds  int // how often truth is asked at a look, at most: it has others each time if this is above 1
	from    int // looks begin after so many records
	every   int // records between two looks, 0 for as many as usual
}

// truthEvery is how much of the people the truth is measured on: one in so many.
const truthEvery = 3

// always are some people, whenever it is.
func always(people []record.Record) func(int) []record.Record {
	var some []record.Record
	for i := 0; i < len(people); i += truthEvery {
		some = append(some, people[i])
	}
	return func(int) []record.Record { return some }
}

// pool are the Adult records.
type pool struct{ all, women, men []record.Record }

func people() (p pool, err error) {
	s, err := population.Adult(population.AdultConfig(tau))
	for _, r := range s.Truth {
		if population.Is(&r, "Female") {
			p.women = append(p.women, r)
		} else {
			p.men = append(p.men, r)
		}
	}
	p.all = s.Truth
	return p, err
}

func cases() []scenario {
	adult := population.AdultConfig
	all := []scenario{{"random", true, adult, random}, {"minority of 8 % random", true, adult, minority}}
	for _, away := range []int{3000, 10_000, 20_000} {
		all = append(all, scenario{"women away for " + strconv.Itoa(away), false, adult, stayingAway(false, away)},
			scenario{"men away for " + strconv.Itoa(away), false, adult, stayingAway(true, away)})
	}
	all = append(all, scenario{"women first", false, adult, womenFirst}, scenario{"men first", false, adult, menFirst})
	for _, b := range [][2]int{{300, 600}, {1000, 2000}, {3000, 6000}} {
		all = append(all, scenario{"bursts of " + strconv.Itoa(b[0]) + " and " + strconv.Itoa(b[1]), false, adult, bursts(b[0], b[1])})
	}
	for _, column := range []string{"age", "education", "occupation", "marital_status", "hours_per_week"} {
		all = append(all, scenario{"sorted by " + column, false, adult, sorted(column)})
	}
	all = append(all, scenario{"names exchanged, minority of 8 %", false, adult, exchanged})
	return slices.Concat(all, production(), deliveries(), operation(), mistakes())
}

const (
	length = 48_000
	tau    = .05
)

func draw(from []record.Record, random *rand.Rand) record.Record { return from[random.IntN(len(from))] }

func random(p pool, random *rand.Rand) stream {
	s := stream{rounds: 1, truth: always(p.all), from: 4000}
	for range length {
		s.records = append(s.records, draw(p.all, random))
	}
	return s
}

// stayingAway are 16,000 records in random order, then one side alone, then both again.
func stayingAway(men bool, away int) func(p pool, random *rand.Rand) stream {
	return func(p pool, random *rand.Rand) stream {
		s := stream{rounds: 1, truth: always(p.all), from: 16_000}
		rest := p.men
		if men {
			rest = p.women
		}
		for i := range 16_000 + away + 8000 {
			if i >= 16_000 && i < 16_000+away {
				s.records = append(s.records, draw(rest, random))
			} else {
				s.records = append(s.records, draw(p.all, random))
			}
		}
		return s
	}
}

func womenFirst(p pool, random *rand.Rand) stream {
	s := stream{rounds: 1, truth: always(p.all), from: 18_000}
	for i := range length {
		from := p.women
		if i >= length/3 {
			from = p.men
		}
		s.records = append(s.records, draw(from, random))
	}
	return s
}

func menFirst(p pool, random *rand.Rand) stream {
	s := stream{rounds: 1, truth: always(p.all), from: 34_000}
	for i := range length {
		from := p.men
		if i >= 2*length/3 {
			from = p.women
		}
		s.records = append(s.records, draw(from, random))
	}
	return s
}

func bursts(women, men int) func(p pool, random *rand.Rand) stream {
	return func(p pool, random *rand.Rand) stream {
		s := stream{rounds: 1, truth: always(p.all), from: 10_000}
		for i := range length {
			from := p.women
			if i%(women+men) >= women {
				from = p.men
			}
			s.records = append(s.records, draw(from, random))
		}
		return s
	}
}

// sorted are all records in the order of a column: of its numbers, or of its values, which come in random order.
func sorted(column string) func(p pool, random *rand.Rand) stream {
	return func(p pool, random *rand.Rand) stream {
		s := stream{rounds: 1, truth: always(p.all), from: 10_000}
		places, rank := map[string]float64{}, map[int]float64{}
		order := random.Perm(len(p.all))
		for _, i := range order {
			text := ""
			for _, f := range p.all[i].Features {
				if f.Name == column {
					text = string(f.Text)
				}
			}
			number, err := strconv.ParseFloat(text, 64)
			if err != nil {
				if _, met := places[text]; !met {
					places[text] = random.Float64()
				}
				number = places[text]
			}
			rank[i] = number
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
		for _, i := range order {
			s.records = append(s.records, p.all[i])
		}
		return s
	}
}

const rare = .08

func minority(p pool, random *rand.Rand) stream {
	s := stream{rounds: 1, truth: always(mixed(p)), from: 8000}
	for range length {
		from := p.men
		if random.Float64() < rare {
			from = p.women
		}
		s.records = append(s.records, draw(from, random))
	}
	return s
}

// mixed are people of whom so few are women.
func mixed(p pool) []record.Record {
	women := int(rare * float64(len(p.men)) / (1 - rare))
	return append(slices.Clone(p.men), p.women[:women]...)
}

// exchanged are the same people, whose names are exchanged at half.
func exchanged(p pool, random *rand.Rand) stream {
	s := minority(p, random)
	s.from = length / 2
	for i := range s.records[s.from:] {
		r := &s.records[s.from+i]
		*r = renamed(*r)
	}
	people := s.truth(0)
	for i, r := range people {
		people[i] = renamed(r)
	}
	return s
}

func renamed(r record.Record) record.Record {
	name := "Female"
	if population.Is(&r, "Female") {
		name = "Male"
	}
	r.Attributes = []record.Value{{Text: []byte(name)}}
	return r
}
