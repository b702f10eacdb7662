package serve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
)

// columns are records as tensors: the texts of each field as they stand, all of them BYTES.
func columns(t testing.TB, d *document.Document, lines []string) (names []string, cells map[string][]string) {
	t.Helper()
	inputs, err := d.Inputs()
	must(t, err)
	cells = map[string][]string{}
	for _, in := range inputs {
		names = append(names, in.Name)
		for _, line := range lines {
			var record map[string]json.RawMessage
			must(t, json.Unmarshal([]byte(line), &record))
			var text string
			if value := record[in.Name]; len(value) > 0 && value[0] == '"' {
				must(t, json.Unmarshal(value, &text))
			} else if string(value) != "null" {
				text = string(value)
			}
			cells[in.Name] = append(cells[in.Name], text)
		}
	}
	return names, cells
}

// request is an inference of cells, with JSON or with bytes.
func request(names []string, cells map[string][]string, asBytes bool) (body []byte, header string) {
	var inputs []map[string]any
	var raw []byte
	for _, name := range names {
		input := map[string]any{"name": name, "datatype": "BYTES", "shape": []int{len(cells[name]), 1}}
		if asBytes {
			begin := len(raw)
			for _, cell := range cells[name] {
				raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(cell))), cell...)
			}
			input["parameters"] = map[string]int{"binary_data_size": len(raw) - begin}
		} else {
			input["data"] = cells[name]
		}
		inputs = append(inputs, input)
	}
	body, _ = json.Marshal(map[string]any{"id": "r1", "inputs": inputs, "parameters": map[string]bool{"binary_data_output": asBytes}})
	return append(body, raw...), strconv.Itoa(len(body))
}

const inferPath = "/v2/models/adult/infer"

// outputs are those of an answer, numbers as bits.
func outputs(t testing.TB, w *httptest.ResponseRecorder) map[string][]uint64 {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	text, raw := w.Body.Bytes(), []byte(nil)
	if length := w.Header().Get(headerLength); length != "" {
		n, err := strconv.Atoi(length)
		must(t, err)
		text, raw = text[:n], text[n:]
	}
	var answer struct {
		ID, Model_Name, Model_Version string //nolint:revive // as the protocol has them
		Outputs                       []struct {
			Name, Datatype string
			Shape          []int
			Parameters     struct{ Binary_Data_Size int } //nolint:revive // as the protocol has it
			Data           []any
		}
	}
	must(t, json.Unmarshal(text, &answer))
	all := map[string][]uint64{"": {uint64(len(raw))}}
	for _, o := range answer.Outputs {
		size := o.Parameters.Binary_Data_Size
		for i := range o.Shape[0] {
			switch {
			case o.Datatype == "BYTES":
			case size > 0:
				all[o.Name] = append(all[o.Name], binary.LittleEndian.Uint64(raw[8*i:]))
			case o.Datatype == "FP64":
				all[o.Name] = append(all[o.Name], math.Float64bits(o.Data[i].(float64)))
			default:
				all[o.Name] = append(all[o.Name], uint64(o.Data[i].(float64)))
			}
		}
		raw = raw[size:]
	}
	if len(raw) > 0 {
		t.Errorf("%d bytes belong to no output", len(raw))
	}
	return all
}

// TestInfer: tensors of JSON and of bytes give what pkg/document decides, bit for bit.
func TestInfer(t *testing.T) {
	doc, lines := learnt(t, 200)
	for _, line := range hostile { // those whose fields are features
		if !strings.Contains(line, "unknown") && !strings.Contains(line, `"":`) {
			lines = append(lines, line)
		}
	}
	s := newService(t, small(Fixed(doc)))
	names, cells := columns(t, doc, lines)
	var asRecords []string // what a tensor can say: the empty text is missing
	for i := range lines {
		row := map[string]any{}
		for _, name := range names {
			if row[name] = cells[name][i]; cells[name][i] == "" {
				row[name] = nil
			}
		}
		text, err := json.Marshal(row)
		must(t, err)
		asRecords = append(asRecords, string(text))
	}
	for _, asBytes := range []bool{false, true} {
		body, length := request(names, cells, asBytes)
		headers := []string{}
		if asBytes {
			headers = []string{headerLength, length}
		}
		got := outputs(t, post(s, inferPath, body, headers...))
		if (got[""][0] > 0) != asBytes {
			t.Errorf("bytes %v: the answer has %d bytes behind its JSON", asBytes, got[""][0])
		}
		for i, want := range decisions(t, doc, asRecords) {
			if got["margin"][i] != math.Float64bits(want.Margin) || got["score"][i] != math.Float64bits(want.Score) || got["probability"][i] != math.Float64bits(want.Probability) ||
				(got["decision"][i] == 1) != want.Positive || got["version"][i] != uint64(doc.Version) {
				t.Errorf("bytes %v, %s: margin %x, want %+v", asBytes, asRecords[i], got["margin"][i], want)
			}
		}
	}
}

// TestNumbersAreTensorsOfManyTypes: the same number decides alike, whatever the type it came in.
func TestNumbersAreTensorsOfManyTypes(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	want := decisions(t, doc, []string{`{"age":39}`, `{"age":null}`})
	infer := func(datatype, data string) uint64 {
		t.Helper()
		return outputs(t, post(s, inferPath, []byte(`{"inputs":[{"name":"age","shape":[1],"datatype":"`+datatype+`","data":[`+data+`]}]}`)))["margin"][0]
	}
	for datatype, data := range map[string]string{"FP64": "39.0", "FP32": "3.9e1", "INT8": "39", "INT16": "39", "INT32": "39", "INT64": "39", "UINT8": "39", "UINT16": "39",
		"UINT32": "39", "UINT64": "39", "BYTES": `"39"`} {
		if got := infer(datatype, data); got != math.Float64bits(want[0].Margin) {
			t.Errorf("%s: %x, want %v", datatype, got, want[0])
		}
		if got := infer(datatype, "null"); got != math.Float64bits(want[1].Margin) {
			t.Errorf("%s missing: %x, want %v", datatype, got, want[1])
		}
		size := datatypes[datatype]
		raw := []byte("\x02\x00\x00\x0039")
		switch {
		case datatype == "FP64":
			raw = binary.LittleEndian.AppendUint64(nil, math.Float64bits(39))
		case datatype == "FP32":
			raw = binary.LittleEndian.AppendUint32(nil, math.Float32bits(39))
		case size > 0:
			raw = append([]byte{39}, make([]byte, size-1)...)
		}
		text := fmt.Sprintf(`{"inputs":[{"name":"age","shape":[1,1],"datatype":%q,"parameters":{"binary_data_size":%d}}]}`, datatype, len(raw))
		w := post(s, inferPath, append([]byte(text), raw...), headerLength, strconv.Itoa(len(text)))
		if got := outputs(t, w)["margin"][0]; got != math.Float64bits(want[0].Margin) {
			t.Errorf("%s as bytes: %x, want %v", datatype, got, want[0])
		}
	}
	if got := infer("FP64", "NaN"); got != math.Float64bits(want[1].Margin) {
		t.Errorf("NaN is not missing: %x", got)
	}
}

// TestErrorsOfTheProtocol: each with its status and a JSON object.
func TestErrorsOfTheProtocol(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.Records = 5
	s := newService(t, o)
	age := func(rest string) string { return `{"inputs":[{"name":"age",` + rest + `}]}` }
	for body, part := range map[string]string{
		`{}`: "inputs is missing", `{"inputs":[]}`: "at least one", `{"inputs":[7]}`: "not a tensor", `[`: "not a JSON object",
		`{"inputs":[{"name":"nobody","shape":[1],"datatype":"FP64","data":[1]}]}`:                                "unexpected inference input",
		age(`"shape":[1],"datatype":"FP16","data":[1]`):                                                          "not supported",
		age(`"shape":[1],"datatype":"BOOL","data":[true]`):                                                       "the model expects FP64",
		`{"inputs":[{"name":"workclass","shape":[1],"datatype":"FP64","data":[1]}]}`:                             "the model expects BYTES",
		age(`"shape":[1],"datatype":"FP64","data":["x"]`):                                                        "element 0 is not of type FP64",
		age(`"shape":[1],"datatype":"BYTES","data":[7]`):                                                         "not a text",
		age(`"shape":[1],"datatype":"INT8","data":[128]`):                                                        "not of type INT8",
		age(`"shape":[1],"datatype":"UINT8","data":[-1]`):                                                        "not of type UINT8",
		age(`"shape":[1],"datatype":"FP64","data":[1e999]`):                                                      "not of type FP64",
		age(`"shape":[2],"datatype":"FP64","data":[1]`):                                                          "1 elements, and its shape says 2",
		age(`"shape":[1],"datatype":"FP64","data":[[1,2]]`):                                                      "more elements",
		age(`"shape":[1],"datatype":"FP64","data":` + strings.Repeat("[", 200000) + strings.Repeat("]", 200000)): "nested deeper",
		age(`"shape":[1,2],"datatype":"FP64","data":[1,2]`):                                                      "shape",
		age(`"shape":[-1],"datatype":"FP64","data":[]`):                                                          "shape",
		age(`"shape":[],"datatype":"FP64","data":[]`):                                                            "shape",
		age(`"shape":[1],"datatype":"FP64"`):                                                                     "no data",
		age(`"shape":[1],"datatype":"FP64","parameters":{"binary_data_size":8}`):                                 "0 bytes are left",
		age(`"shape":[6],"datatype":"FP64","data":[1,2,3,4,5,6]`):                                                "5 records",
		`{"inputs":[{"name":"age","shape":[1],"datatype":"FP64","data":[1]},{"name":"education","shape":[2],"datatype":"BYTES","data":["a","b"]}]}`: "2 records",
		`{"inputs":[{"name":"age","shape":[1],"datatype":"FP64","data":[1]},{"name":"age","shape":[1],"datatype":"FP64","data":[1]}]}`:              "given twice",
		`{"inputs":[{"name":"age","shape":[1],"datatype":"FP64","data":[1]}],"outputs":[{"name":"nothing"}]}`:                                       "unexpected inference output",
	} {
		w := post(s, inferPath, []byte(body))
		var told struct{ Error string }
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || w.Code != 400 && w.Code != 413 || !strings.Contains(told.Error, part) {
			t.Errorf("%s: %d %s, want %q", body, w.Code, w.Body, part)
		}
	}
	text := `{"inputs":[{"name":"age","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":SIZE}}]}`
	for raw, part := range map[string]string{"\x05\x00\x00\x0039": "end within", "\x01\x00": "end within", "\x01\x00\x00\x0039": "left behind", "\x01\x00\x00\x00\xff": "not UTF-8"} {
		text := strings.Replace(text, "SIZE", strconv.Itoa(len(raw)), 1)
		if w := post(s, inferPath, []byte(text+raw), headerLength, strconv.Itoa(len(text))); w.Code != 400 || !strings.Contains(w.Body.String(), part) {
			t.Errorf("%q: %d %s, want %q", raw, w.Code, w.Body, part)
		}
		if w := post(s, inferPath, []byte(text+raw+"x"), headerLength, strconv.Itoa(len(text))); w.Code != 400 {
			t.Errorf("a byte too many: %d %s", w.Code, w.Body)
		}
	}
	if w := post(s, inferPath, []byte(`{}`), headerLength, "7"); w.Code != 400 {
		t.Errorf("a header beyond the body: %d", w.Code)
	}
	for path, want := range map[string]int{"/v2/models/other/infer": 404, "/v2/models/adult/versions/7/infer": 404, "/v2/models/adult/versions/x/infer": 404, "/v2/repository/index": 404} {
		if w := post(s, path, []byte(`{}`)); w.Code != want || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestMetadata: what the server says of the model is what it takes and gives.
func TestMetadata(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	get := func(path string, into any) int {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		must(t, json.Unmarshal(w.Body.Bytes(), into))
		return w.Code
	}
	var m struct {
		Name     string
		Versions []string
		Inputs   []tensorMetadata
		Outputs  []tensorMetadata
	}
	if code := get("/v2/models/adult", &m); code != 200 || m.Name != "adult" || m.Versions[0] != strconv.FormatInt(doc.Version, 10) {
		t.Errorf("%d: %+v", code, m)
	}
	types := map[string]string{}
	for _, in := range m.Inputs {
		types[in.Name] = in.Datatype
		value := map[string]string{"FP64": "1", "BYTES": `"x"`}[in.Datatype]
		if w := post(s, inferPath, []byte(`{"inputs":[{"name":"`+in.Name+`","shape":[1],"datatype":"`+in.Datatype+`","data":[`+value+`]}]}`)); w.Code != 200 {
			t.Errorf("%s: %d %s", in.Name, w.Code, w.Body)
		}
		if in.Parameters["missing"] == "" || (in.Parameters["use"] != "") != (in.Name == "sex" || in.Name == "id") {
			t.Errorf("%+v", in)
		}
	}
	if types["age"] != "FP64" || types["workclass"] != "BYTES" || types["sex"] != "BYTES" || types["income"] != "" {
		t.Errorf("inputs: %v", types)
	}
	var server struct{ Name, Version string }
	if code := get("/v2", &server); code != 200 || server.Name != "fairstream" || server.Version != "test" {
		t.Errorf("%d %+v", code, server)
	}
}
