package onnx

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
)

// exporter adds terms to margins: [N, 1], or [N, 2] with the margin of the model without constraints.
type exporter struct {
	graph
	weights [][]float64 // one or two
	columns map[string]*column
	inputs  map[string]value // those of texts, as [N]
	margin  value
}

func (e *exporter) width() int { return len(e.weights) }

// zeros is a table of so many rows of 0.
func (e *exporter) zeros(count int) []float64 { return make([]float64, count*e.width()) }

// fill puts a weight into a row of a table. The weight 0 stands for none.
func (e *exporter) fill(table []float64, row int, weight int32) {
	for i, weights := range e.weights {
		if weight != features.Intercept {
			table[row*e.width()+i] = weights[weight]
		}
	}
}

// term adds a term to the margins.
func (e *exporter) term(x value) { e.margin = e.add("Add", nil, e.margin, x) }

// input is graph.input, and remembers it.
func (e *exporter) input(name string, kind int64) value {
	in := e.graph.input(name, kind)
	e.inputs[name] = in
	return in
}

// Model returns the document as an ONNX model. What the graph cannot express is an error, which names the key that avoids it.
func Model(d *document.Document) ([]byte, error) {
	parts, weights, probability, err := d.Parts()
	switch {
	case err != nil:
		return nil, err
	case parts.Shared != 0:
		return nil, errors.New("values without a weight of their own share weights by hash, which ONNX cannot compute: raise learner.vocabulary.levels or ignore columns with many values (record.ignore), and learn again")
	case len(parts.Columns) == 0:
		return nil, errors.New("the model has no columns yet: learn more records")
	}
	e := &exporter{weights: [][]float64{weights}, columns: map[string]*column{}, inputs: map[string]value{}}
	if probability != nil {
		e.weights = append(e.weights, probability)
	}
	e.margin = e.intercept()
	crosses, err := e.read(d, &parts)
	if err != nil {
		return nil, err
	}
	for i := range parts.Columns {
		c := e.columns[parts.Columns[i].Name]
		if !c.Numeric() {
			e.addText(c)
		} else if err := e.addNumber(c); err != nil {
			return nil, err
		}
	}
	for i, names := range parts.Crosses {
		if err := e.addCross(i, names, crosses[i]); err != nil {
			return nil, err
		}
	}
	e.outputs(d)
	return e.model(d), nil
}

func (e *exporter) intercept() value {
	table := make([]float64, e.width())
	for i, weights := range e.weights {
		table[i] = 0 + weights[features.Intercept]
	}
	return e.numbers(table, 1, int64(e.width()))
}

// read gives columns and crosses their levels.
func (e *exporter) read(d *document.Document, parts *features.Parts) (crosses [][]*features.Level, err error) {
	var missing []string
	for _, text := range d.Config.Record.WithDefaults().Missing {
		missing = append(missing, string(text))
	}
	made := map[string]bool{} // parts of times, which no text makes missing
	for _, t := range d.Config.Record.WithDefaults().Times {
		for _, part := range t.Parts {
			made[t.Field+"."+string(part)] = true
		}
	}
	for i := range parts.Columns {
		c := &column{Column: &parts.Columns[i]}
		if c.missing = missing; made[c.Name] && !c.Numeric() {
			c.missing = []string{""}
		} else if made[c.Name] {
			c.missing = nil
		}
		e.columns[c.Name] = c
	}
	crosses = make([][]*features.Level, len(parts.Crosses))
	for i := range parts.Levels {
		l := &parts.Levels[i]
		if cross, is := l.Slot.Cross(); is {
			crosses[cross] = append(crosses[cross], l)
			continue
		}
		at, _ := l.Slot.Column()
		c := e.columns[parts.Columns[at].Name]
		if shortened(l) {
			return nil, fmt.Errorf("column %q has a weight for a text of more than 64 bytes, of which the document has the beginning only: shorten its texts or list it in record.ignore, and learn again", c.Name)
		}
		c.texts, c.weights = append(c.texts, l.Text), append(c.weights, l.Weight)
	}
	return crosses, nil
}

// outputs are margin, decision and probability, as far as the document gives them.
func (e *exporter) outputs(d *document.Document) {
	margin := func(i int64, name string) {
		e.node("", "Slice", name, nil, []value{e.margin, e.integers(i), e.integers(i + 1), e.integers(1)})
	}
	margin(0, "margin")
	e.output("margin", float64Type)
	if d.Task == document.Classification {
		e.node("", "Greater", "decision", nil, []value{"margin", e.number(0)})
		e.output("decision", boolType)
	}
	if e.width() == 2 {
		free := e.name()
		margin(1, free)
		e.node("", "Sigmoid", "probability", nil, []value{value(free)})
		e.output("probability", float64Type)
	}
}

// model is the ModelProto.
func (e *exporter) model(d *document.Document) []byte {
	m := message(nil).number(1, irVersion).text(2, "fairstream").text(4, "io.fairstream").number(5, d.Version)
	m = m.bytes(7, e.body.text(2, "fairstream")).bytes(8, operators("", Opset)).bytes(8, operators(domainML, OpsetML))
	for _, p := range [][2]string{
		{"fairstream.job", d.Job}, {"fairstream.task", string(d.Task)}, {"fairstream.version", strconv.FormatInt(d.Version, 10)},
		{"fairstream.weights_sha256", d.WeightsSHA256},
	} {
		m = m.bytes(14, property(p[0], p[1]))
	}
	return m
}
