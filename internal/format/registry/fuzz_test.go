package registry

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
)

// FuzzAnswers: whatever the registry answers to requests for a schema and those that it refers to, the client gives a schema or an error.
func FuzzAnswers(f *testing.F) {
	type answer struct {
		status      int
		first, then string
	}
	var now atomic.Pointer[answer]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := now.Load()
		body := a.then
		if strings.HasPrefix(r.URL.Path, "/schemas/") {
			body = a.first
		}
		w.WriteHeader(a.status)
		_, _ = w.Write([]byte(body))
	}))
	f.Cleanup(server.Close)
	c, err := newClient(Config{URLs: []string{server.URL}}.WithDefaults())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(200, `{"schema":"{}","schemaType":"JSON","references":[{"name":"a","subject":"a","version":1}]}`, `{"subject":"a","version":1,"id":2,"schema":"{}","references":[{"name":"b","subject":"b","version":-1}]}`)
	f.Add(200, `{"schema":"x"}`, "")
	f.Add(404, `{"error_code":40403,"message":"Schema not found"}`, "")
	f.Add(500, "<html>", "")
	f.Add(200, `[1]`, `{"schema":7}`)
	f.Fuzz(func(t *testing.T, status int, first, then string) {
		if status < 200 || status > 599 || status == 204 || status == 304 {
			return
		}
		now.Store(&answer{status, first, then})
		for _, id := range []format.ID{format.NumberID(7), {}} {
			if s, err := c.schema(t.Context(), id); err == nil && (s.Text == "" || status > 299) {
				t.Errorf("%d %q %q gives %+v", status, first, then, s)
			} else if err != nil && len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes: %.200v", len(err.Error()), err)
			}
		}
	})
}

// TestSchemasThatAreTooMuch are refused for ever, and do not hold their records: too long, alone or together, or with too many references.
func TestSchemasThatAreTooMuch(t *testing.T) {
	t.Parallel()
	if s := (Schema{Text: strings.Repeat("x", format.MaxSchema-7), References: []Reference{{Text: "1234"}, {Text: "567"}}}); s.tooLong() {
		t.Error("a schema that is just short enough is too long")
	} else if s.Text += "x"; !s.tooLong() {
		t.Error("a schema that is too long by a byte passes")
	}
	f := newFake(t)
	long := func(length int) string {
		return `{"type":"record","name":"r","doc":"` + strings.Repeat("x", length) + `","fields":[]}`
	}
	var third, many []sr.SchemaReference
	for i := range 3 {
		if testing.Short() {
			break
		}
		name := "third" + string(rune('a'+i))
		f.register(t, name, strings.Replace(long(format.MaxSchema/3), `"r"`, `"`+name+`"`, 1))
		third = append(third, sr.SchemaReference{Name: name, Subject: name, Version: 1})
	}
	for i := range maxReferences + 1 {
		name := "a" + strings.Repeat("b", i)
		f.register(t, name, `{"type":"record","name":"`+name+`","fields":[]}`)
		many = append(many, sr.SchemaReference{Name: name, Subject: name, Version: 1})
	}
	f.failing(func(w http.ResponseWriter, r *http.Request) bool {
		length := map[string]int{"/schemas/ids/999": format.MaxSchema, "/schemas/ids/998": format.MaxSchema - 100}[r.URL.Path]
		if length > 0 {
			_ = json.NewEncoder(w).Encode(map[string]string{"schema": long(length)})
		}
		return length > 0
	})
	s := open(t, Config{URLs: []string{f.URL}})
	if _, err := settled(t, s, f.register(t, "enough", `{"type":"record","name":"e","fields":[]}`, many[1:]...)); err != nil {
		t.Errorf("as many references as there may be: %v", err)
	}
	type refused struct {
		id   uint32
		want string
	}
	cases := map[string]refused{"many": {f.register(t, "many", `{"type":"record","name":"m","fields":[]}`, many...), "100 schemas"}}
	if !testing.Short() { // to parse megabytes takes long
		cases["long"] = refused{999, "2 MiB"}
		cases["together"] = refused{f.register(t, "together", `{"type":"record","name":"t","fields":[]}`, third...), "2 MiB"}
	}
	for name, c := range cases {
		if _, err := settled(t, s, c.id); reason(err) != "unfit_schema" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if testing.Short() {
		return
	}
	if _, err := settled(t, s, 998); err != nil {
		t.Error(err)
	}
}

// TestAParserThatPanics rejects the records of its schema, and not those of others.
func TestAParserThatPanics(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	made, err := New(Config{URLs: []string{f.URL}}, func(s Schema) (string, error) {
		if !strings.Contains(s.Text, `"b"`) {
			panic("an index out of range")
		}
		return s.Text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.Close)
	s := numbered{made}
	if _, err := settled(t, s, id); reason(err) != "unfit_schema" || !strings.Contains(err.Error(), "its parser failed: an index out of range") {
		t.Error(err)
	}
	if _, err := settled(t, s, f.register(t, "b", strings.ReplaceAll(schema, `"a"`, `"b"`))); err != nil {
		t.Error(err)
	}
}
