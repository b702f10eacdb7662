package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// hostile are records with values that no one should send.
var hostile = []string{`{}`, `{"age":null,"workclass":"?"}`, `{"age":"39","hours-per-week":"40.0"}`, `{"age":1e308,"capital-gain":-1e308}`, `{"age":-0,"fnlwgt":-0.0}`,
	`{"age":1e-320}`, `{"workclass":"ü \u2028 \ud83d\ude00","education":""}`, `{"unknown":{"a":[1,"x",null]}}`, `{"age":true,"sex":"Neither"}`, `{"age":1E400}`,
	`{"occupation":"a\"]},{\\"}`, `{"id":"a,b"}`}

// decisions are what pkg/document says of records.
func decisions(t testing.TB, d *document.Document, lines []string) []document.Decision {
	t.Helper()
	schema, err := d.Schema()
	must(t, err)
	classifier, err := d.Classifier()
	must(t, err)
	decoder, rec := schema.NewDecoder(), record.Record{}
	var all []document.Decision
	for _, line := range lines {
		must(t, decoder.DecodeJSON(&rec, []byte(line)))
		all = append(all, classifier.Decide(&rec))
	}
	return all
}

// TestScore: what is decided over HTTP is what pkg/document decides, bit for bit.
func TestScore(t *testing.T) {
	doc, lines := learnt(t, 300)
	lines = append(lines, hostile...)
	s := newService(t, small(Fixed(doc)))
	all := score(t, s, bodyOf(lines))
	for i, want := range decisions(t, doc, lines) {
		got := all[i]
		if got.Error != "" || math.Float64bits(*got.Margin) != math.Float64bits(want.Margin) || *got.Score != want.Score || *got.Probability != want.Probability ||
			(*got.Decision == 1) != want.Positive || got.Version != doc.Version || got.Alias != FileAlias {
			t.Errorf("%s: %+v, want %+v", lines[i], got, want)
		}
		if i > 5 && i < 295 {
			continue
		}
		if one := score(t, s, "\n{ \"records\" :\t[ "+lines[i]+" ] }\r\n"); len(one) != 1 || *one[0].Margin != want.Margin {
			t.Errorf("alone, %s: %+v", lines[i], one)
		}
	}
}

// TestUnread: a value of another type than was learnt is named and counted, and others are not.
func TestUnread(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	for record, want := range map[string]string{`{"age":39}`: "[]", `{"age":"39"}`: "[]", `{"age":null}`: "[]", `{"age":1e300}`: "[]", `{"age":"thirty"}`: "[age]",
		`{"age":true,"hours_per_week":{"usual":40}}`: "[age hours_per_week]"} {
		got := score(t, s, bodyOf([]string{record}))[0]
		slices.Sort(got.Unread)
		if got.Error != "" || fmt.Sprint(got.Unread) != want {
			t.Errorf("%s: %+v, want unread %s", record, got, want)
		}
	}
	for column, want := range map[string]float64{"age": 2, "hours_per_week": 1} {
		if got := testutil.ToFloat64(s.counts.unread.WithLabelValues(FileAlias, column)); got != want {
			t.Errorf("%v values of %s were counted, want %v", got, column, want)
		}
	}
}

// TestExploration: over HTTP it is that of pkg/scoring: by the identifier of the record, else by its key, in both protocols.
func TestExploration(t *testing.T) {
	doc, lines := learnt(t, 200)
	o := small(Fixed(doc))
	o.Explore = .2
	s := newService(t, o)
	var keys []string
	for i := range lines {
		if i%2 == 0 {
			lines[i] = fmt.Sprintf(`{"id":"case %d",`, i) + lines[i][1:]
		}
		keys = append(keys, fmt.Sprintf(`"key %d"`, i))
	}
	explored := 0
	for i, r := range score(t, s, `{"records":[`+strings.Join(lines, ",")+`],"keys":[`+strings.Join(keys, ",")+`]}`) {
		id := fmt.Sprintf("key %d", i)
		if i%2 == 0 {
			id = fmt.Sprintf("case %d", i)
		}
		want := scoring.Explore(.2, []byte(id), scoring.Outcome{Positive: *r.Margin > 0})
		if (*r.Decision == 1) != want.Positive || r.Explored != want.Explored || r.Propensity != want.Propensity {
			t.Errorf("%s: %+v, want %+v", id, r, want)
		}
		if r.Explored {
			explored++
		}
		w := post(s, "/v2/models/adult/infer", fmt.Appendf(nil, `{"inputs":[{"name":"id","shape":[1],"datatype":"BYTES","data":[%q]}],
			"outputs":[{"name":"decision"},{"name":"margin"},{"name":"explored"},{"name":"propensity"}]}`, id))
		var answer struct{ Outputs []struct{ Data []float64 } }
		must(t, json.Unmarshal(w.Body.Bytes(), &answer))
		want = scoring.Explore(.2, []byte(id), scoring.Outcome{Positive: answer.Outputs[1].Data[0] > 0})
		if answer.Outputs[0].Data[0] == 1 != want.Positive || answer.Outputs[2].Data[0] == 1 != want.Explored || answer.Outputs[3].Data[0] != want.Propensity {
			t.Errorf("%s: %s, want %+v", id, w.Body, want)
		}
	}
	if explored < 10 || explored > 60 {
		t.Errorf("%d of %d were explored", explored, len(lines))
	}
	if w := post(newService(t, small(Fixed(doc))), "/v1/score", []byte(bodyOf(lines))); strings.Contains(w.Body.String(), "propensity") {
		t.Errorf("without exploration: %s", w.Body)
	}
}

// TestARegressionExploresNothing: it is refused by name.
func TestARegressionExploresNothing(t *testing.T) {
	doc, lines := learnt(t, 1)
	o := small(Fixed(regression(t, doc)))
	o.Explore = .2
	if w := post(newService(t, o), "/v1/score", []byte(bodyOf(lines))); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "is a regression") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestABadRecordSpoilsItsRow: with field and reason, and no other row.
func TestABadRecordSpoilsItsRow(t *testing.T) {
	doc, lines := learnt(t, 1)
	s := newService(t, small(Fixed(doc)))
	bad := map[string]string{`{"age":NaN}`: "malformed_json", `7`: "not_an_object", `null`: "not_an_object", `{"age":1,"age":2}`: "duplicate_field", `{"a" 1}`: "malformed_json",
		"{\"age\":\"\xff\"}": "invalid_utf8", `{"id":{"a":1}}`: "identity_not_text", `["]"]`: "not_an_object", `{"a":{"b":1},"a.b":2}`: "duplicate_field"}
	for line, reason := range bad {
		results := score(t, s, bodyOf([]string{lines[0], line, lines[0]}))
		if len(results) != 3 || results[1].Reason != reason || !strings.HasPrefix(results[1].Error, reason) || results[1].Decision != nil {
			t.Errorf("%s: %+v", line, results)
		}
		if results[0].Error != "" || results[2].Error != "" || *results[0].Margin != *results[2].Margin {
			t.Errorf("beside %s: %+v", line, results)
		}
	}
	if r := score(t, s, bodyOf([]string{`{"id":{"a":1}}`})); r[0].Field != "id" {
		t.Errorf("the field is missing: %+v", r)
	}
}

// TestRefusedRequests: each with its status, and a reason that holds nothing of the body.
func TestRefusedRequests(t *testing.T) {
	doc, lines := learnt(t, 1)
	o := small(Fixed(doc))
	o.Records, o.BodyBytes = 3, 4096
	s := newService(t, o)
	for body, status := range map[string]int{``: 400, `[]`: 400, `{}`: 400, `{"records":{}}`: 400, `{"records":[{]}`: 400, `{"records":[{}]} x`: 400, `{"records":[{},]}`: 400,
		`{"records":[{}],"secret":1}`: 400, `{"records":[{}],"keys":["a","b"]}`: 400, `{"records":[{}],"keys":[7]}`: 400, bodyOf([]string{"{}", "{}", "{}", "{}"}): 413,
		`{"records":["` + strings.Repeat("x", 5000) + `"]}`: 413, `{"records":[{"a":"\"}]}`: 400, `{"records":[]}`: 200, `{"records":[{}],"keys":[null]}`: 200} {
		w := post(s, "/v1/score", []byte(body))
		if w.Code != status {
			t.Errorf("%.60s: %d, want %d: %s", body, w.Code, status, w.Body)
		}
	}
	if w := post(s, "/v1/score", []byte(bodyOf(lines)), "Content-Encoding", "gzip"); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("compressed: %d", w.Code)
	}
	if w := post(newService(t, small(&swapping{})), "/v1/score", []byte(bodyOf(lines))); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("without a document: %d %s", w.Code, w.Body)
	}
}

// TestSplit: a key has the alias that score --from gives it: the one in the request, else that of the record, else the place.
func TestSplit(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(&swapping{model: &follow.Model{Document: doc, Version: 1, Alias: "stable"}})
	o.Shadow, o.Split = &swapping{model: &follow.Model{Document: doc, Version: 2, Alias: "candidate"}}, .5
	s := newService(t, o)
	var lines, keys []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf(`{"id":"case %d"}`, i))
		keys = append(keys, fmt.Sprintf(`"key %d"`, i))
	}
	check := func(results []result, format string) {
		t.Helper()
		for i, r := range results {
			want := "stable"
			if scoring.InShare(.5, fmt.Appendf(nil, format, i)) {
				want = "candidate"
			}
			if r.Alias != want {
				t.Errorf("record %d of %s: %s, want %s", i, format, r.Alias, want)
			}
		}
	}
	check(score(t, s, bodyOf(lines)), "case %d")
	check(score(t, s, `{"keys":[`+strings.Join(keys, ",")+`],"records":[`+strings.Join(lines, ",")+`]}`), "key %d")
	check(score(t, s, bodyOf(make200("{}")), "X-Request-Id", "r7"), "r7/%d")
}

func make200(line string) (lines []string) {
	for range 200 {
		lines = append(lines, line)
	}
	return lines
}
