package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/test/broker"
)

// paritySets are the sets of the study, with the groups that are compared. Those without a sample in internal/inspect/realsets/testdata are tried where
// `bench/quality/run.sh --only records` has fetched them.
var paritySets = []struct{ name, label, positive, attribute, group, versus string }{
	{"adult", "income", ">50K", "sex", "Male", "Female"},
	{"credit", "label", "1", "attribute", "male", "female"},
	{"admissions", "label", "1", "attribute", "female", "male"},
	{"families", "label", "1", "attribute", "Black", "Hispanic"},
	{"compas", "label", "1", "attribute", "African-American", "Caucasian"},
	{"law", "label", "1", "attribute", "White", "other"},
}

// strange are values of JSON that production sends now and then.
var strange = []string{"null", `""`, `"?"`, `"NaN"`, "1e308", "-1e308", "-0", "-0.0", `"-0"`, "1e-320", "0.1", "1E2", `"1E2"`, `"0x1F"`, `" 39"`, `"39 "`, "true", "false", `"yes"`,
	`"ü \u2028 \ud83d\ude00"`, `"never seen"`, `"a,\"b\"\n"`, "123456789012345678901234567890", `"` + strings.Repeat("x", 3000) + `"`}

// TestTheSameDecisionInEveryWay: pkg/document, score, /v1 and /v2 (tensors of JSON and of bytes) give a record the same margin and the same
// decision, bit for bit, on the sets of the study with missing, unseen and strange values.
func TestTheSameDecisionInEveryWay(t *testing.T) {
	filesAlone(t)
	t.Parallel()
	for _, set := range paritySets {
		t.Run(set.name, func(t *testing.T) {
			rows := paritySet(t, set.name)
			if rows == nil {
				t.Skip("its licence forbids a copy here: bench/quality/run.sh --only records fetches it")
			}
			directory := t.TempDir()
			learnt, config, weights := filepath.Join(directory, "learnt.csv"), filepath.Join(directory, "job.yaml"), filepath.Join(directory, "weights.json")
			var text bytes.Buffer
			must(t, csv.NewWriter(&text).WriteAll(rows[:1601]))
			must(t, os.WriteFile(learnt, text.Bytes(), 0o600))
			must(t, os.WriteFile(config, fmt.Appendf(nil, "job: parity\nrecord: {label: {field: %s, positive: %q}}\nconstraints: [{attribute: %s, group: %q, versus: %q, tau: 0.05}]\n",
				set.label, set.positive, set.attribute, set.group, set.versus), 0o600))
			succeed(t, "replay", "--config", config, "--input", learnt, "--save", weights)

			lines := strangeRecords(rows[0], rows[1601:], set.label)
			input := filepath.Join(directory, "people.jsonl")
			must(t, os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o600))
			want := decided(t, weights, lines)
			var scored []weighed
			for line := range strings.Lines(succeed(t, "score", "--model", weights, "--input", input, "--json")) {
				var a weighed
				must(t, json.Unmarshal([]byte(line), &a))
				scored = append(scored, a)
			}
			same(t, "score", lines, scored, want)

			address := serving(t, config, weights)
			var v1 struct{ Results []weighed }
			must(t, json.Unmarshal(post(t, address+"/v1/score", `{"records":[`+strings.Join(lines, ",")+`]}`, 0), &v1))
			same(t, "/v1", lines, v1.Results, want)

			names, cells, flat := tensors(t, weights, lines, false)
			want = decided(t, weights, flat)
			numbered, numbers, numeric := tensors(t, weights, lines, true)
			wantOfNumbers := decided(t, weights, numeric)
			for _, asBytes := range []bool{false, true} {
				same(t, fmt.Sprintf("/v2, bytes %v", asBytes), flat, inferred(t, address, names, cells, asBytes), want)
				same(t, fmt.Sprintf("/v2 with FP64, bytes %v", asBytes), numeric, inferred(t, address, numbered, numbers, asBytes), wantOfNumbers)
			}
		})
	}
}

// weighed is what is said of a record.
type weighed struct {
	Margin   *float64
	Decision int
}

func same(t *testing.T, way string, lines []string, got, want []weighed) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d of %d records are answered", way, len(got), len(want))
	}
	for i := range want {
		if (got[i].Margin == nil) != (want[i].Margin == nil) || want[i].Margin != nil &&
			(math.Float64bits(*got[i].Margin) != math.Float64bits(*want[i].Margin) || got[i].Decision != want[i].Decision) {
			t.Errorf("%s: %.500s: %+v, want %+v", way, lines[i], got[i], want[i])
		}
	}
}

// paritySet reads a set with its header, in random order; nil where it is not at hand.
func paritySet(t *testing.T, name string) [][]string {
	t.Helper()
	var from io.Reader = adult.Open()
	if name != "adult" {
		if whole, err := os.Open(filepath.Join("../../.cache/quality/records", name+".csv")); err == nil {
			defer func() { _ = whole.Close() }()
			from = whole
		} else if sample, err := os.Open(filepath.Join("../../internal/inspect/realsets/testdata", name+".csv.gz")); err == nil {
			defer func() { _ = sample.Close() }()
			from, err = gzip.NewReader(sample)
			must(t, err)
		} else {
			return nil
		}
	}
	rows, err := csv.NewReader(from).ReadAll()
	must(t, err)
	rand.New(rand.NewPCG(1, 31)).Shuffle(len(rows)-1, func(a, b int) { rows[a+1], rows[b+1] = rows[b+1], rows[a+1] })
	return rows[:2001]
}

// strangeRecords are rows as JSON without their label: numbers as numbers or as texts, some fields absent, some strange.
func strangeRecords(header []string, rows [][]string, label string) (lines []string) {
	random := rand.New(rand.NewPCG(2, 32))
	for _, row := range rows {
		var fields []string
		for i, name := range header {
			quoted, _ := json.Marshal(row[i]) // a text always becomes JSON
			value := string(quoted)
			if _, err := strconv.ParseFloat(row[i], 64); err == nil && random.IntN(5) > 0 {
				value = row[i]
			}
			switch dice := random.IntN(20); {
			case name == label || dice == 0:
				continue
			case dice == 1:
				value = strange[random.IntN(len(strange))]
			}
			key, _ := json.Marshal(name)
			fields = append(fields, string(key)+":"+value)
		}
		random.Shuffle(len(fields), func(a, b int) { fields[a], fields[b] = fields[b], fields[a] })
		lines = append(lines, "{"+strings.Join(fields, ",")+"}")
	}
	return lines
}

// decided are the answers of pkg/document.
func decided(t *testing.T, weights string, lines []string) (all []weighed) {
	t.Helper()
	text, err := os.ReadFile(weights)
	must(t, err)
	doc, err := document.Parse(text)
	must(t, err)
	decider, err := doc.Decider()
	must(t, err)
	for _, line := range lines {
		d, err := decider.DecideJSON([]byte(line))
		if err != nil {
			all = append(all, weighed{})
			continue
		}
		a := weighed{Margin: &d.Margin}
		if d.Positive {
			a.Decision = 1
		}
		all = append(all, a)
	}
	return all
}

// tensors are records as tensors, one for each feature, and the same records in JSON: a tensor has a value for each record, and the empty text is
// missing. Each value is a text, or a number if numbers are asked for and the model takes them here; then NaN is missing.
func tensors(t *testing.T, weights string, lines []string, numbers bool) (names []string, cells map[string][]any, flat []string) {
	t.Helper()
	text, err := os.ReadFile(weights)
	must(t, err)
	doc, err := document.Parse(text)
	must(t, err)
	inputs, err := doc.Inputs()
	must(t, err)
	cells = map[string][]any{}
	for _, line := range lines {
		var record map[string]json.RawMessage
		must(t, json.Unmarshal([]byte(line), &record))
		row := map[string]any{}
		for _, in := range inputs {
			text, value := "", record[in.Name]
			if len(value) > 0 && value[0] == '"' {
				must(t, json.Unmarshal(value, &text))
			} else if len(value) > 0 && string(value) != "null" {
				text = string(value)
			}
			if numbers && in.Numbers {
				number, err := strconv.ParseFloat(text, 64)
				if err != nil {
					number = math.NaN()
				}
				cells[in.Name] = append(cells[in.Name], number)
				if row[in.Name] = number; math.IsNaN(number) {
					row[in.Name] = nil
				}
				continue
			}
			cells[in.Name] = append(cells[in.Name], text)
			if row[in.Name] = text; text == "" {
				row[in.Name] = nil
			}
		}
		quoted, err := json.Marshal(row)
		must(t, err)
		flat = append(flat, string(quoted))
	}
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	return names, cells, flat
}

// inferred are the answers of the Open Inference Protocol.
func inferred(t *testing.T, address string, names []string, cells map[string][]any, asBytes bool) (all []weighed) {
	t.Helper()
	var inputs []map[string]any
	var raw []byte
	for _, name := range names {
		datatype, data, begin := "BYTES", []any{}, len(raw)
		for _, cell := range cells[name] {
			switch cell := cell.(type) {
			case string:
				raw, data = append(binary.LittleEndian.AppendUint32(raw, uint32(len(cell))), cell...), append(data, cell)
			case float64:
				datatype, raw = "FP64", binary.LittleEndian.AppendUint64(raw, math.Float64bits(cell))
				if data = append(data, cell); math.IsNaN(cell) {
					data[len(data)-1] = nil
				}
			}
		}
		input := map[string]any{"name": name, "datatype": datatype, "shape": []int{len(cells[name]), 1}, "data": data}
		if asBytes {
			delete(input, "data")
			input["parameters"] = map[string]int{"binary_data_size": len(raw) - begin}
		}
		inputs = append(inputs, input)
	}
	if !asBytes {
		raw = nil
	}
	body, err := json.Marshal(map[string]any{"inputs": inputs})
	must(t, err)
	length := 0
	if asBytes {
		length = len(body)
	}
	var answered struct {
		Outputs []struct {
			Name string
			Data []any
		}
	}
	must(t, json.Unmarshal(post(t, address+"/v2/models/parity/infer", string(append(body, raw...)), length), &answered))
	for _, o := range answered.Outputs {
		for i, value := range o.Data {
			if len(all) <= i {
				all = append(all, weighed{})
			}
			switch number, _ := value.(float64); o.Name {
			case "margin":
				all[i].Margin = &number
			case "decision":
				all[i].Decision = int(number)
			}
		}
	}
	return all
}

// serving starts a server that decides by a file, and returns its address.
func serving(t *testing.T, config, weights string) string {
	t.Helper()
	address := broker.FreeAddress(t)
	j := &job{t: t, command: "serve", config: config}
	c := j.start("--model", weights, "--address", address)
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	j.eventually("ready", func() bool {
		response, err := http.Get("http://" + address + "/readyz")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	})
	return "http://" + address
}

// post sends a body, whose JSON is so long if bytes follow, and returns the answer.
func post(t *testing.T, url, body string, length int) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	must(t, err)
	if length > 0 {
		request.Header.Set("Inference-Header-Content-Length", strconv.Itoa(length))
	}
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %.500s", url, response.Status, text)
	}
	return text
}
