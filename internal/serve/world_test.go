package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// learnt is a document of a few records, and further records without their label.
func learnt(t testing.TB, records int) (*document.Document, []string) {
	t.Helper()
	doc, reader := learntOf(t, 1500)
	var lines []string
	for range records {
		must(t, reader.Next())
		line := string(reader.AppendJSON(nil))
		lines = append(lines, line[:strings.LastIndex(line, `,"income"`)]+"}")
	}
	return doc, lines
}

// learntOf is a document of the first records, and the reader of the others.
func learntOf(t testing.TB, records int) (*document.Document, *record.Reader) {
	t.Helper()
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute, constraint.Group, constraint.Versus = "sex", model.OneOrMore{"sex"}, model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	config := model.Config{Record: record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, ID: "id"}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{constraint}}.WithDefaults()
	learner, err := model.New(config)
	must(t, err)
	schema, err := record.NewSchema(config.Record, []string{"sex"})
	must(t, err)
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	must(t, err)
	decoder, rec := schema.NewDecoder(), record.Record{}
	for range records {
		must(t, reader.Read(decoder, &rec))
		learner.Learn(&rec)
	}
	doc, err := learner.Document()
	must(t, err)
	doc.Job = "adult"
	encoded, err := doc.Encode()
	must(t, err)
	doc, err = document.Parse(encoded)
	must(t, err)
	return doc, reader
}

// swapping is a document that is there, or none.
type swapping struct{ model *follow.Model }

func (s *swapping) Current() *follow.Model { return s.model }

func small(models Models) Options {
	return Options{Job: "adult", Program: "test", Models: models, BodyBytes: 1 << 20, Records: 2000, Concurrency: 8, Timeout: 5 * time.Second, Workers: 2}
}

func newService(t testing.TB, o Options) *Service {
	t.Helper()
	s, err := New(o)
	must(t, err)
	return s
}

// post sends a body, and gives the status and the answer.
func post(s *Service, path string, body []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// result is one of v1.
type result struct {
	Score, Margin, Probability  *float64
	Decision                    *int
	Explored                    bool
	Propensity                  float64
	Version, Term               int64
	Alias, Error, Reason, Field string
	Unread                      []string
}

func score(t testing.TB, s *Service, body string, headers ...string) []result {
	t.Helper()
	w := post(s, "/v1/score", []byte(body), headers...)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	var answer struct{ Results []result }
	must(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer.Results
}

func bodyOf(lines []string) string { return `{"records":[` + strings.Join(lines, ",") + `]}` }

// regression is a document that predicts what another one decides.
func regression(t testing.TB, doc *document.Document) *document.Document {
	t.Helper()
	other := *doc
	other.Task, other.Config.Record.Label.Positive, other.Probability, other.Label = document.Regression, "", nil, &document.LabelSummary{StandardDeviation: 1}
	var body map[string]json.RawMessage
	must(t, json.Unmarshal(other.Model, &body))
	delete(body, "threshold")
	var err error
	other.Model, err = json.Marshal(body)
	must(t, err)
	return &other
}
