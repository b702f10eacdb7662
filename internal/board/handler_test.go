package board

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// counter is a source whose records grow, and that knows how often it was asked.
type counter struct {
	mutex   sync.Mutex
	asked   int
	records int64
	still   bool
	marks   []Mark
}

func (c *counter) Status() *Status {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asked++
	if !c.still {
		c.records += 100
	}
	return &Status{Schema: Schema, Job: "<b>adult</b>", Kind: Run, Version: c.records, Constraints: []Constraint{
		{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Versus: "Female", Value: Unknown(), Lo: Unknown(), Hi: Unknown()}}}
}

func (c *counter) Series(key Key) *Series {
	if !key.Fits(Key{"sex", fairness.DemographicParity, "Male", "Female"}) {
		return nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s := &Series{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Versus: "Female", Tau: 0.05, Marks: c.marks}
	for n := int64(100); n <= c.records; n += 100 {
		s.Points = append(s.Points, Point{N: n, Value: 0.01, Lo: 0, Hi: 0.02})
	}
	return s
}

func ask(t *testing.T, h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPageIsServedUnderAStrictPolicy(t *testing.T) {
	page := New(&counter{}).Page()
	for path, kind := range map[string]string{"/": "text/html", "/assets/app.js": "text/javascript", "/assets/style.css": "text/css", "/assets/icon.svg": "image/svg+xml",
		"/assets/uplot/uPlot.min.js": "text/javascript", "/assets/uplot/LICENSE": "text/plain"} {
		w := ask(t, page, path)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || w.Body.Len() == 0 {
			t.Errorf("%s: %d, %s, %d bytes", path, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		for header, want := range map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self';", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if got := w.Header().Get(header); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q", path, header, got)
			}
		}
		if again := ask(t, page, path, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s, asked again: %d with %d bytes", path, again.Code, again.Body.Len())
		}
	}
	if w := ask(t, page, "/assets/index.js"); w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", w.Code)
	}
}

// TestNoTextBecomesHTML: names come from records and configurations, so nothing in the page may parse a text as HTML.
func TestNoTextBecomesHTML(t *testing.T) {
	entries, err := files.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	scripts := 0
	for _, entry := range entries {
		text, err := files.ReadFile("page/" + entry.Name())
		if entry.IsDir() || err != nil || !strings.HasSuffix(entry.Name(), ".js") {
			continue
		}
		scripts++
		for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "http://", "https://"} {
			if strings.Contains(strings.ReplaceAll(string(text), "http://www.w3.org/2000/svg", ""), forbidden) {
				t.Errorf("%s uses %s", entry.Name(), forbidden)
			}
		}
	}
	if scripts < 5 {
		t.Errorf("only %d scripts seen", scripts)
	}
}

func TestStatusAndSeries(t *testing.T) {
	api := New(&counter{}).API()
	w := ask(t, api, "/api/v1/status")
	var status map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d: %v\n%s", w.Code, err, w.Body)
	}
	for _, name := range []string{"groups", "gaps", "calibration", "drivers", "versions", "conditions"} {
		if string(status[name]) != "[]" {
			t.Errorf("%s is %s: a list is wanted", name, status[name])
		}
	}
	if w := ask(t, api, "/api/v1/series?constraint=sex&criterion=demographic-parity"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"points":[{"n":100,"time":null,"value":0.01,`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := ask(t, api, "/api/v1/series?constraint=race"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "/api/v1/status") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := ask(t, api, "/api/v1/series?constraint="+strings.Repeat("x", longestName+1)); w.Code != http.StatusBadRequest {
		t.Errorf("a long name: %d", w.Code)
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if w := ask(t, api, "/api/v1/status", "Sec-Fetch-Site", site); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", site, w.Code)
		}
	}
}

// TestEventsAreSerialisedOnce: fifty open pages ask the source no more often than one does.
func TestEventsAreSerialisedOnce(t *testing.T) {
	source := &counter{}
	b := &Board{newHub(source, 20*time.Millisecond)}
	server := httptest.NewServer(b.API())
	defer server.Close()
	var pages sync.WaitGroup
	const open = 50
	for range open {
		response, err := http.Get(server.URL + "/api/v1/events")
		if err != nil {
			t.Fatal(err)
		}
		pages.Go(func() {
			defer func() { _ = response.Body.Close() }()
			last, points := int64(0), 0
			for lines := bufio.NewScanner(response.Body); points < 3 && lines.Scan(); {
				data, isData := strings.CutPrefix(lines.Text(), "data: ")
				var e Events
				if !isData || json.Unmarshal([]byte(data), &e) != nil || e.Name == "" {
					continue
				}
				for _, p := range e.Points {
					if p.N <= last {
						t.Errorf("point %d follows %d", p.N, last)
					}
					last = p.N
				}
				points++
			}
			if points < 3 {
				t.Errorf("only %d events of points", points)
			}
		})
	}
	pages.Wait()
	source.mutex.Lock()
	defer source.mutex.Unlock()
	if int64(source.asked) != source.records/100 || source.asked > 200 {
		t.Errorf("the source was asked %d times", source.asked)
	}
}

// TestClientsAreBounded: those who do not read are dropped, and those too many are refused.
func TestClientsAreBounded(t *testing.T) {
	h := newHub(&counter{}, time.Millisecond)
	slow := h.join()
	for listens := true; listens; time.Sleep(time.Millisecond) { // it does not read, and many events come
		h.mutex.Lock()
		_, listens = h.clients[slow]
		h.mutex.Unlock()
	}
	events := 0
	for range slow.queue { // ends, because the hub has dropped the client
		if events++; events > mostQueued {
			t.Fatal("a slow client is not dropped")
		}
	}
	var others []*client
	for range mostClients + 1 {
		others = append(others, h.join())
	}
	if refused := others[mostClients]; refused != nil {
		t.Error("there is no bound on clients")
	}
	if w := ask(t, (&Board{h}).API(), "/api/v1/events"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("one too many: %d", w.Code)
	}
	for _, c := range others {
		if c != nil {
			h.leave(c)
		}
	}
}

// TestMarksAreSentOnce: they come with the event after they were set, all of them.
func TestMarksAreSentOnce(t *testing.T) {
	source := &counter{}
	h := newHub(source, time.Hour)
	c := h.join()
	defer h.leave(c)
	source.marks = []Mark{{N: 100, Kind: MarkAlarm, Text: "changed"}}
	first, second := string(h.news()), string(h.news())
	if !strings.Contains(first, `"marks":[{"n":100`) || !strings.Contains(second, `"marks":null`) {
		t.Errorf("%s\n%s", first, second)
	}
	source.still = true
	h.news()
	if quiet := h.news(); quiet != nil {
		t.Errorf("nothing is new, and this is sent: %s", quiet)
	}
}

// TestAPollKeepsNoNewsFromAPage: what somebody else asked for is still new to a page, and is told once.
func TestAPollKeepsNoNewsFromAPage(t *testing.T) {
	for name, ask := range map[string]func(*hub){
		"a poll": func(h *hub) {
			if _, err := h.now(); err != nil {
				t.Fatal(err)
			}
		},
		"another page": func(h *hub) { h.join() },
	} {
		source := &counter{records: 100, still: true}
		h := newHub(source, time.Hour) // the test ticks
		page := h.join()
		if first := string(<-page.queue); !strings.Contains(first, `"version":100`) {
			t.Fatalf("%s: %s", name, first)
		}
		source.mutex.Lock()
		source.records = 200
		source.mutex.Unlock()
		h.at = time.Time{} // long ago
		ask(h)
		if news := string(h.news()); !strings.Contains(news, `"version":200`) {
			t.Errorf("%s: the page is told %q", name, news)
		}
		if news := h.news(); news != nil {
			t.Errorf("%s: the page is told again: %s", name, news)
		}
	}
}
