package story

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
)

// States are the moments of all stories, by name.
func States() []string { return slices.Sorted(maps.Keys(found)) }

// found tells the story in which a moment occurs.
var found = func() map[string]*told {
	all := map[string]*told{}
	for plot, names := range map[*told][]string{
		{plot: week}:      {"first-version", "learning", "restarted", "marked", "unreleased", "halted"},
		{plot: calm}:      {"ok", "alarm", "kafka"},
		{plot: beginning}: {"starting", "empty", "standby", "warming-up"},
		{plot: sixteen}:   {"sixteen"},
		{plot: many}:      {"many"},
		{plot: numbers}:   {"numbers"},
	} {
		for _, name := range names {
			all[name] = plot
		}
	}
	return all
}()

// told is a story that is told once, to whoever asks first.
type told struct {
	once   sync.Once
	plot   func(*testing.T) map[string][]*Scene
	scenes map[string][]*Scene
}

// Job is a board.Source that shows a moment of a story, and those that follow it.
type Job struct {
	mutex  sync.Mutex
	scenes []*Scene
	now    int
	orders bool
}

// New returns the job at a moment, with other names for what is called so in the records.
func New(t *testing.T, state string, names *strings.Replacer) *Job {
	t.Helper()
	of := found[state]
	of.once.Do(func() { of.scenes = of.plot(t) })
	scenes := of.scenes[state]
	if len(scenes) == 0 {
		t.Fatalf("the story has no moment %q", state)
	}
	j := &Job{}
	for _, s := range scenes {
		j.scenes = append(j.scenes, s.copied(t, names))
	}
	return j
}

// copied is a copy with other names.
func (s *Scene) copied(t *testing.T, names *strings.Replacer) *Scene {
	t.Helper()
	c := &Scene{At: s.At, Audit: s.Audit}
	for _, one := range []struct{ from, to any }{{s.Status, &c.Status}, {s.Series, &c.Series}} {
		text, err := json.Marshal(one.from)
		var tree any
		if err == nil {
			err = json.Unmarshal(text, &tree)
		}
		if err == nil {
			text, err = json.Marshal(renamed(tree, names))
		}
		if err == nil {
			err = json.Unmarshal(text, one.to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// machine is the one that the test runs on, which stories call kappa-1.
var machine, _ = os.Hostname()

// renamed replaces names in every text of a JSON value, and that of the machine.
func renamed(tree any, names *strings.Replacer) any {
	switch v := tree.(type) {
	case string:
		if v == machine {
			return "kappa-1"
		}
		if v = strings.ReplaceAll(v, " on "+machine, " on kappa-1"); names != nil {
			v = names.Replace(v)
		}
		return v
	case []any:
		for i := range v {
			v[i] = renamed(v[i], names)
		}
	case map[string]any:
		for key := range v {
			v[key] = renamed(v[key], names)
		}
	}
	return tree
}

// Scene is the moment that is shown.
func (j *Job) Scene() *Scene {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.scenes[j.now]
}

// Advance goes on to the next moment, if there is one.
func (j *Job) Advance() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.now = min(j.now+1, len(j.scenes)-1)
}

// Become goes on to a moment of another name.
func (j *Job) Become(t *testing.T, state string) {
	t.Helper()
	other := New(t, state, nil)
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.scenes, j.now = other.scenes, other.now
}

// TakeOrders makes the job take orders about releases.
func (j *Job) TakeOrders() *Job {
	j.orders = true
	return j
}

// Status is part of board.Source.
func (j *Job) Status() *board.Status {
	s := *j.Scene().Status
	if j.orders && s.Release != nil {
		r := *s.Release
		r.Orders = true
		s.Release = &r
	}
	return &s
}

// Series is part of board.Source.
func (j *Job) Series(key board.Key) *board.Series {
	for _, s := range j.Scene().Series {
		if key.Fits(s.Key()) {
			c := *s
			return &c
		}
	}
	return nil
}

// underTest is when the test of the candidate began.
func (s *Scene) underTest() time.Time {
	for _, step := range s.Status.Release.Steps { // the newest first
		if step.Kind == "frozen" {
			return step.Time
		}
	}
	return s.At
}

// serves adds programs that decide by the versions of the job, which nobody runs in a story.
func (s *Scene) serves(programs int) {
	r, decisions := s.Status.Release, s.Status.Deciding.Records
	s.Status.Serving = &board.Serving{Instances: []board.Instance{}, Known: programs}
	deciding := int64(max(1, programs))
	if programs > 2 {
		deciding-- // one has just begun
	}
	for i := range min(programs, board.MostInstances) {
		one := board.Instance{Name: fmt.Sprintf("adult-7d9f8b6c5-%05d:8470", i), Program: "v0.1.0", Started: begin, Heard: s.At.Add(-4 * time.Second)}
		if r != nil && r.Stable != nil && s.Status.Deciding.Since != nil && i != 2 { // which has just begun
			one.Uses = append(one.Uses, board.Use{Place: *r.Stable, Alias: "stable", Since: s.Status.Deciding.Since.Add(time.Duration(i) * time.Second), Decisions: decisions / deciding})
			if i == 0 { // it fell silent, and another one decided instead
				one.Uses[0].Decisions -= decisions / deciding / 8
			}
			if i == 1 {
				one.Uses[0].Decisions += decisions%deciding + decisions/deciding/8
			}
		}
		switch {
		case i == 0:
			one.Silent, one.Heard, s.Status.Serving.Silent, s.Status.Serving.Ignored = true, s.At.Add(-12*time.Minute), 1, 2
		case i == 1 && r != nil && r.Candidate != nil:
			one.Uses = append(one.Uses, board.Use{Place: *r.Candidate, Alias: "candidate", Since: s.underTest()})
		}
		s.Status.Serving.Instances = append(s.Status.Serving.Instances, one)
	}
}
