package model_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/murmur3"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// A scorer as docs/document.md explains it, from the JSON alone: what someone would write who has never seen
// this package.

type plainDocument struct {
	Config struct {
		Record struct{ Missing []string }
	}
	Model struct {
		Threshold *float64
		Intercept float64
		Columns   []plainColumn
		Crosses   []struct {
			Columns []string
			Levels  []plainLevel
		}
		Buckets []float64
	}
	Probability struct{ Weights []float64 }
}

// useProbability replaces the weights of the model by those of the probability.
func (d *plainDocument) useProbability() {
	rest := d.Probability.Weights
	take := func(weights ...*float64) {
		for _, w := range weights {
			*w, rest = rest[0], rest[1:]
		}
	}
	all := func(weights []float64) {
		for i := range weights {
			take(&weights[i])
		}
	}
	levels := func(levels []plainLevel) {
		for i := range levels {
			take(&levels[i].Weight)
		}
	}
	take(&d.Model.Intercept)
	for c := range d.Model.Columns {
		column := &d.Model.Columns[c]
		if column.Missing != nil {
			take(column.Missing)
		}
		if column.Standardized != nil {
			take(&column.Standardized.Weight)
		}
		all(column.KnotWeights)
		if column.Linear != nil {
			take(&column.Linear.Weight)
		}
		all(column.Bins)
		all(column.CoarseBins)
		levels(column.Levels)
	}
	for k := range d.Model.Crosses {
		levels(d.Model.Crosses[k].Levels)
	}
	all(d.Model.Buckets)
	if len(rest) > 0 {
		panic("the probability has more weights than the model")
	}
}

type plainColumn struct {
	Name, Type    string
	Missing       *float64
	Edges, Bins   []float64
	Coarse        []int
	CoarseBins    []float64 `json:"coarse_bins"`
	SingleValue   []bool    `json:"single_value"`
	NumericLevels bool      `json:"numeric_levels"`
	Knots         []float64
	KnotWeights   []float64 `json:"knot_weights"`
	Standardized  *struct{ Mean, Scale, Weight float64 }
	Linear        *struct {
		Low, High, Mean, Scale, Weight float64
		SquareRoots                    int `json:"square_roots"`
	}
	Levels []plainLevel
}

type plainLevel struct {
	Text, Key string
	Weight    float64
}

func mix64(place, hash uint64) uint64 {
	x := hash + (place+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (d *plainDocument) level(levels []plainLevel, place, key uint64, shared bool) float64 {
	for _, l := range levels {
		its := mix64(place, murmur3.StringSum64(l.Text))
		if l.Key != "" {
			its, _ = strconv.ParseUint(l.Key, 16, 64)
		}
		if its == key {
			return l.Weight
		}
	}
	if n := uint64(len(d.Model.Buckets)); shared && n > 0 {
		return d.Model.Buckets[(key>>32)%n]
	}
	return 0
}

// margin decides a flat record; what is absent is not in it.
func (d *plainDocument) margin(texts map[string]string) float64 {
	margin := d.Model.Intercept
	tokens := map[string]uint64{}
	for c := range d.Model.Columns {
		column := &d.Model.Columns[c]
		text, present := texts[column.Name]
		if !present {
			continue
		}
		if d.missing(text) {
			if column.Missing != nil {
				margin += *column.Missing
			}
			tokens[column.Name] = 1
			continue
		}
		hash := murmur3.StringSum64(text)
		tokens[column.Name] = hash
		x, number := plainNumber(text)
		number = number && column.Type == "numeric"
		if number {
			added, token, level := column.number(x)
			for _, w := range added {
				margin += w
			}
			tokens[column.Name] = 2 + token
			if !level {
				continue
			}
		}
		margin += d.level(column.Levels, uint64(c), mix64(uint64(c), hash), !number)
	}
	for k, cross := range d.Model.Crosses {
		key, place, complete := uint64(0), 1<<32+uint64(k), true
		for _, name := range cross.Columns {
			token, present := tokens[name]
			complete = complete && present
			key = mix64(place, key^token)
		}
		if complete {
			margin += d.level(cross.Levels, place, key, false)
		}
	}
	return margin
}

func (d *plainDocument) missing(text string) bool {
	for _, m := range d.Config.Record.Missing {
		if text == m {
			return true
		}
	}
	return false
}

// number returns what a number adds, its token, and whether its level counts too.
func (c *plainColumn) number(x float64) (added []float64, token uint64, level bool) {
	x = math.Min(1e150, math.Max(-1e150, x))
	switch {
	case c.Coarse != nil:
		if s := c.Linear; s != nil {
			clipped := math.Min(s.High, math.Max(s.Low, x))
			for range s.SquareRoots {
				clipped = math.Sqrt(clipped)
			}
			added = append(added, s.Weight*single((clipped-s.Mean)*s.Scale))
		}
		i := 0
		for _, edge := range c.Edges {
			if edge <= x {
				i++
			}
		}
		if c.Bins != nil {
			added = append(added, c.Bins[i])
		}
		if c.CoarseBins != nil {
			added = append(added, c.CoarseBins[c.Coarse[i]])
		}
		return added, uint64(c.Coarse[i]), c.NumericLevels && !c.SingleValue[i]
	case len(c.Knots) == 1:
		return c.KnotWeights, 0, false
	case c.Knots != nil:
		x = math.Min(c.Knots[len(c.Knots)-1], math.Max(c.Knots[0], x))
		i := 0
		for i+1 < len(c.Knots) && c.Knots[i+1] < x {
			i++
		}
		share := (x - c.Knots[i]) / (c.Knots[i+1] - c.Knots[i])
		return []float64{c.KnotWeights[i] * single(1-share), c.KnotWeights[i+1] * single(share)}, uint64(i), false
	}
	z := math.Min(5, math.Max(-5, (x-c.Standardized.Mean)*c.Standardized.Scale))
	return []float64{c.Standardized.Weight * single(z)}, uint64(math.Round(z) + 5), false
}

func single(x float64) float64 { return float64(float32(x)) }

func plainNumber(text string) (float64, bool) {
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// texts is a record as its reader sees it.
func texts(r *record.Record) map[string]string {
	all := map[string]string{}
	for _, f := range r.Features {
		all[f.Name] = string(f.Text)
		if f.Missing {
			all[f.Name] = "?"
		}
	}
	return all
}

// Learner, scorer and the plain program agree to the last bit on every record, learnt or not.
func TestScorersAgree(t *testing.T) {
	check := func(name string, config model.Config, learnt, scored []record.Record) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := learn(t, config, learnt)
			d := documentOf(t, l)
			data, err := d.Encode()
			if err != nil {
				t.Fatal(err)
			}
			var plain plainDocument
			if err := json.Unmarshal(data, &plain); err != nil {
				t.Fatal(err)
			}
			checkScores(t, d, l, scored)
			scorer, err := d.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			margins := map[float64]bool{}
			for i := range scored {
				got, want := scorer.Margin(&scored[i]), plain.margin(texts(&scored[i]))
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("record %d: the scorer says %v, the plain program %v", i, got, want)
				}
				margins[want] = true
			}
			if len(margins) < len(scored)/4 {
				t.Errorf("only %d margins on %d records: the test sees nothing", len(margins), len(scored))
			}
		})
	}
	learnt, heldOut := splitAdult(t)
	for _, mode := range allModes {
		for _, encoding := range []features.Encoding{features.Bins, features.PiecewiseLinear, features.Standardized} {
			config := adultConfig(mode)
			config.Learner.Columns = map[string]features.ColumnConfig{}
			for _, name := range []string{"age", "education_num", "capital_gain", "capital_loss", "hours_per_week"} {
				config.Learner.Columns[name] = features.ColumnConfig{Type: features.Numeric, Encoding: encoding}
			}
			config.Learner.Crosses = [][]string{{"age", "education"}, {"hours_per_week", "occupation"}}
			check("adult/"+string(mode)+"/"+string(encoding), config, learnt[:8000], heldOut)
		}
	}
	for name, config := range everyConfiguration() {
		// People unseen, with cities unseen, which share buckets.
		check("people/"+name, config, readRecords(t, config, peopleText(31, 900)), readRecords(t, config, peopleText(32, 600)))
	}
}
