package integration

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/serve"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestAnswersFollowTheOpenAPIDescription: the description is valid, and every answer of the server to a request under /v1 is one that it
// describes, whether the request is right or wrong.
func TestAnswersFollowTheOpenAPIDescription(t *testing.T) {
	text, err := os.ReadFile("../../internal/serve/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	description, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	check, problems := validator.NewValidator(description)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if valid, problems := check.ValidateDocument(); !valid {
		t.Fatalf("%v", problems)
	}

	doc, lines := described(t)
	one := `{"records":[` + lines[0] + `]}`
	for _, test := range []struct {
		name     string
		change   func(*serve.Options)
		token    string
		from     string
		path     string
		encoding string
		body     string
		want     int
	}{
		{name: "decisions", body: `{"records":[` + strings.Join(lines, ",") + `],"keys":[` + strings.Repeat("null,", len(lines)-1) + `"a"]}`, want: 200},
		{name: "no record", body: `{"records":[]}`, want: 200},
		{name: "exploration", change: func(o *serve.Options) { o.Explore = 1 }, body: `{"records":[` + strings.Join(lines, ",") + `]}`, want: 200},
		{name: "a record that cannot be decoded", body: `{"records":[` + lines[0] + `,{"age":{"a":[{}]},"sex":"Male"},{"age":"` + strings.Repeat("9", 70_000) + `"}]}`, want: 200},
		{name: "the token", token: "secret", body: one, want: 200},
		{name: "the description", path: "/v1/openapi.yaml", want: 200},
		{name: "no JSON", body: `{"records":`, want: 400},
		{name: "an unknown name", body: `{"record":[]}`, want: 400},
		{name: "too many records", change: func(o *serve.Options) { o.Records = 1 }, body: `{"records":[{},{}]}`, want: 413},
		{name: "more keys than records", body: `{"records":[{}],"keys":["a","b"]}`, want: 400},
		{name: "a wrong token", token: "wrong", body: one, want: 401},
		{name: "a large body", change: func(o *serve.Options) { o.BodyBytes = 1000 }, body: `{"records":[` + strings.Repeat(" ", 2000) + `]}`, want: 413},
		{name: "a compressed body", encoding: "gzip", body: one, want: 415},
		{name: "the description with a wrong token", token: "wrong", path: "/v1/openapi.yaml", want: 401},
		{name: "from elsewhere", from: "192.0.2.1:40000", body: one, want: 403},
		{name: "the description from elsewhere", from: "192.0.2.1:40000", path: "/v1/openapi.yaml", want: 403},
		{name: "too many requests", change: func(o *serve.Options) { o.Concurrency = 0 }, body: one, want: 503},
		{name: "decisions that Kafka does not take", change: func(o *serve.Options) {
			o.Log = serve.NewLog(serve.LogOptions{Wait: true, Timeout: time.Millisecond, Bound: 10})
		}, body: one, want: 503},
		{name: "values of other types", body: `{"records":[{"age":"thirty"},{"age":[1]}]}`, want: 200},
		{name: "no document", change: func(o *serve.Options) { o.Models = given{} }, body: one, want: 503},
	} {
		t.Run(test.name, func(t *testing.T) {
			options := serve.Options{Job: "adult", Program: "test", Models: given{&follow.Model{Document: doc, Version: 9, Term: 2, Alias: "stable"}},
				BodyBytes: 1 << 20, Records: 100, Concurrency: 4, Timeout: 5 * time.Second, Workers: 1}
			if test.change != nil {
				test.change(&options)
			}
			service, err := serve.New(options)
			if err != nil {
				t.Fatal(err)
			}
			deciding := server.NewDeciding(server.DecidingOptions{Program: "test", Job: "adult", BodyBytes: int64(options.BodyBytes), HasDocument: func() bool { return true }})
			handler := deciding.Handler(server.Access{Token: map[bool]string{true: "secret"}[test.token != ""]}, service.Handler(), service.Public(func() bool { return true }))

			method, path := http.MethodPost, "/v1/score"
			if test.path != "" {
				method, path = http.MethodGet, test.path
			}
			request := httptest.NewRequest(method, "http://127.0.0.1:8470"+path, strings.NewReader(test.body))
			request.RemoteAddr = cmp.Or(test.from, "127.0.0.1:40000")
			request.Header.Set("Content-Type", "application/json")
			if test.encoding != "" {
				request.Header.Set("Content-Encoding", test.encoding)
			}
			if test.token != "" {
				request.Header.Set("Authorization", "Bearer "+test.token)
			}
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, request)
			answer := recorder.Result()
			if answer.StatusCode != test.want {
				t.Fatalf("status %d: %s", answer.StatusCode, recorder.Body)
			}
			if valid, problems := check.ValidateHttpResponse(request, answer); !valid {
				t.Errorf("%v\n%s", problems, recorder.Body)
			}
			if test.want == http.StatusOK && method == http.MethodPost && !strings.Contains(test.name, "cannot be decoded") {
				request.Body = io.NopCloser(strings.NewReader(test.body))
				if valid, problems := check.ValidateHttpRequest(request); !valid {
					t.Errorf("a request that is answered is none of the description: %v", problems)
				}
			}
			if test.name == "decisions" { // what is not described is found
				answer.Body = io.NopCloser(strings.NewReader(strings.Replace(recorder.Body.String(), `"version":9`, `"version":9,"more":1`, 1)))
				if valid, _ := check.ValidateHttpResponse(request, answer); valid {
					t.Error("a field that is not described goes unnoticed")
				}
			}
		})
	}
	service, err := serve.New(serve.Options{Models: given{}})
	if err != nil {
		t.Fatal(err)
	}
	var served, asked []string
	for pattern := range service.Routes() {
		if method, path, _ := strings.Cut(pattern, " "); strings.HasPrefix(path, "/v1") {
			served = append(served, strings.ToLower(method)+" "+path)
		}
	}
	paths, invalid := description.BuildV3Model()
	if invalid != nil {
		t.Fatal(invalid)
	}
	for path, item := range paths.Model.Paths.PathItems.FromOldest() {
		for method := range item.GetOperations().KeysFromOldest() {
			asked = append(asked, method+" "+path)
		}
	}
	slices.Sort(served)
	if slices.Sort(asked); !slices.Equal(served, asked) {
		t.Errorf("%q are served and %q described: describe each, and add a request for it to this test", served, asked)
	}
}

type given struct{ model *follow.Model }

func (g given) Current() *follow.Model { return g.model }

// described is a document of a few records, and further records without their label.
func described(t *testing.T) (*document.Document, []string) {
	t.Helper()
	config := model.Config{Record: record.Config{Label: record.Label{Field: "income", Positive: ">50K"}}, Learner: model.DefaultLearner()}.WithDefaults()
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := record.NewSchema(config.Record, nil)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	decoder, rec := schema.NewDecoder(), record.Record{}
	for range 1500 {
		if err := reader.Read(decoder, &rec); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&rec)
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if doc, err = document.Parse(encoded); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for range 5 {
		if err := reader.Next(); err != nil {
			t.Fatal(err)
		}
		line := string(reader.AppendJSON(nil))
		lines = append(lines, line[:strings.LastIndex(line, `,"income"`)]+"}")
	}
	return doc, lines
}
