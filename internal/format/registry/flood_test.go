package registry

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestFloods: ids of records further on are asked for together, within a bound, and an id that something waits for comes before them.
func TestFloods(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	s := open(t, Config{URLs: []string{f.URL}, UnknownAfter: time.Second})
	const flood = 3000
	for i := range uint32(flood) {
		s.Prepare(1000 + i)
	}
	awaited := func() int {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		return s.awaited
	}
	for end := time.Now().Add(5 * time.Minute); awaited() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := f.asked.Load(); n != 2*flood || s.condemned != flood {
		t.Errorf("%d requests for %d ids that waited together, %d are condemned", n, flood, s.condemned)
	}

	f.failing(func(w http.ResponseWriter, r *http.Request) bool {
		if number, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/schemas/ids/")); uint32(number) == id || number == 10_000+maxAhead/2 {
			return false
		}
		<-r.Context().Done()
		return true
	})
	for i := range uint32(maxAhead + 100) {
		s.Prepare(10_000 + i)
	}
	if n := awaited(); n != maxAhead {
		t.Errorf("%d ids are awaited", n)
	}
	if waits := s.Waits(); len(waits) > 0 {
		t.Errorf("nothing waits for %v", waits)
	}
	if _, err := settled(t, s, id); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(10_000 + maxAhead/2); err == nil {
		t.Error("an id in the middle of a line is known")
	}
	if w := cause(t, s, "does not know"); w.Schema != format.NumberID(10_000+maxAhead/2).Name() {
		t.Errorf("%+v", w)
	}
}

// TestNothingIsPreparedWithoutARegistry: one that fails is asked for what something waits for, and not for the rest of a topic.
func TestNothingIsPreparedWithoutARegistry(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	f.failing(func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	s := open(t, Config{URLs: []string{f.URL}})
	for i := range uint32(10_000) {
		s.Prepare(id + i)
	}
	left := func() (awaited, entries int) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		return s.awaited, len(s.entries)
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
		awaited, entries := left()
		if awaited == 0 && entries == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d ids of %d are awaited", awaited, entries)
		}
	}
	if n := f.asked.Load(); n > 5000 {
		t.Errorf("%d requests", n)
	}
	_, _ = s.Get(id)
	cause(t, s, "503")
	f.fail.Store(nil)
	if _, err := settled(t, s, id); err != nil {
		t.Error(err)
	}
}

// TestSchemasStayAlthoughForgedIDsAreForgotten: only too many schemas make room for schemas.
func TestSchemasStayAlthoughForgedIDsAreForgotten(t *testing.T) {
	t.Parallel()
	s := open(t, Config{URLs: []string{"http://127.0.0.1:1"}})
	s.mutex.Lock()
	defer s.mutex.Unlock()
	count := func() (known, condemned int) {
		for _, e := range s.entries {
			if e.forget.IsZero() {
				known++
			} else {
				condemned++
			}
		}
		return known, condemned
	}
	decided := func(id uint32, forget time.Time) {
		e := s.add(format.NumberID(id))
		if e.forget = forget; !forget.IsZero() {
			s.condemned++
		}
		s.decide(e, "", nil)
	}
	for id := range uint32(100) {
		decided(id, time.Time{})
	}
	for id := range uint32(maxCondemned + 50) {
		decided(1000+id, time.Now().Add(time.Hour))
	}
	if known, condemned := count(); known != 100 || condemned != 50 || s.condemned != 50 {
		t.Errorf("%d schemas and %d condemned ids are remembered, %d by the count", known, condemned, s.condemned)
	}
	for id := range uint32(maxKnown) {
		decided(1<<20+id, time.Time{})
	}
	if known, condemned := count(); known != 100 || condemned != 50 {
		t.Errorf("%d schemas and %d condemned ids are remembered", known, condemned)
	}
}

// TestARejectedIDIsAskedForAgain after the time, and no record waits for it then.
func TestARejectedIDIsAskedForAgain(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	id := f.register(t, "a", schema)
	s := open(t, Config{URLs: []string{f.URL}, UnknownAfter: time.Second})
	for _, ask := range []func(uint32){func(id uint32) { _, _ = s.Get(id) }, s.Prepare} {
		if _, err := settled(t, s, id+1); reason(err) != record.UnknownSchema {
			t.Fatal(err)
		}
		asked := f.asked.Load()
		s.mutex.Lock()
		s.entries[format.NumberID(id+1)].forget = time.Now()
		s.mutex.Unlock()
		begun := time.Now()
		ask(id + 1)
		if _, err := settled(t, s, id+1); reason(err) != record.UnknownSchema || f.asked.Load() != asked+1 || time.Since(begun) > 900*time.Millisecond {
			t.Errorf("%v after %v and %d requests", err, time.Since(begun), f.asked.Load()-asked)
		}
		if s.condemned != 1 {
			t.Errorf("%d ids are condemned", s.condemned)
		}
	}
	f.register(t, "b", strings.ReplaceAll(schema, `"a"`, `"b"`))
	s.mutex.Lock()
	s.entries[format.NumberID(id+1)].forget = time.Now()
	s.mutex.Unlock()
	if value, err := settled(t, s, id+1); err != nil || !strings.Contains(value, `"b"`) || s.condemned != 0 {
		t.Errorf("%s, %v, %d condemned", value, err, s.condemned)
	}
}
