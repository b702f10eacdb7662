package onnx

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	largest = 1e150 // a number beyond it counts as the bound
	clip    = 5     // bounds a standardized number
)

// column is a column of the graph.
type column struct {
	*features.Column
	texts   []string // of its levels
	weights []int32  // of its levels
	missing []string // texts that count as missing

	// Of a column of texts, code is the place of each text in known, and of every other text its length.
	known []string
	code  value
	// Of a numeric column: x is finite, and 0 where gone, of a missing number, or other, of an infinite one, is true.
	x, gone, other value
	bin            value // of a binned column
}

// shortened says whether a level's text is not the whole of it.
func shortened(l *features.Level) bool { return l.Slot.Key(record.Hash([]byte(l.Text))) != l.Key }

// canonical is the number that a text is, and whether it is the text of this number as a program writes it.
func canonical(text string) (x float64, is bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x, text == strconv.FormatFloat(x, 'f', -1, 64) || text == strconv.FormatFloat(x, 'g', -1, 64)
}

// addText adds what the texts of a column add to the margin.
func (e *exporter) addText(c *column) {
	c.known = slices.Concat(c.texts, c.missing)
	c.code = e.codes(e.input(c.Name, stringType), c.known)
	table := e.zeros(max(len(c.known), 1) + 1)
	for i, w := range c.weights {
		e.fill(table, i, w)
	}
	for i := range c.missing {
		e.fill(table, len(c.texts)+i, c.Missing)
	}
	e.term(e.lookUp(table, e.width(), c.code))
}

// addNumber adds what the numbers of a column add to the margin.
func (e *exporter) addNumber(c *column) error {
	in := e.input(c.Name, float64Type)
	c.gone, c.other = e.add("IsNaN", nil, in), e.add("IsInf", nil, in)
	for _, text := range c.missing {
		if x, is := canonical(text); is && text != "-0" { // 0 and -0 are equal numbers
			c.gone = e.add("Or", nil, c.gone, e.add("Equal", nil, in, e.number(x)))
		}
	}
	c.x = e.within(e.add("Where", nil, e.add("Or", nil, c.gone, c.other), e.number(0), in), -largest, largest)
	var err error
	switch c.Kind {
	case features.Scaled:
		z := e.standardized(c)
		e.term(e.present(c, e.scaled(e.single(z), c.First)))
	case features.Interpolated:
		e.addKnots(c)
	default:
		err = e.addBins(c)
	}
	if c.Missing != 0 {
		table := e.zeros(2)
		e.fill(table, 1, c.Missing)
		e.term(e.lookUp(table, e.width(), e.cast(c.gone, int64Type)))
	}
	return err
}

func (e *exporter) standardized(c *column) value {
	return e.within(e.add("Mul", nil, e.add("Sub", nil, c.x, e.number(c.Mean)), e.number(c.Scale)), -clip, clip)
}

// present makes terms 0 where the number is missing or infinite.
func (e *exporter) present(c *column, term value) value {
	absent := e.add("Unsqueeze", nil, e.add("Or", nil, c.gone, c.other), e.integers(1))
	return e.add("Where", nil, absent, e.numbers([]float64{0}, 1, 1), term)
}

// scaled is factors times a weight: [N, width].
func (e *exporter) scaled(factor value, weight int32) value {
	table := e.zeros(1)
	e.fill(table, 0, weight)
	return e.add("Mul", nil, e.add("Unsqueeze", nil, factor, e.integers(1)), e.numbers(table, 1, int64(e.width())))
}

// block is the table of so many weights in a row.
func (e *exporter) block(first int32, count int) []float64 {
	table := e.zeros(count)
	for i := range count {
		e.fill(table, i, first+int32(i))
	}
	return table
}

func (e *exporter) addKnots(c *column) {
	last := len(c.Knots) - 1
	if last == 0 {
		e.term(e.present(c, e.lookUp(e.block(c.First, 1), e.width(), e.below(nil, "LessOrEqual", c.x))))
		return
	}
	x := e.within(c.x, c.Knots[0], c.Knots[last])
	c.bin = e.add("Sub", nil, e.below(c.Knots, "Less", x), e.integers(1))
	c.bin = e.add("Min", nil, e.add("Max", nil, c.bin, e.integers(0)), e.integers(int64(last-1)))
	low, high := e.lookUp(c.Knots[:last], 0, c.bin), e.lookUp(c.Knots[1:], 0, c.bin)
	share := e.add("Div", nil, e.add("Sub", nil, x, low), e.add("Sub", nil, high, low))
	for i, part := range []value{e.add("Sub", nil, e.number(1), share), share} {
		factor := e.add("Unsqueeze", nil, e.single(part), e.integers(1))
		weights := e.lookUp(e.block(c.First+int32(i), last), e.width(), c.bin)
		e.term(e.present(c, e.add("Mul", nil, weights, factor)))
	}
}

func (e *exporter) addBins(c *column) error {
	if c.Linear != 0 {
		x := e.within(c.x, c.Low, c.High)
		for range c.SquareRoots {
			x = e.add("Sqrt", nil, x)
		}
		z := e.add("Mul", nil, e.add("Sub", nil, x, e.number(c.Mean)), e.number(c.Scale))
		e.term(e.present(c, e.scaled(e.single(z), c.Linear)))
	}
	c.bin = e.below(c.Binning.Edges, "LessOrEqual", c.x)
	if c.First != 0 {
		e.term(e.present(c, e.lookUp(e.block(c.First, len(c.Binning.Coarse)), e.width(), c.bin)))
	}
	if c.FirstCoarse != 0 {
		table := e.zeros(len(c.Binning.Coarse))
		for i, coarse := range c.Binning.Coarse {
			e.fill(table, i, c.FirstCoarse+coarse)
		}
		e.term(e.present(c, e.lookUp(table, e.width(), c.bin)))
	}
	return e.addNumbers(c)
}

// addNumbers adds the weights of single numbers. The caller gives numbers, so a level counts for the number that its text is.
func (e *exporter) addNumbers(c *column) error {
	levels := map[float64]int32{}
	for i, text := range c.texts {
		x, is := canonical(text)
		switch other := levels[x]; {
		case !is:
			return fmt.Errorf("column %q has weights for texts that are not written as numbers are, and its input is a number: list them in record.missing, or set learner.columns.%s.type to categorical and learn again", c.Name, c.Name)
		case other != 0:
			return fmt.Errorf("column %q has two weights for one number, which is written in two ways: write it in one, or set learner.columns.%s.type to categorical and learn again", c.Name, c.Name)
		}
		levels[x] = c.weights[i]
	}
	if len(levels) == 0 || !c.NumberLevels {
		return nil
	}
	keys, table := make([]float64, 0, len(levels)), e.zeros(1)
	for x := range levels {
		keys = append(keys, x)
	}
	slices.Sort(keys)
	for i, x := range keys {
		table = append(table, e.zeros(1)...)
		e.fill(table, i+1, levels[x])
	}
	at := e.below(keys, "LessOrEqual", c.x)
	is := e.add("Equal", nil, e.lookUp(slices.Concat([]float64{math.NaN()}, keys), 0, at), c.x)
	open := make([]int64, len(c.Binning.Single))
	for i, single := range c.Binning.Single {
		if !single {
			open[i] = 1
		}
	}
	is = e.cast(e.add("And", nil, is, e.cast(e.mapped(open, c.bin), boolType)), int64Type)
	e.term(e.present(c, e.lookUp(table, e.width(), e.add("Mul", nil, at, is))))
	return nil
}
