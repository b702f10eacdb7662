package board

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/isolate"
)

// told is a source that says what a test sets.
type told struct {
	status Status
	series map[string]*Series
	page   *isolate.Part
	broken bool
}

func (s *told) Status() *Status { return &s.status }

func (s *told) Series(key Key) *Series {
	if s.broken {
		panic("a defect")
	}
	return s.series[key.Name]
}

func (s *told) Page() *isolate.Part { return s.page }

func tells(names ...string) *told {
	s := &told{series: map[string]*Series{}, page: isolate.New("page")}
	for _, name := range names {
		s.status.Constraints = append(s.status.Constraints, Constraint{Name: name})
		s.series[name] = &Series{Name: name}
	}
	return s
}

// TestQuietPagesHearThatNothingIsNew: after ten ticks without news comes a comment, so that a proxy does not close the connection.
func TestQuietPagesHearThatNothingIsNew(t *testing.T) {
	source := tells("sex")
	h := newHub(source, time.Hour)
	c := h.join()
	defer h.leave(c)
	<-c.queue
	if quiet := h.tellNews(quietTicks - 2); quiet != quietTicks-1 || len(c.queue) != 0 {
		t.Errorf("%d quiet ticks, %d events", quiet, len(c.queue))
	}
	if quiet := h.tellNews(quietTicks - 1); quiet != 0 || len(c.queue) != 1 || string(<-c.queue) != ": nothing new\n\n" {
		t.Errorf("%d quiet ticks after ten", quiet)
	}
	source.status.Version = 7
	if quiet := h.tellNews(3); quiet != 0 || len(c.queue) != 1 {
		t.Errorf("%d quiet ticks after news, %d events", quiet, len(c.queue))
	}
}

// TestOnlyWhatIsNewOfASeriesIsSent: points and marks each by themselves, and of a series that is not known nothing.
func TestOnlyWhatIsNewOfASeriesIsSent(t *testing.T) {
	source := tells("new point", "new mark", "nothing new", "empty", "gone")
	for _, name := range []string{"new point", "new mark", "nothing new"} {
		source.series[name].Points = []Point{{N: 1}, {N: 2}}
		source.series[name].Marks = []Mark{{N: 1}}
	}
	delete(source.series, "gone")
	h := newHub(source, time.Hour)
	defer h.leave(h.join())
	source.status.Version = 3
	source.series["new point"].Points = append(source.series["new point"].Points, Point{N: 3})
	source.series["new mark"].Marks = []Mark{{N: 2}}
	news := string(h.news())
	if n := strings.Count(news, "event: points\n"); n != 2 {
		t.Errorf("%d events of points:\n%s", n, news)
	}
	if !strings.Contains(news, `"name":"new point","criterion":"","group":"","versus":"","points":[{"n":3,`) || !strings.Contains(news, `"marks":null}`) {
		t.Errorf("a point, and no mark:\n%s", news)
	}
	if !strings.Contains(news, `"name":"new mark","criterion":"","group":"","versus":"","points":[],"marks":[{"n":2,`) {
		t.Errorf("a mark, and no point:\n%s", news)
	}
}

// TestADefectOfTheSourceEndsThePage: those who listen are dropped, and nobody may listen again; the source's own part is the one that is cut.
func TestADefectOfTheSourceEndsThePage(t *testing.T) {
	source := tells("sex")
	h := newHub(source, time.Millisecond)
	ended := make(chan int)
	within, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	go func() {
		w := httptest.NewRecorder()
		(&Board{h}).API().ServeHTTP(w, httptest.NewRequestWithContext(within, http.MethodGet, "/api/v1/events", nil))
		ended <- w.Code
	}()
	for listens := false; !listens; time.Sleep(time.Millisecond) {
		h.mutex.Lock()
		if listens = len(h.clients) == 1; listens {
			source.broken, source.status.Version = true, 1
		}
		h.mutex.Unlock()
	}
	if code := <-ended; code != http.StatusOK || within.Err() != nil || source.page.Works() {
		t.Errorf("%d, ended by %v, works: %v", code, within.Err(), source.page.Works())
	}
	w := ask(t, (&Board{h}).API(), "/api/v1/events")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "30" || len(h.clients) != 0 {
		t.Errorf("after the defect: %d, %v, %d clients", w.Code, w.Header(), len(h.clients))
	}
}

// gone is a connection that the other side has closed.
type gone struct{ http.ResponseWriter }

func (gone) Write([]byte) (int, error) { return 0, errors.New("gone") }

// TestEventsEndWithTheConnection, and the client is no longer counted.
func TestEventsEndWithTheConnection(t *testing.T) {
	h := newHub(tells("sex"), time.Hour)
	within, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	(&Board{h}).events(gone{httptest.NewRecorder()}, httptest.NewRequestWithContext(within, http.MethodGet, "/api/v1/events", nil))
	if within.Err() != nil || len(h.clients) != 0 {
		t.Errorf("ended by %v, %d clients are left", within.Err(), len(h.clients))
	}
}

// TestWhatCannotBeWrittenIsAnError: JSON has no number for it.
func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	source := tells("sex")
	source.status.Constraints[0].Tau, source.series["sex"].Tau = math.NaN(), math.NaN()
	b := New(source)
	for _, path := range []string{"/api/v1/status", "/api/v1/series?constraint=sex"} {
		if w := ask(t, b.API(), path); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "cannot be written as JSON") {
			t.Errorf("%s: %d, %s", path, w.Code, w.Body)
		}
	}
	c := b.hub.join()
	defer b.hub.leave(c)
	if news := b.hub.news(); news != nil || len(c.queue) != 0 {
		t.Errorf("%s", news)
	}
	source.series["sex"].Tau = 0.05
	for _, length := range []int{longestName, longestName + 1} {
		want := map[int]int{longestName: http.StatusNotFound, longestName + 1: http.StatusBadRequest}[length]
		if w := ask(t, b.API(), "/api/v1/series?group="+strings.Repeat("x", length)+"&constraint=y"); w.Code != want {
			t.Errorf("a name of %d bytes: %d", length, w.Code)
		}
	}
	jobs := NewIndex(func() *Jobs { return &Jobs{Jobs: []JobRow{{LagRecords: Unknown()}}} })
	if w := ask(t, jobs.API(), "/api/v1/jobs"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"lag_records":null`) {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
}

// TestAFileThatIsNotEmbedded is a mistake of the program.
func TestAFileThatIsNotEmbedded(t *testing.T) {
	defer func() {
		if why, _ := recover().(string); !strings.HasPrefix(why, "board: open nothing.html") {
			t.Errorf("%q", why)
		}
	}()
	file(files, "nothing.html")
}

// TestNoListIsNull: a reader of the JSON need not expect null where a list is empty, also deep inside.
func TestNoListIsNull(t *testing.T) {
	s := Status{Release: &Release{Trial: &Trial{}, Guard: &Guard{}}, Serving: &Serving{Instances: []Instance{{Name: "a"}}}, Conditions: []Condition{{Code: "imprecise"}, {Code: "unheard of"}}}
	whole := s.complete()
	if r := whole.Release; r.Steps == nil || r.Trial.Gates == nil || r.Guard.Gates == nil || whole.Serving.Instances[0].Uses == nil {
		t.Errorf("%+v", whole)
	}
	if c := whole.Conditions; c[0].Text != conditionWords["imprecise"] || !strings.Contains(c[1].Text, "Ask those who run it") || s.Conditions[0].Text != "" {
		t.Errorf("%+v, and of the source %+v", c, s.Conditions)
	}
	whole = (&Status{Release: &Release{}, Serving: &Serving{}}).complete()
	if whole.Release.Steps == nil || whole.Serving.Instances == nil || whole.Conditions == nil || whole.Alarms() == nil {
		t.Errorf("%+v", whole)
	}
}

// Alarms are those of the decisions that count.
func (s *Status) Alarms() []AlarmTime { return s.Deciding.Alarms }
