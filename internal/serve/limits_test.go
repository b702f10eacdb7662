package serve

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// counted is the value of a counter.
func counted(t *testing.T, c prometheus.Metric) float64 {
	t.Helper()
	var m dto.Metric
	must(t, c.Write(&m))
	return m.GetCounter().GetValue()
}

// TestBuffersAreKept up to a size, and hold nothing of a request that was answered.
func TestBuffersAreKept(t *testing.T) {
	for size, kept := range map[int]bool{largestKept: true, largestKept + 1: false} {
		for name, with := range map[string]func(b *body){
			"bytes":  func(b *body) { b.bytes = make([]byte, 0, size) },
			"answer": func(b *body) { b.out = make([]byte, 0, size) },
			"list": func(b *body) {
				b.list = append(make([][]byte, 0, largestKept/listed+size-largestKept), b.list...)
			},
		} {
			b := &body{room: &room{bytes: 1 << 40}, list: [][]byte{[]byte("a record")}}
			with(b)
			if b.release(); (b.list[0] == nil) != kept {
				t.Errorf("%s of %d bytes: kept %v", name, size, !kept)
			}
		}
	}
}

// TestWhoCountsWhat: positive decisions by group, the negative ones that nothing identifies, and predictions of a regression; comparisons of each value have no counters.
func TestWhoCountsWhat(t *testing.T) {
	doc, lines := learnt(t, 200)
	o := small(Fixed(doc))
	o.Explore = .5
	s := newService(t, o)
	alias := o.Models.Current().Alias
	positive, anonymous := 0, 0
	for _, r := range score(t, s, bodyOf(lines)) {
		if *r.Decision == 1 {
			positive++
		} else {
			anonymous++
		}
	}
	if got := counted(t, s.counts.decisions.WithLabelValues(alias, "1")); positive == 0 || got != float64(positive) {
		t.Errorf("%v positive decisions are counted, want %d", got, positive)
	}
	if got := counted(t, s.counts.explored.WithLabelValues(alias, "no_identifier")); anonymous == 0 || got != float64(anonymous) {
		t.Errorf("%v negative decisions without an identifier are counted, want %d", got, anonymous)
	}

	r := newService(t, small(Fixed(regression(t, doc))))
	score(t, r, bodyOf(lines[:3]))
	if got := counted(t, r.counts.decisions.WithLabelValues(alias, "predicted")); got != 3 {
		t.Errorf("%v predictions are counted", got)
	}

	compare := func(constraints ...document.Constraint) (*judge, error) {
		with := *doc
		with.Config.Constraints = constraints
		j := &judge{model: &follow.Model{Document: &with, Alias: "a"}}
		return j, j.compare(s.counts)
	}
	one := doc.Config.Constraints[0]
	each := one
	each.Name, each.Group, each.Versus = "each", document.Values(document.Each), document.Values(document.Rest)
	if j, err := compare(one, each); err != nil || len(j.groups) != 1 || j.grouper == nil {
		t.Errorf("%d comparisons are counted, %v", len(j.groups), err)
	}
	if j, err := compare(each); err != nil || j.grouper != nil {
		t.Errorf("groups that are values of records are counted: %v", err)
	}
	if _, err := compare(one, one); err == nil {
		t.Error("two comparisons of one name")
	}
	without := *doc
	without.Config.Constraints = nil
	score(t, newService(t, small(Fixed(&without))), bodyOf(lines[:3]))
}

// TestTheLogAtItsBounds: as many decisions, and as many bytes, as may wait are taken; those of a request without a record wait for nobody.
func TestTheLogAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		decisions, bytes int
		taken            bool
	}{{4, mostLogBytes - 3, true}, {5, 0, false}, {0, mostLogBytes - 2, false}} {
		l := NewLog(LogOptions{Bound: 5})
		l.decisions, l.bytes = c.decisions, c.bytes
		if err := l.put(t.Context(), &entries{buffer: []byte("abc"), marks: make([]mark, 1)}); err != nil || (len(l.waiting) == 1) != c.taken || (l.lost.Load() == 1) == c.taken || c.taken && (l.decisions != 5 || l.bytes != mostLogBytes) {
			t.Errorf("%+v: %d wait, %d are lost, %v", c, len(l.waiting), l.lost.Load(), err)
		}
	}
	l := NewLog(LogOptions{Bound: 0, Wait: true})
	if err := l.put(t.Context(), &entries{}); err != nil || l.refused.Load() != 0 {
		t.Errorf("of no record: %v", err)
	}
}

// producing is a producer that cannot send.
type producing struct {
	sent []string
	err  error
}

func (p *producing) Send(_ context.Context, m *kafka.Message) error {
	p.sent = append(p.sent, string(m.Value))
	return p.err
}

func (p *producing) Flush(context.Context) error { return nil }

// TestEntriesAreSent by one producer while it works, less those of requests that were given up.
func TestEntriesAreSent(t *testing.T) {
	failed := errors.New("failed")
	p, opened := &producing{}, error(nil)
	l := NewLog(LogOptions{Bound: 5, Open: func(context.Context) (Producer, error) { return p, opened }})
	entry := func(text string, abandoned bool) *entries {
		e := &entries{buffer: []byte(text), marks: []mark{{value: len(text), key: len(text), source: len(text)}}}
		e.abandoned.Store(abandoned)
		return e
	}
	all := []*entries{entry("one", false), entry("two", true), entry("three", false)}
	if err := l.attempt(t.Context(), all); err != nil || strings.Join(p.sent, " ") != "one three" || l.producer == nil {
		t.Errorf("%q, %v", p.sent, err)
	}
	p.sent, p.err = nil, failed
	if err := l.attempt(t.Context(), all); !errors.Is(err, failed) || len(p.sent) != 1 || l.producer != nil {
		t.Errorf("it cannot send: %q, %v", p.sent, err)
	}
	p.sent, opened = nil, failed
	if err := l.attempt(t.Context(), all); !errors.Is(err, failed) || len(p.sent) != 0 {
		t.Errorf("there is no producer: %q, %v", p.sent, err)
	}
}

// TestRequestsHaveParts from two times the least size of one on.
func TestRequestsHaveParts(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.Workers = 4
	s := newService(t, o)
	for n, want := range map[int]int{2*leastPart - 1: 1, 2 * leastPart: 2, 3*leastPart - 1: 2, 3 * leastPart: 3, 10 * leastPart: 4} {
		by := make([]*judge, n)
		_, err := s.decideAll(t.Context(), 0, &job{id: "r"}, make([][]byte, n), nil, func(out []byte, i int, j *judge, _ scoring.Outcome) []byte {
			by[i] = j
			return out
		})
		must(t, err)
		parts := map[*judge]bool{}
		for _, j := range by {
			parts[j] = true
		}
		if len(parts) != want || parts[nil] {
			t.Errorf("%d records have %d parts, want %d", n, len(parts), want)
		}
	}
}

// TestARequestWithoutRoom is refused, whatever needs it: the answer, the tensors, or the lines of them.
func TestARequestWithoutRoom(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	zeros := strings.TrimSuffix(strings.Repeat("0,", 2000), ",")
	for path, body := range map[string]string{
		"/v1/score": `{"records":[` + zeros + `]}`, inferPath: `{"inputs":[{"name":"age","shape":[2000],"datatype":"FP64","data":[` + zeros + `]}]}`,
	} {
		whole := s.room.bytes
		codes := map[int]bool{}
		for room := int64(0); room < 2<<20; room += 40 << 10 {
			s.room.bytes = room
			codes[post(s, path, []byte(body)).Code] = true
			if held := s.room.held.Load(); held != 0 {
				t.Fatalf("%s: %d bytes are still held", path, held)
			}
		}
		s.room.bytes = 0
		if w := post(s, path, []byte(body)); w.Code != http.StatusServiceUnavailable || len(codes) != 2 || !codes[http.StatusOK] {
			t.Errorf("%s: %d, %v", path, w.Code, codes)
		}
		s.room.bytes = whole
	}
}

// TestRequestsThatAreWrong in a place that nobody reads further, with the status and the reason of each.
func TestRequestsThatAreWrong(t *testing.T) {
	doc, lines := learnt(t, 1)
	served := &swapping{&follow.Model{Document: doc, Alias: "stable"}}
	served.model.Version = 9
	o := small(served)
	o.BodyBytes = 4 << 10
	s := newService(t, o)
	tensor := func(name string, rest string) string {
		return `{"name":"` + name + `","datatype":"FP64",` + rest + `}`
	}
	infer := func(inputs, more string) string { return `{` + more + `"inputs":[` + inputs + `]}` }
	age := tensor("age", `"shape":[1],"data":[39]`)
	shape := func(n int) string { return tensor("age", `"shape":[1`+strings.Repeat(" ", n-3)+`],"data":[39]`) }
	const version = "/v2/models/adult/versions/"
	for name, c := range map[string]struct {
		path, body, length string
		status             int
		says               string
	}{
		"keys that are no array":        {"/v1/score", `{"records":[1],"keys":5}`, "", 400, "keys is not an array"},
		"a body that ends":              {"/v1/score", `{"records":`, "", 400, "records is not an array"},
		"records behind wrong keys":     {"/v1/score", `{"keys":5,"records":[1]}`, "", 400, "keys is not an array"},
		"a body that is too large":      {inferPath, strings.Repeat(" ", o.BodyBytes+1), "", 413, "serve.body_bytes"},
		"a length of 0":                 {inferPath, infer(age, ""), "0", 400, "not a JSON object"},
		"no outputs named":              {inferPath, infer(age, `"outputs":null,`), "", 200, `"score"`},
		"an output that is none":        {inferPath, infer(age, `"outputs":[5],`), "", 400, "not a JSON object"},
		"other numbers of records":      {inferPath, infer(tensor("age", `"shape":[0],"data":[]`)+","+tensor("hours_per_week", `"shape":[1],"data":[1]`), ""), "", 400, "the inputs before it have 0"},
		"no bytes of no record":         {inferPath, infer(tensor("age", `"shape":[0],"parameters":{"binary_data_size":0}`), ""), "", 200, `"shape":[0]`},
		"the longest shape":             {inferPath, infer(shape(longestText), ""), "", 200, `"score"`},
		"a longer shape":                {inferPath, infer(shape(longestText+1), ""), "", 400, "not a tensor"},
		"the version that is served":    {version + "9/infer", infer(age, ""), "", 200, `"model_version":"9"`},
		"another version":               {version + "8/infer", infer(age, ""), "", 404, `version "8" is not served: version 9 is`},
		"no version":                    {version + "x/infer", infer(age, ""), "", 404, `version "x"`},
		"another model":                 {"/v2/models/other/infer", infer(age, ""), "", 404, "the model is \"adult\""},
		"one output as JSON among many": {inferPath, infer(age, `"parameters":{"binary_data_output":true},"outputs":[{"name":"score","parameters":{"binary_data":false}},{"name":"decision"}],`), "", 200, `"data":[`},
	} {
		var headers []string
		if c.length != "" {
			headers = []string{headerLength, c.length}
		}
		if w := post(s, c.path, []byte(c.body), headers...); w.Code != c.status || !strings.Contains(strings.ReplaceAll(w.Body.String(), `\"`, `"`), c.says) {
			t.Errorf("%s: %d %.300s", name, w.Code, w.Body)
		}
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	for path, want := range map[string]int{"/v2/models/adult": 200, "/v2/models/adult/versions/9": 200, "/v2/models/adult/versions/8": 404, "/v2/models/other": 404, "/v2/models/adult/ready": 200} {
		if w := get(path); w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if _, err := s.take(t.Context(), 8); err == nil || refusalOf(err).status != http.StatusNotFound || !strings.Contains(refusalOf(err).reason, strconv.Itoa(8)) {
		t.Errorf("another version took over: %v", err)
	}
	served.model = nil
	for _, path := range []string{"/v2/models/adult", "/v2/models/adult/ready"} {
		if w := get(path); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s without a document: %d", path, w.Code)
		}
	}
	if w := post(s, inferPath, []byte(infer(age, ""))); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without a document: %d", w.Code)
	}
	if w := post(s, "/v1/score", []byte(bodyOf(lines))); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without a document: %d", w.Code)
	}
}

// TestNoWorkerIsFree: a request of either protocol ends with its time.
func TestNoWorkerIsFree(t *testing.T) {
	doc, lines := learnt(t, 1)
	o := small(Fixed(doc))
	o.Workers, o.Timeout = 1, 20*time.Millisecond
	s := newService(t, o)
	<-s.workers
	for path, body := range map[string]string{"/v1/score": bodyOf(lines), inferPath: `{"inputs":[{"name":"age","shape":[1],"datatype":"FP64","data":[39]}]}`} {
		if w := post(s, path, []byte(body)); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "serve.timeout") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestAShadowIsLogged beside the decision that counts.
func TestAShadowIsLogged(t *testing.T) {
	doc, lines := learnt(t, 2)
	for _, with := range []bool{false, true} {
		k := &topic{away: there()}
		s, _, end := logged(t, k, LogOptions{Wait: true, Timeout: time.Minute, Bound: 100}, func(o *Options) {
			if with {
				o.Shadow = &swapping{&follow.Model{Document: doc, Alias: "candidate", Version: 10}}
			}
		})
		score(t, s, bodyOf(lines))
		end()
		for _, m := range k.written {
			if shown := strings.Contains(string(m.Value), `"alias":"candidate"`); shown != with {
				t.Errorf("with a shadow %v: %s", with, m.Value)
			}
		}
		if len(k.written) != len(lines) {
			t.Errorf("%d decisions are logged", len(k.written))
		}
	}
}
