package serve

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/fairstream/fairstream/internal/decimals"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// inferred is what a record takes beside its text until it is answered: what is decided of it, and its part of the answer. The outputs have 20
// bytes each, about.
const inferred = 300

// decided is what an answer says of a record.
type decided struct {
	outcome scoring.Outcome
	by      *judge
}

// infer answers POST /v2/models/NAME/infer.
func (s *Service) infer(w http.ResponseWriter, r *http.Request) error {
	m, version, err := s.named(r)
	if err != nil {
		return err
	}
	body, err := s.read(w, r)
	if err != nil {
		return err
	}
	defer body.release()
	q, err := m.parse(body, r.Header.Get(headerLength), s.o.Records)
	if err != nil {
		return err
	}
	j := s.begin(r, nil)
	if r.Header.Get("X-Request-Id") == "" && isID(q.id) {
		j.id = q.id
	}
	j.whole = true // the protocol has one error for a request, and none for a record
	lines, err := q.lines(body)
	if err != nil {
		return err
	}
	all := make([]decided, q.records)
	_, err = s.all(r.Context(), version, j, lines, nil, func(out []byte, i int, by *judge, o scoring.Outcome) []byte {
		all[i] = decided{o, by}
		return out
	})
	if err != nil {
		return err
	}
	answer, length := m.answer(q, all)
	if length == 0 {
		reply(w, j.id, "application/json", answer)
		return nil
	}
	w.Header().Set(headerLength, strconv.Itoa(length))
	reply(w, j.id, "application/octet-stream", answer)
	return nil
}

// outputTensor is an output as JSON.
type outputTensor struct {
	tensorMetadata
	Parameters map[string]int  `json:"parameters,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// answer writes an answer. length is that of its JSON if bytes follow, else 0.
func (m *metadata) answer(q *inference, all []decided) (answer []byte, length int) {
	wanted := q.outputs
	if len(wanted) == 0 {
		for _, o := range m.outputs {
			wanted = append(wanted, output{Name: o.Name})
		}
	}
	response := struct {
		Model   string         `json:"model_name"`
		Version string         `json:"model_version"`
		ID      string         `json:"id,omitempty"`
		Outputs []outputTensor `json:"outputs"`
	}{m.name, strconv.FormatInt(m.model.Version, 10), q.id, nil}
	if len(all) > 0 { // another version may have taken over
		response.Version = strconv.FormatInt(all[0].by.model.Version, 10)
	}
	var raw []byte
	for _, o := range wanted {
		asBytes := q.binary
		if o.Parameters.Binary != nil {
			asBytes = *o.Parameters.Binary
		}
		t := outputTensor{}
		for _, known := range m.outputs {
			if known.Name == o.Name {
				t.tensorMetadata = known
			}
		}
		t.Shape = []int{len(all)}
		if asBytes {
			begin := len(raw)
			raw = appendRaw(raw, o.Name, all)
			t.Parameters = map[string]int{"binary_data_size": len(raw) - begin}
		} else {
			t.Data = appendData(nil, o.Name, all)
		}
		response.Outputs = append(response.Outputs, t)
	}
	answer, _ = json.Marshal(response) // texts and numbers always become JSON
	if raw == nil {
		return answer, 0
	}
	return append(answer, raw...), len(answer)
}

// number is the value of an output that is a number; float says which of both it is.
func (d *decided) number(name string) (whole int64, fraction float64, float bool) {
	switch name {
	case "score":
		return 0, d.outcome.Score, true
	case "margin":
		return 0, d.outcome.Margin, true
	case "probability":
		return 0, d.outcome.Probability, true
	case "propensity":
		return 0, d.outcome.Propensity, true
	case "version":
		return d.by.model.Version, 0, false
	case "term":
		return d.by.model.Term, 0, false
	}
	is := d.outcome.Positive // decision
	if name == "explored" {
		is = d.outcome.Explored
	}
	if is {
		return 1, 0, false
	}
	return 0, 0, false
}

// appendRaw writes the elements of an output as bytes.
func appendRaw(raw []byte, name string, all []decided) []byte {
	for i := range all {
		if name == "alias" {
			alias := all[i].by.model.Alias
			raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(alias))), alias...)
			continue
		}
		whole, fraction, float := all[i].number(name)
		if float {
			whole = int64(math.Float64bits(fraction))
		}
		raw = binary.LittleEndian.AppendUint64(raw, uint64(whole))
	}
	if raw == nil {
		raw = []byte{} // it is asked for, and empty
	}
	return raw
}

// appendData writes them as JSON.
func appendData(data []byte, name string, all []decided) []byte {
	data = append(data, '[')
	for i := range all {
		if i > 0 {
			data = append(data, ',')
		}
		if name == "alias" {
			data = appendText(data, all[i].by.model.Alias)
			continue
		}
		whole, fraction, float := all[i].number(name)
		if float {
			data = decimals.Append(data, fraction)
		} else {
			data = strconv.AppendInt(data, whole, 10)
		}
	}
	return append(data, ']')
}
