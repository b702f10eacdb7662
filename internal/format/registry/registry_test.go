package registry

import (
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

const schema = `{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}`

// fake is a registry that counts requests and fails as it is told.
type fake struct {
	store  *srfake.Registry
	server *httptest.Server
	URL    string
	asked  atomic.Int64
	fail   atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{store: srfake.New()}
	target := f.store.URL()
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.asked.Add(1)
		if fail := f.fail.Load(); fail != nil && (*fail)(w, r) {
			return
		}
		response, err := http.Get(target + r.URL.RequestURI())
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		w.WriteHeader(response.StatusCode)
		var body any
		_ = json.NewDecoder(response.Body).Decode(&body)
		_ = json.NewEncoder(w).Encode(body)
	}))
	f.URL = f.server.URL
	t.Cleanup(func() { f.server.Close(); f.store.Close() })
	return f
}

func (f *fake) failing(how func(http.ResponseWriter, *http.Request) bool) { f.fail.Store(&how) }

func (f *fake) register(t *testing.T, subject, text string, references ...sr.SchemaReference) uint32 {
	t.Helper()
	client, err := sr.NewClient(sr.URLs(f.store.URL()), sr.HTTPClient(&http.Client{})) // its own has a limit of 5 s
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.CreateSchema(t.Context(), subject, sr.Schema{Schema: text, References: references})
	if err != nil {
		t.Fatal(err)
	}
	return uint32(made.ID)
}

// numbered are schemas whose ids are numbers.
type numbered struct{ *Schemas[string] }

func (n numbered) Get(id uint32) (string, error) { return n.Schemas.Get(format.NumberID(id)) }
func (n numbered) Prepare(id uint32)             { n.Schemas.Prepare(format.NumberID(id)) }

func open(t *testing.T, c Config) numbered {
	t.Helper()
	s, err := New(c, func(s Schema) (string, error) {
		if strings.Contains(s.Text, "refused") {
			return "", errors.New("it is refused")
		}
		return s.Text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return numbered{s}
}

// settled waits until an id is decided.
func settled(t *testing.T, s numbered, id uint32) (string, error) {
	t.Helper()
	for {
		value, err := s.Get(id)
		pending, waits := errors.AsType[*format.Pending](err)
		if !waits {
			return value, err
		}
		select {
		case <-pending.Ready:
		case <-time.After(5 * time.Minute):
			t.Fatalf("%v after five minutes: %+v", err, s.Waits())
		}
	}
}

func reason(err error) record.Reason {
	rejection, _ := errors.AsType[*record.Rejection](err)
	if rejection == nil {
		return ""
	}
	return rejection.Reason
}

// cause waits until an id that is awaited has a cause that holds some words.
func cause(t *testing.T, s numbered, words string) format.Wait {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for _, w := range s.Waits() {
			if w.Cause != nil && strings.Contains(w.Cause.Error(), words) {
				return w
			}
		}
	}
	t.Fatalf("no cause with %q: %+v", words, s.Waits())
	return format.Wait{}
}

// TestASchemaIsFetchedOnce, and stays although the registry is gone.
func TestASchemaIsFetchedOnce(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	s := open(t, Config{URLs: []string{f.URL}})
	if _, err := s.Get(id); err == nil {
		t.Error("a schema was there before it was asked for")
	}
	value, err := settled(t, s, id)
	if err != nil || !strings.Contains(value, `"name":"a"`) {
		t.Fatalf("%s, %v", value, err)
	}
	f.server.Close()
	for range 100 {
		if again, err := s.Get(id); err != nil || again != value {
			t.Fatal(again, err)
		}
	}
	if n := f.asked.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	if len(s.Waits()) > 0 {
		t.Error("a schema that is known is awaited")
	}
}

// TestAnUnknownIDWaitsAndIsCondemned: within the time it is not asked for again, and afterwards no record waits for it.
func TestAnUnknownIDWaitsAndIsCondemned(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	s := open(t, Config{URLs: []string{f.URL}, UnknownAfter: time.Second})
	begun := time.Now()
	const flood = 50
	for id := range uint32(flood) {
		_, _ = s.Get(1000 + id)
	}
	w := cause(t, s, "does not know")
	if w.Until.IsZero() || !strings.HasPrefix(w.Schema, "schema id 10") {
		t.Errorf("%+v", w)
	}
	for id := range uint32(flood) {
		if _, err := settled(t, s, 1000+id); reason(err) != record.UnknownSchema || !strings.Contains(err.Error(), fmt.Sprint(1000+id)) {
			t.Fatal(err)
		}
	}
	if waited := time.Since(begun); waited < time.Second {
		t.Errorf("condemned after %v", waited)
	}
	if n := f.asked.Load(); n != 2*flood {
		t.Errorf("%d requests for %d ids: each is asked for at first, and at the end", n, flood)
	}
	if _, err := s.Get(1000 + flood - 1); reason(err) != record.UnknownSchema { // the one that was asked for last: they are forgotten in time
		t.Errorf("a condemned id: %v", err)
	}
}

// TestAnIDThatIsRegisteredMeanwhile is used.
func TestAnIDThatIsRegisteredMeanwhile(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	s := open(t, Config{URLs: []string{f.URL}, UnknownAfter: time.Second})
	_, _ = s.Get(id + 1)
	cause(t, s, "does not know")
	if made := f.register(t, "b", strings.ReplaceAll(schema, `"a"`, `"b"`)); made != id+1 {
		t.Fatal(made)
	}
	if value, err := settled(t, s, id+1); err != nil || !strings.Contains(value, `"b"`) {
		t.Error(value, err)
	}
}

// TestARegistryThatFailsCondemnsNothing: each failure names its cause, and the schema comes when the failure ends.
func TestARegistryThatFailsCondemnsNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail func(http.ResponseWriter, *http.Request) bool
		want string
	}{
		"password":   {func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusUnauthorized); return true }, "registry.password_file"},
		"rights":     {func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusForbidden); return true }, "the right to read"},
		"wrong path": {func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusNotFound); return true }, "registry.urls"},
		"Apicurio without its path": {func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error_code":404,"message":"RESTEASY003210: Could not find resource for full path"}`))
			return true
		}, "registry.urls"},
		"page": {func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("<html>")); return true }, "no schema"},
		"other": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"status":"up"}`))
			return true
		}, "no schema"},
		"list": {func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte(`["a"]`)); return true }, "no schema"},
		"endless": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = fmt.Fprintf(w, `{"schema":"%s"}`, strings.Repeat(" ", maxAnswer))
			return true
		}, "more than 4 MiB"},
		"overloaded": {func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"error_code":50301,"message":"later\n"}`))
			return true
		}, "503: later"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
			return true
		}, "redirection"},
		"hangs up": {func(w http.ResponseWriter, _ *http.Request) bool {
			connection, _, _ := w.(http.Hijacker).Hijack()
			_ = connection.Close()
			return true
		}, "does not answer"},
		"slow": {func(w http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			id := f.register(t, "a", schema)
			f.failing(c.fail)
			s := open(t, Config{URLs: []string{f.URL}, UnknownAfter: time.Second, Timeout: time.Second, NotReadyAfter: time.Nanosecond})
			_, _ = s.Get(id)
			if w := cause(t, s, c.want); !w.Late || !w.Until.IsZero() {
				t.Errorf("%+v", w)
			}
			f.fail.Store(nil)
			if _, err := settled(t, s, id); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestASchemaThatIsRefused rejects its records at once, with its id.
func TestASchemaThatIsRefused(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", strings.ReplaceAll(schema, `"a"`, `"refused"`))
	_, err := settled(t, open(t, Config{URLs: []string{f.URL}}), id)
	if reason(err) != record.UnfitSchema || !strings.Contains(err.Error(), fmt.Sprintf("schema id %d: it is refused", id)) {
		t.Error(err)
	}
}

// TestReferencesComeFirst: a schema that another names is fetched with it, also over two steps.
func TestReferencesComeFirst(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.register(t, "inner", `{"type":"record","name":"inner","fields":[]}`)
	f.register(t, "middle", `{"type":"record","name":"middle","fields":[{"name":"i","type":"inner"}]}`, sr.SchemaReference{Name: "inner", Subject: "inner", Version: 1})
	id := f.register(t, "outer", `{"type":"record","name":"outer","fields":[{"name":"m","type":"middle"}]}`, sr.SchemaReference{Name: "middle", Subject: "middle", Version: 1})
	c, err := newClient(Config{URLs: []string{f.URL}}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.schema(t.Context(), format.NumberID(id))
	if err != nil || len(got.References) != 2 || got.References[0].Name != "inner" || got.References[1].Name != "middle" {
		t.Errorf("%+v, %v", got.References, err)
	}
}

// TestTheSecondAddressIsAsked if the first gives no answer for the registry. What it says as the registry counts.
func TestTheSecondAddressIsAsked(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	answers := func(status int, text string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, text)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	for name, first := range map[string]string{
		"nobody":     "http://127.0.0.1:1",
		"overloaded": answers(http.StatusServiceUnavailable, ""),
		"busy":       answers(http.StatusTooManyRequests, ""),
		"page":       answers(http.StatusOK, "<html>"),
	} {
		if _, err := settled(t, open(t, Config{URLs: []string{first, f.URL}}), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		header, err := Register(t.Context(), Config{URLs: []string{first, f.store.URL()}}, "a", schema, sr.TypeAvro)
		if err != nil || binary.BigEndian.Uint32(header[1:]) != id {
			t.Errorf("%s: registered as %x: %v", name, header, err)
		}
	}
	for words, first := range map[string]string{"registry.password_file": answers(http.StatusUnauthorized, ""), "does not know": answers(http.StatusNotFound, `{"error_code":40403}`)} {
		s := open(t, Config{URLs: []string{first, f.URL}})
		_, _ = s.Get(id)
		cause(t, s, words)
	}
	s := open(t, Config{URLs: []string{answers(http.StatusServiceUnavailable, ""), "http://127.0.0.1:1"}})
	_, _ = s.Get(id)
	cause(t, s, "does not answer")
}

// TestLoggingIn: what a request carries, of each way, over TLS.
func TestLoggingIn(t *testing.T) {
	t.Parallel()
	var seen atomic.Value
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, `{"access_token":"granted","token_type":"Bearer","expires_in":3600}`)
			return
		}
		if r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		seen.Store(r.Header.Get("Authorization"))
		_, _ = fmt.Fprint(w, `{"schema":"{}"}`)
	}))
	t.Cleanup(server.Close)
	file := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ca := file("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	secret := file("secret", "s3cret\n")
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"nobody":   {Config{}, ""},
		"password": {Config{Username: "u", PasswordFile: secret}, "Basic dTpzM2NyZXQ="},
		"inline":   {Config{Username: "u", Password: kafka.Secret("s3cret")}, "Basic dTpzM2NyZXQ="},
		"token":    {Config{TokenFile: secret}, "Bearer s3cret"},
		"endpoint": {Config{Username: "u", PasswordFile: secret, TokenEndpoint: server.URL + "/token", TokenScope: "a b"}, "Bearer granted"},
	} {
		c.config.URLs, c.config.CAFile = []string{server.URL}, ca
		if problems := c.config.WithDefaults().Validate(true); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if _, err := settled(t, open(t, c.config), 1); err != nil || seen.Load() != c.want {
			t.Errorf("%s: %q in place of %q (%v)", name, seen.Load(), c.want, err)
		}
	}
	s := open(t, Config{URLs: []string{server.URL}})
	_, _ = s.Get(1)
	cause(t, s, "check registry.ca_file")
	s = open(t, Config{URLs: []string{server.URL}, CAFile: ca, Username: "u", PasswordFile: secret, TokenEndpoint: server.URL + "/refused"})
	_, _ = s.Get(1)
	cause(t, s, "registry.token_endpoint gives no token")
	if _, err := New(Config{URLs: []string{server.URL}, Username: "u", PasswordFile: ca + "x"}, func(Schema) (int, error) { return 0, nil }); err == nil {
		t.Error("a password file that is not there was taken")
	}
}
