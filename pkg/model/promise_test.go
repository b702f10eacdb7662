package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// town is a world whose answer is known. Every record has a signal and, for each attribute, one value of a proxy that
// leans by the attribute; all are independent. The label's mean is the signal plus a lead for each attribute that is 1.
// So the features have few combinations, and a table of what is decided for each says how any holdout comes out.
type town struct {
	attributes int
	lead       float64
	records    []record.Record // one for each combination of the features, without label and attributes
}

const (
	signals = 100 // values of the signal: with few, one that changes sides would be much of a difference
	leans   = 3   // values of a proxy
)

// leaning are the shares of a proxy's values where the attribute is 0; where it is 1 they come the other way round.
var leaning = [leans]float64{.6, .3, .1}

func newTown(attributes int, lead float64) *town {
	w := &town{attributes: attributes, lead: lead}
	for combination := range signals * int(math.Pow(leans, float64(attributes))) {
		r := record.Record{HasLabel: true, Weight: 1, Attributes: make([]record.Value, attributes)}
		field := func(name string, value int) {
			text := fmt.Append(nil, value)
			r.Features = append(r.Features, record.Field{ID: record.NoName, Name: name, Text: text, Hash: record.Hash(text)})
		}
		rest := combination
		field("signal", rest%signals)
		rest /= signals
		for k := range attributes {
			field(fmt.Sprint("proxy", k), rest%leans)
			rest /= leans
		}
		w.records = append(w.records, r)
	}
	return w
}

// draw returns a combination of features, the attributes as bits, and the mean of the label, a logarithm of odds.
func (w *town) draw(random *rand.Rand) (combination int, attributes uint, mean float64) {
	signal := random.IntN(signals)
	combination = signal
	mean = (float64(signal)/(signals-1) - .5) * 4.2
	place := signals
	for k := range w.attributes {
		one := random.IntN(2) == 1
		lean, at := random.Float64(), 0
		for at < leans-1 && lean >= leaning[at] {
			lean -= leaning[at]
			at++
		}
		if one {
			attributes |= 1 << k
			at = leans - 1 - at
			mean += w.lead
		} else {
			mean -= w.lead
		}
		combination += place * at
		place *= leans
	}
	return combination, attributes, mean
}

func (w *town) config(task model.Task, tau float64) model.Config {
	c := model.Config{Learner: model.DefaultLearner(), Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}}
	c.Learner.Warmup = 200
	if c.Learner.Task = task; task == model.Regression {
		c.Record.Label.Positive = ""
	}
	for k := range w.attributes {
		name := fmt.Sprint("a", k)
		c.Constraints = append(c.Constraints, model.Constraint{Name: name, Attribute: model.OneOrMore{name},
			Group: model.Values("1"), Versus: model.Values("0"), Tau: tau})
	}
	return c
}

// learn returns what a learner of so many records makes of every combination.
func (w *town) learn(t *testing.T, config model.Config, records int, random *rand.Rand) []float64 {
	t.Helper()
	return w.teach(newLearner(t, config), config, records, random)
}

// teach is learn for a learner that the caller keeps.
func (w *town) teach(l *model.Learner, config model.Config, records int, random *rand.Rand) []float64 {
	levels := [2][]byte{[]byte("0"), []byte("1")}
	for range records {
		combination, attributes, mean := w.draw(random)
		r := &w.records[combination]
		for k := range r.Attributes {
			r.Attributes[k].Text = levels[attributes>>k&1]
		}
		if r.Positive = random.Float64() < 1/(1+math.Exp(-mean)); config.Learner.Task == model.Regression {
			r.Label, r.Positive = mean+random.NormFloat64(), false
		}
		l.Learn(r)
	}
	table := make([]float64, len(w.records))
	for i := range table {
		if config.Learner.Task == model.Regression {
			table[i] = l.Margin(&w.records[i])
		} else if l.Decide(&w.records[i]).Positive {
			table[i] = 1
		}
	}
	return table
}

// within says whether in a fresh holdout every difference is within tau.
func (w *town) within(table []float64, tau float64, holdout int, random *rand.Rand) bool {
	sums, counts := make([][2]float64, w.attributes), make([][2]float64, w.attributes)
	for range holdout {
		combination, attributes, _ := w.draw(random)
		for k := range sums {
			side := attributes >> k & 1
			sums[k][side] += table[combination]
			counts[k][side]++
		}
	}
	for k := range sums {
		if math.Abs(sums[k][1]/counts[k][1]-sums[k][0]/counts[k][0]) > tau {
			return false
		}
	}
	return true
}

// learner.confidence is the share of fresh holdouts in which every enforced constraint is within tau: in both tasks,
// with one constraint and with several.
func TestThePromise(t *testing.T) {
	streams := atNight(40, 100)
	if testing.Short() {
		streams = 16
	}
	const records, holdouts = 9000, 2
	taus := map[model.Task]float64{model.Classification: .08, model.Regression: .2}
	for task, tau := range taus {
		for _, constraints := range []int{1, 4} {
			t.Run(fmt.Sprint(task, "/", constraints), func(t *testing.T) {
				w := newTown(constraints, .8)
				config := w.config(task, tau)
				config.Learner.HoldoutRecords = 4000
				free := w.config(task, tau)
				free.Learner.Mode = model.Unconstrained
				share := 0.0
				for seed := range streams {
					random := rand.New(rand.NewPCG(uint64(seed), 99))
					table := w.learn(t, config, records, random)
					for range holdouts {
						if w.within(table, tau, config.Learner.HoldoutRecords, random) {
							share += 1 / float64(holdouts*streams)
						}
					}
					if seed < 3 && w.within(w.learn(t, free, records, random), tau, config.Learner.HoldoutRecords, random) {
						t.Fatal("the constraints ask nothing of the learner")
					}
				}
				// Holdouts of one stream share its weights: the streams are what is independent.
				confidence := config.Learner.Confidence
				deviation := math.Sqrt(confidence * (1 - confidence) / float64(streams))
				t.Logf("%.3f of the holdouts are within tau, standard error %.3f", share, deviation)
				if share < confidence-3*deviation {
					t.Errorf("%.3f of the holdouts are within tau, standard error %.3f: confidence %v is promised", share, deviation, confidence)
				}
			})
		}
	}
}
