package history

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestCompare: an entry that continues the chain and says what claim, snapshot and model topic deny was added; what they agree with, and
// what came after they were read, was not.
func TestCompare(t *testing.T) {
	owned := func(term, before, version int64) Entry {
		e := at(float64(term), term, Owned)
		e.ID, e.Owner = e.ID+string(rune('a'+before)), &Owner{Before: before, Version: version}
		return e
	}
	publication := func(term, version int64) Entry {
		e := published(float64(version), term, version, .05, .01, -.01, .03, met)
		e.Publication.Key = strings.Repeat("k", int(version))
		return e
	}
	another := func(term, version int64) Entry {
		e := publication(term, version)
		e.ID += "again"
		return e
	}
	step := func(hours float64, number int64) Entry {
		e := at(hours, 1, Release)
		e.Release = &Released{Number: number, Step: "promoted", Record: 1}
		return e
	}
	step3 := step(40, 1)
	step3.Term = 3
	reset := func(term int64) Entry { return at(float64(term)+.5, term, Reset) }
	configured := func(hours float64, whole string) Entry {
		e := at(hours+.2, int64(hours), Configuration)
		e.Configuration = &Configured{Whole: json.RawMessage(whole)}
		return e
	}
	steps := int64(2)
	saved := &Saved{Term: 1, Version: 20, Steps: &steps}
	all := func(string) bool { return true }
	none := func(string) bool { return false }
	for name, c := range map[string]struct {
		entries []Entry
		known   Known
		want    []string
	}{
		"whole":             {[]Entry{owned(1, 0, 0), publication(1, 10), publication(1, 20), step(30, 1), step(31, 2)}, Known{Through: 9, Term: 1, Saved: saved, Published: all}, nil},
		"term claimed":      {[]Entry{owned(1, 0, 0), owned(2, 1, 5)}, Known{Through: 9, Term: 2}, nil},
		"term not claimed":  {[]Entry{owned(1, 0, 0), owned(2, 1, 5)}, Known{Through: 9, Term: 1}, []string{"entry 2 is by an owner of term 2, and the highest term that a process claimed is 1"}},
		"no claim known":    {[]Entry{owned(1, 0, 0), owned(2, 1, 5)}, Known{Through: 9}, nil},
		"after the reading": {[]Entry{owned(1, 0, 0), owned(2, 1, 5)}, Known{Through: 1, Term: 1}, nil},
		"owned twice":       {[]Entry{owned(2, 0, 0), owned(2, 1, 0)}, Known{Through: 9, Term: 2}, []string{"entry 2 tells that a process took the job over in term 2, which had begun before"}},
		"owned after":       {[]Entry{owned(1, 1, 0)}, Known{Through: 9, Term: 1}, []string{"entry 1 tells that a process took the job over in term 1"}},
		"reset":             {[]Entry{owned(1, 0, 0), reset(2)}, Known{Through: 9, Term: 2}, nil},
		"reset of another":  {[]Entry{owned(1, 0, 0), reset(1)}, Known{Through: 9, Term: 2}, []string{"entry 2 tells of a reset in term 1, which another process owned"}},
		"not saved":         {[]Entry{owned(1, 0, 0), publication(1, 21)}, Known{Through: 9, Term: 1, Saved: saved, Published: all}, []string{"entry 2 tells of version 21, and the snapshot in force has version 20"}},
		"of an older term":  {[]Entry{owned(1, 0, 0), publication(1, 21)}, Known{Through: 9, Term: 2, Saved: &Saved{Term: 2, Version: 20}, Published: all}, nil},
		"step twice":        {[]Entry{owned(1, 0, 0), step(30, 1), step(31, 1)}, Known{Through: 9, Term: 1, Saved: saved}, []string{"entry 3 tells of step 1 of the releases, as entry 2 does"}},
		"step not saved":    {[]Entry{owned(1, 0, 0), step(30, 3)}, Known{Through: 9, Term: 1, Saved: saved}, []string{"entry 2 tells of step 3 of the releases, and the snapshot in force has 2 steps"}},
		"steps unknown":     {[]Entry{owned(1, 0, 0), step(30, 3)}, Known{Through: 9, Term: 1, Saved: &Saved{Term: 1}}, nil},
		"began again":       {[]Entry{owned(1, 0, 0), step(30, 1), reset(2), owned(3, 2, 0), step3}, Known{Through: 9, Term: 3}, nil},
		"no document":       {[]Entry{owned(1, 0, 0), publication(1, 10)}, Known{Through: 9, Term: 1, Published: none}, []string{"entry 2 tells of version 10, and its document is not on the model topic"}},
		"no model topic":    {[]Entry{owned(1, 0, 0), publication(1, 10)}, Known{Through: 9, Term: 1}, nil},
		"ended before":      {[]Entry{owned(1, 0, 0), publication(1, 10), owned(2, 1, 10)}, Known{Through: 9, Term: 2, Published: none}, nil},
		"learnt on":         {[]Entry{owned(1, 0, 0), publication(1, 10), owned(2, 1, 11)}, Known{Through: 9, Term: 2, Published: none}, []string{"entry 2 tells of version 10, and its document"}},
		"out of order":      {[]Entry{owned(1, 0, 0), publication(1, 20), publication(1, 10)}, Known{Through: 9, Term: 1, Published: all}, []string{"entry 3 tells of version 10 behind version 20 of the same owner"}},
		"one is kept":       {[]Entry{owned(1, 0, 0), publication(1, 10), publication(1, 20)}, Known{Through: 9, Term: 1, Published: func(key string) bool { return len(key) == 20 }}, nil},
		"two are kept": {[]Entry{owned(1, 0, 0), configured(1, `{"stream":{"keep_versions":3}}`), configured(1, `{"stream":{"keep_versions":2}}`), publication(1, 10), publication(1, 20), publication(1, 30)},
			Known{Through: 9, Term: 1, Published: none}, []string{"entry 5 tells of version 20, and its document", "entry 6 tells of version 30, and its document"}},
		"two of one version":  {[]Entry{owned(1, 0, 0), publication(1, 10), another(1, 10)}, Known{Through: 9, Term: 1, Published: all}, []string{"entry 3 tells of version 10 behind version 10 of the same owner"}},
		"two of two owners":   {[]Entry{owned(1, 0, 0), publication(1, 10), another(2, 10)}, Known{Through: 9, Term: 2, Published: all}, nil},
		"no owner":            {[]Entry{publication(1, 10)}, Known{Through: 9, Published: none}, []string{"entry 1 tells of version 10, and its document"}},
		"not read yet":        {[]Entry{owned(1, 0, 0), publication(1, 21)}, Known{Through: 1, Term: 1, Saved: saved, Published: none}, nil},
		"read last":           {[]Entry{owned(1, 0, 0), publication(1, 21)}, Known{Through: 2, Term: 1, Saved: saved, Published: all}, []string{"entry 2 tells of version 21, and the snapshot"}},
		"from an older state": {[]Entry{owned(1, 0, 0), step(9, 1), publication(1, 10), owned(2, 1, 9), step3}, Known{Through: 9, Term: 3}, nil},
		"from the last state": {[]Entry{owned(1, 0, 0), step(9, 1), publication(1, 10), owned(2, 1, 10), step3}, Known{Through: 9, Term: 3}, []string{"entry 5 tells of step 1 of the releases, as entry 2 does"}},
		"began again at once": {[]Entry{owned(1, 0, 0), step(9, 1), owned(2, 1, 0), step3}, Known{Through: 9, Term: 3}, nil},
		"the first two":       {[]Entry{publication(1, 20), publication(1, 10)}, Known{Through: 9, Published: all}, []string{"entry 2 tells of version 10 behind"}},
		"reset between":       {[]Entry{owned(1, 0, 5), step(9, 1), reset(2), step3}, Known{Through: 9, Term: 3}, nil},
		"all are kept": {[]Entry{owned(1, 0, 0), configured(1, `{"stream":{"keep_versions":3}}`), publication(1, 10), publication(1, 20), publication(1, 30), publication(1, 40)},
			Known{Through: 9, Term: 1, Published: none}, []string{"entry 4 tells", "entry 5 tells", "entry 6 tells"}},
		"kept unknown": {[]Entry{owned(1, 0, 0), configured(1, `{"stream":{"keep_versions":3}}`), configured(1.1, `{"stream":5}`), publication(1, 10), publication(1, 20)},
			Known{Through: 9, Term: 1, Published: none}, []string{"entry 5 tells"}},
		"none are kept": {[]Entry{owned(1, 0, 0), configured(1, `{"stream":{"keep_versions":0}}`), configured(1.1, `{"stream":{"keep_versions":2}}`), publication(1, 10), publication(1, 20)},
			Known{Through: 9, Term: 1, Published: none}, []string{"entry 5 tells"}},
		"the last configuration": {[]Entry{configured(1, `{"tau":2}`), configured(1.1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Head: 9, Configuration: json.RawMessage(`{"tau":2}`)}}, []string{"entry 2 tells of another configuration"}},
		"not JSON":               {[]Entry{configured(1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Configuration: json.RawMessage(`{`)}}, []string{"entry 1 tells of another configuration"}},
		"configured":             {[]Entry{configured(1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Configuration: json.RawMessage(`{"tau":1}`)}}, nil},
		"configured else":        {[]Entry{configured(1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Configuration: json.RawMessage(`{"tau":2}`)}}, []string{"entry 1 tells of another configuration than the snapshot in force has"}},
		"saved later":            {[]Entry{configured(1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Head: 10, Configuration: json.RawMessage(`{"tau":2}`)}}, nil},
		"saved earlier":          {[]Entry{configured(2, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1, Configuration: json.RawMessage(`{"tau":2}`)}}, nil},
		"nothing saved":          {[]Entry{configured(1, `{"tau":1}`)}, Known{Through: 9, Saved: &Saved{Term: 1}}, nil},
	} {
		l := NewLog()
		for i, value := range write(t, c.entries...) {
			if err := l.Add(int64(i), value, Seal{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		l.Compare(c.known)
		var got []string
		for _, b := range l.breaks {
			if b.Offset != -1 {
				t.Errorf("%s: at offset %d of the log", name, b.Offset)
			}
			got = append(got, b.Problem)
		}
		slices.Sort(got)
		if len(got) != len(c.want) || !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}
