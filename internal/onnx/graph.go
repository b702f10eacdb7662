package onnx

import "strconv"

// value is the name of a tensor of the graph.
type value string

// graph is a GraphProto in the making. Tensors of rows have the shape [N], except where a comment says otherwise.
type graph struct {
	body  message
	count int
}

func (g *graph) name() string {
	g.count++
	return "fairstream_" + strconv.Itoa(g.count)
}

// attributes of a node: names, each followed by its value.
type attributes []any

// add adds a node of one output, which it returns.
func (g *graph) add(operator string, with attributes, inputs ...value) value {
	output := g.name()
	g.node("", operator, output, with, inputs)
	return value(output)
}

func (g *graph) node(domain, operator, output string, with attributes, inputs []value) {
	var m message
	for _, in := range inputs {
		m = m.text(1, string(in))
	}
	m = m.text(2, output).text(3, output).text(4, operator)
	for i := 0; i < len(with); i += 2 {
		m = m.bytes(5, attribute(with[i].(string), with[i+1]))
	}
	if domain != "" {
		m = m.text(7, domain)
	}
	g.body = g.body.bytes(1, m)
}

// numbers is a constant of doubles of the shape.
func (g *graph) numbers(values []float64, shape ...int64) value {
	name := g.name()
	g.body = g.body.bytes(5, doubles(name, shape, values))
	return value(name)
}

// number is a constant of one double, for all rows.
func (g *graph) number(x float64) value { return g.numbers([]float64{x}, 1) }

func (g *graph) integers(values ...int64) value {
	name := g.name()
	g.body = g.body.bytes(5, integers(name, []int64{int64(len(values))}, values))
	return value(name)
}

// input declares an input [N, 1] and returns it as [N].
func (g *graph) input(name string, kind int64) value {
	g.body = g.body.bytes(11, rows(name, kind))
	return g.add("Reshape", nil, value(name), g.integers(-1))
}

// output declares an output [N, 1], which a node has to give.
func (g *graph) output(name string, kind int64) { g.body = g.body.bytes(12, rows(name, kind)) }

// cast converts the elements.
func (g *graph) cast(x value, kind int64) value { return g.add("Cast", attributes{"to", kind}, x) }

// single rounds doubles to single precision.
func (g *graph) single(x value) value { return g.cast(g.cast(x, float32Type), float64Type) }

// within bounds doubles.
func (g *graph) within(x value, low, high float64) value {
	return g.add("Min", nil, g.number(high), g.add("Max", nil, g.number(low), x))
}

// codes gives each text its place in the list, and every other text the number after the last one.
func (g *graph) codes(x value, texts []string) value {
	if len(texts) == 0 { // a LabelEncoder has at least one
		texts = []string{""}
	}
	places := make([]int64, len(texts))
	for i := range places {
		places[i] = int64(i)
	}
	output := g.name()
	g.node(domainML, "LabelEncoder", output, attributes{"keys_strings", texts, "values_int64s", places, "default_int64", int64(len(texts))}, []value{x})
	return value(output)
}

// lookUp takes from a table of so many columns the row of each index: [N, columns]; [N] without columns.
func (g *graph) lookUp(table []float64, columns int, index value) value {
	shape := []int64{int64(len(table))}
	if columns > 0 {
		shape = []int64{int64(len(table) / columns), int64(columns)}
	}
	return g.add("Gather", nil, g.numbers(table, shape...), index)
}

// mapped takes the integer of each index.
func (g *graph) mapped(table []int64, index value) value {
	return g.add("Gather", nil, g.integers(table...), index)
}
