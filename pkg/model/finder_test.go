package model_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// parityText makes records in which, with an interaction, the label depends on whether exactly one of left and right
// is high, and on x; other columns say something, nothing, or nothing new.
func parityText(seed uint64, records int, interaction float64) string {
	random := rand.New(rand.NewPCG(seed, 31))
	var text strings.Builder
	text.WriteString("y,sex,x,left,right,echo,same,none,noise,id\n")
	for i := range records {
		x, left, right := random.NormFloat64(), random.IntN(6), random.IntN(6)
		sex := "f"
		if random.IntN(2) == 0 {
			sex = "m"
		}
		margin := x - .3*float64(right-2)
		if (left < 3) == (right < 3) {
			margin += interaction
		} else {
			margin -= interaction
		}
		y := random.Float64() < 1/(1+math.Exp(-margin))
		fmt.Fprintf(&text, "%t,%s,%.2f,l%d,r%d,e%d,s,?,n%d,i%d\n", y, sex, x, left, right, right/2, random.IntN(20), i)
	}
	return text.String()
}

func parityConfig(find int) model.Config {
	c := model.Config{Learner: model.DefaultLearner(), Constraints: []model.Constraint{
		{Attribute: model.OneOrMore{"sex"}, Group: model.OneOrMore{"m"}, Versus: model.OneOrMore{"f"}, Tau: .5}}}
	c.Record.Label = record.Label{Field: "y", Positive: "true"}
	c.Learner.FindCrosses = find
	return c
}

// crossesOf names the crosses of a document in the order in which they were found.
func crossesOf(t *testing.T, d *model.Document) []string {
	t.Helper()
	terms, err := d.Explain()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, term := range terms {
		if strings.Contains(term.Column, " & ") && !slices.Contains(names, term.Column) {
			names = append(names, term.Column)
		}
	}
	return names
}

// errorOf is the share of wrong decisions, and checks that a document decides as its learner does.
func errorOf(t *testing.T, l *model.Learner, heldOut []record.Record) float64 {
	t.Helper()
	scorer, err := document(t, l).Scorer()
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i := range heldOut {
		score := scorer.Score(&heldOut[i])
		if i < 200 && score != l.Score(&heldOut[i]) {
			t.Fatalf("record %d: the document says %+v, the learner %+v", i, score, l.Score(&heldOut[i]))
		}
		if score.Decision != heldOut[i].Positive {
			wrong++
		}
	}
	return float64(wrong) / float64(len(heldOut))
}

// The pair of columns that interacts is found among constant, missing, repeated, noisy ones and a flood of
// categories, and what is learnt then is as accurate as if it had been named.
func TestTheRightCrossIsFound(t *testing.T) {
	records := readRecords(t, parityConfig(0), parityText(1, 26000, 2))
	learnt, heldOut := records[:20000], records[20000:]
	for _, mode := range []model.Mode{model.Adaptive, model.Unconstrained} {
		find := func(n int, crosses ...[]string) *model.Learner {
			config := parityConfig(n)
			config.Learner.Mode, config.Learner.Crosses = mode, crosses
			return learn(t, config, learnt)
		}
		none, found, named := find(0), find(3), find(0, []string{"left", "right"})
		if names := crossesOf(t, document(t, found)); !slices.Equal(names, []string{"left & right"}) {
			t.Errorf("%s: found %q", mode, names)
		}
		without, with, oracle := errorOf(t, none, heldOut), errorOf(t, found, heldOut), errorOf(t, named, heldOut)
		if without < .3 || with > oracle+.01 {
			t.Errorf("%s: error %.4f without a cross, %.4f with the one found, %.4f with it named", mode, without, with, oracle)
		}
	}
}

// A stream without interactions yields none. At one false find in 4,000 samples, 30 streams of two samples yield
// one with a chance of 1.5 %: the seeds are fixed.
func TestNoCrossIsFoundByChance(t *testing.T) {
	for seed := range uint64(30) {
		records := readRecords(t, parityConfig(0), parityText(100+seed, 12400, 0))
		config := parityConfig(5)
		config.Learner.Mode = model.Unconstrained
		if names := crossesOf(t, document(t, learn(t, config, records))); len(names) > 0 {
			t.Errorf("stream %d: found %q", seed, names)
		}
	}
}

// Restored in the middle of a sample, just before and just after a find, a learner goes on bit for bit.
func TestRestoreAroundAFind(t *testing.T) {
	records := readRecords(t, parityConfig(0), parityText(2, 9000, 2))
	config := parityConfig(1)
	whole := learn(t, config, records).AppendState(nil)
	const find = 4096
	for _, point := range []int{1000, 1001, 3000, find - 1, find, find + 1, find + 500} {
		half := learn(t, config, records[:point])
		if names := crossesOf(t, document(t, half)); len(names) > 0 && point < find {
			t.Errorf("found after %d records: %q", point, names)
		}
		restored := restore(t, config, half.AppendState(nil))
		if !bytes.Equal(restored.AppendState(nil), half.AppendState(nil)) {
			t.Errorf("restored after %d records, the state is another", point)
		}
		for i := point; i < len(records); i++ {
			restored.Learn(&records[i])
		}
		if !bytes.Equal(restored.AppendState(nil), whole) {
			t.Errorf("restored after %d records, the learner ends elsewhere", point)
		}
	}
}

// A chosen cross is not found again, and columns beyond the first 64, or that come later, do no harm.
func TestFindingAmongManyColumns(t *testing.T) {
	config := parityConfig(2)
	config.Learner.Crosses = [][]string{{"right", "left"}}
	var text strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(parityText(3, 9000, 2)), "\n") {
		text.WriteString(line)
		for c := range 70 {
			switch {
			case i == 0:
				fmt.Fprintf(&text, ",late%02d", c)
			case i < 50*c:
				text.WriteString(",")
			default:
				fmt.Fprintf(&text, ",%d", (i*(c+1))%7)
			}
		}
		text.WriteString("\n")
	}
	d := document(t, learn(t, config, readRecords(t, config, text.String())))
	if names := crossesOf(t, d); !slices.Equal(names, []string{"right & left"}) {
		t.Errorf("crosses %q", names)
	}
}

// Adult has no interaction strong enough to be found soon, and looking costs no accuracy.
func TestFindingOnAdult(t *testing.T) {
	learnt, heldOut := splitAdult(t)
	config := adultConfig(model.Adaptive)
	plain := errorOf(t, learn(t, config, learnt), heldOut)
	config.Learner.FindCrosses = 4
	if found := errorOf(t, learn(t, config, learnt), heldOut); found > plain+.002 {
		t.Errorf("error %.4f, without looking %.4f", found, plain)
	}
}
