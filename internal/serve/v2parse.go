package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// inference is a request of the Open Inference Protocol.
type inference struct {
	id      string
	tensors []*tensor // of fields that are read
	records int       // -1 while no input says how many
	outputs []output  // nil: all, in the form of binary
	binary  bool      // what is not asked for by name comes as bytes
}

// output is a tensor that is asked for.
type output struct {
	Name       string
	Parameters struct {
		Binary         *bool  `json:"binary_data"`
		Classification *int   `json:"classification"`
		Shared         string `json:"shared_memory_region"`
	}
}

// header is an input tensor without its elements.
type header struct {
	Name, Datatype string
	Shape          []int
	Parameters     struct {
		Size   *int   `json:"binary_data_size"`
		Shared string `json:"shared_memory_region"`
	}
}

// headerLength is the header of HTTP that says where JSON ends and the bytes of the tensors begin.
const headerLength = "Inference-Header-Content-Length"

// longestText is the longest identifier of a request, and the longest shape as text, in bytes.
const longestText = 1 << 10

// bad is the error of a request that does not follow the protocol.
func bad(format string, values ...any) error {
	return &refusal{http.StatusBadRequest, fmt.Sprintf(format, values...)}
}

// shown is a text of a request in quotes, for an error: the beginning of a long one.
func shown(text string) string {
	if len(text) > 100 {
		text = text[:100] + "…"
	}
	return string(appendText(nil, text))
}

// parse reads a request. Its tensors are inputs of the model, of one shape.
func (m *metadata) parse(body *body, length string, most int) (*inference, error) {
	text, raw := body.bytes, []byte(nil)
	if length != "" {
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 || n > len(text) {
			return nil, bad("%s is %s, and the body has %d bytes", headerLength, shown(length), len(text))
		}
		text, raw = text[:n], text[n:]
	}
	q := &inference{records: -1}
	var inputs []byte
	err := values(text, func(name string, value []byte) error {
		switch name {
		case "id":
			if len(value) > longestText {
				return bad("the id is longer than %d bytes", longestText)
			}
			return json.Unmarshal(value, &q.id)
		case "parameters":
			var p struct {
				Binary bool `json:"binary_data_output"`
			}
			err := json.Unmarshal(value, &p)
			q.binary = p.Binary
			return err
		case "outputs":
			return m.wanted(q, value)
		case "inputs":
			inputs = value
		}
		return nil // parameters of other extensions, which may be left out of account
	})
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		return nil, err
	} else if err != nil {
		return nil, bad("the request is not a JSON object of the Open Inference Protocol")
	}
	if len(inputs) == 0 || inputs[0] != '[' {
		return nil, bad("inputs is missing: send an array of tensors")
	}
	_, err = elements(inputs, 0, func(element []byte) (err error) {
		raw, err = m.input(body, q, element, raw, most)
		return err
	})
	switch {
	case err == errNotJSON: //nolint:errorlint // it is never wrapped
		return nil, bad("inputs is not an array of tensors")
	case err != nil:
		return nil, err
	case q.records < 0:
		return nil, bad("inputs is empty: send at least one tensor")
	case len(raw) > 0:
		return nil, bad("%d bytes of the body belong to no tensor", len(raw))
	}
	return q, nil
}

// wanted reads the outputs that are asked for, each once.
func (m *metadata) wanted(q *inference, list []byte) error {
	if string(list) == "null" {
		return nil
	}
	_, err := elements(list, 0, func(element []byte) error {
		var o output
		if err := json.Unmarshal(element, &o); err != nil {
			return err
		}
		switch {
		case !slices.ContainsFunc(m.outputs, func(known tensorMetadata) bool { return known.Name == o.Name }):
			return bad("unexpected inference output %s for model %q: its metadata list the outputs", shown(o.Name), m.name)
		case slices.ContainsFunc(q.outputs, func(other output) bool { return other.Name == o.Name }):
			return bad("inference output %s is asked for twice", shown(o.Name))
		case o.Parameters.Classification != nil:
			return bad("inference output %s: classification is not supported", shown(o.Name))
		case o.Parameters.Shared != "":
			return bad("inference output %s: shared memory is not supported", shown(o.Name))
		}
		q.outputs = append(q.outputs, o)
		return nil
	})
	return err
}

// input reads one tensor, and gives the bytes behind its own. That of a field which is not read is checked, and not kept.
func (m *metadata) input(body *body, q *inference, element, raw []byte, most int) ([]byte, error) {
	var h header
	var data []byte
	err := values(element, func(name string, value []byte) error {
		switch name {
		case "name":
			return json.Unmarshal(value, &h.Name)
		case "datatype":
			return json.Unmarshal(value, &h.Datatype)
		case "shape":
			if len(value) > longestText {
				return errors.New("it has too many dimensions")
			}
			return json.Unmarshal(value, &h.Shape)
		case "parameters":
			return json.Unmarshal(value, &h.Parameters)
		case "data":
			data = value
		}
		return nil
	})
	quoted := shown(h.Name)
	size, known := datatypes[h.Datatype]
	in, there := m.inputs[h.Name]
	switch {
	case err != nil:
		return nil, bad("an input is not a tensor with name, shape and datatype")
	case !there && !m.ignores(h.Name):
		return nil, bad("unexpected inference input %s for model %q: its metadata list the inputs", quoted, m.name)
	case !known:
		return nil, bad("inference input %s has the datatype %s, which is not supported", quoted, shown(h.Datatype))
	case there && !accepts(in, h.Datatype):
		return nil, bad("inference input %s has the datatype %s, and the model expects %s", quoted, h.Datatype, typeOf(in))
	case h.Parameters.Shared != "":
		return nil, bad("inference input %s is in shared memory, which is not supported", quoted)
	case len(h.Shape) == 0, len(h.Shape) > 2, len(h.Shape) == 2 && h.Shape[1] != 1, h.Shape[0] < 0:
		return nil, bad("inference input %s has the shape %v: use [n], or [n,1], for n records", quoted, h.Shape)
	case h.Shape[0] > most:
		return nil, &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("a request may have %d records (serve.records)", most)}
	case q.records >= 0 && h.Shape[0] != q.records:
		return nil, bad("inference input %s has %d records, and the inputs before it have %d", quoted, h.Shape[0], q.records)
	case slices.ContainsFunc(q.tensors, func(t *tensor) bool { return t.field == h.Name }):
		return nil, bad("inference input %s is given twice", quoted)
	}
	q.records = h.Shape[0]
	t := &tensor{field: h.Name, datatype: h.Datatype}
	if n := h.Parameters.Size; n != nil {
		switch {
		case data != nil:
			return nil, bad("inference input %s has both data and binary_data_size", quoted)
		case *n < 0 || *n > len(raw):
			return nil, bad("inference input %s has a binary_data_size of %d, and %d bytes are left", quoted, *n, len(raw))
		}
		if err := t.raw(raw[:*n], q.records); err != nil {
			return nil, err
		}
		raw = raw[*n:]
	} else {
		if len(data) == 0 || data[0] != '[' {
			return nil, bad("inference input %s has no data", quoted)
		}
		if size > 0 {
			t.values = make([]byte, 0, min(len(data), 1<<20))
		}
		if err := t.list(data, q.records, len(h.Shape)); err == errNotJSON { //nolint:errorlint // it is never wrapped
			return nil, bad("inference input %s: its data is not JSON", quoted)
		} else if err != nil {
			return nil, err
		}
	}
	if len(t.ends) != q.records {
		return nil, bad("inference input %s has %d elements, and its shape says %d", quoted, len(t.ends), q.records)
	}
	if !there {
		return raw, nil
	}
	q.tensors = append(q.tensors, t)
	return raw, body.hold(cap(t.values) + 8*cap(t.ends))
}

// lines are the records of the tensors, as JSON.
func (q *inference) lines(body *body) ([][]byte, error) {
	size := 2 * q.records
	names := make([][]byte, len(q.tensors))
	for i, t := range q.tensors {
		names[i] = append(appendText(nil, t.field), ':')
		size += len(t.values) + q.records*(len(names[i])+1)
	}
	if err := body.hold(size + q.records*inferred); err != nil {
		return nil, err
	}
	all, lines := make([]byte, 0, size), make([][]byte, q.records)
	for i := range lines {
		begin := len(all)
		all = append(all, '{')
		for k, t := range q.tensors {
			if k > 0 {
				all = append(all, ',')
			}
			all = t.add(append(all, names[k]...), i)
		}
		all = append(all, '}')
		lines[i] = all[begin:len(all):len(all)]
	}
	return lines, nil
}
