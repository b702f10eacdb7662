package history

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

var begin = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// entry is a publication that has no place in the chain yet.
func entry(term, version int64) Entry {
	value, lo, hi := .04, .03, .05
	return Entry{Job: "loans", ID: fmt.Sprintf("publication/%d/%d", term, version), Kind: Publication, Time: begin.Add(time.Duration(version) * time.Second), Term: term,
		Who: Who{Service: "fairstream run", Host: "h"}, ConfigSHA256: "c",
		Publication: &Published{Version: version, WeightsSHA256: "w", Key: "k", Constraints: []Row{{Name: "sex", Tau: .05, Value: &value, Lo: &lo, Hi: &hi, Status: met}}}}
}

// write puts entries behind each other.
func write(t *testing.T, entries ...Entry) (log [][]byte) {
	t.Helper()
	c := NewChain(Head{}, Everything)
	for i, e := range entries {
		value, _, err := c.Next(e)
		if err != nil {
			t.Fatal(err)
		}
		if _, standing, problem, err := c.Follow(int64(i), value); standing != Counts || problem != nil || err != nil {
			t.Fatalf("entry %d: standing %d, break %+v, %v", i, standing, problem, err)
		}
		log = append(log, value)
	}
	return log
}

func six(t *testing.T) [][]byte {
	return write(t, entry(1, 1), entry(1, 2), entry(2, 2), entry(2, 3), entry(2, 4), entry(3, 4))
}

// read follows a log, and expects its last entry as the snapshot of an owner does.
func read(t *testing.T, log, complete [][]byte) *Log {
	t.Helper()
	l := NewLog()
	for i, value := range log {
		if err := l.Add(int64(i), value, Seal{}); err != nil {
			t.Fatal(err)
		}
	}
	last := int64(len(complete))
	l.Expect(last, Sum(complete[last-1]), "the snapshot")
	return l
}

func TestAWholeChain(t *testing.T) {
	log := six(t)
	if breaks := read(t, log, log).broken(time.Time{}); len(breaks) != 0 {
		t.Errorf("a whole chain has breaks %+v", breaks)
	}
}

// TestEveryDamageIsFound deletes, alters and moves every entry.
func TestEveryDamageIsFound(t *testing.T) {
	complete := six(t)
	for i := range complete {
		deleted := slices.Delete(slices.Clone(complete), i, i+1)
		if breaks := read(t, deleted, complete).broken(time.Time{}); len(breaks) == 0 {
			t.Errorf("entry %d was deleted unnoticed", i+1)
		}
		for j := range complete[i] {
			altered := slices.Clone(complete)
			altered[i] = bytes.Clone(altered[i])
			altered[i][j] ^= 1
			l := NewLog()
			newer := false
			for k, value := range altered {
				newer = newer || errors.Is(l.Add(int64(k), value, Seal{}), ErrNewer)
			}
			l.Expect(6, Sum(complete[5]), "the snapshot")
			if breaks := l.broken(time.Time{}); len(breaks) == 0 && !newer {
				t.Fatalf("byte %d of entry %d was altered unnoticed", j, i+1)
			}
		}
		for j := range i {
			moved := slices.Clone(complete)
			moved[i], moved[j] = moved[j], moved[i]
			if breaks := read(t, moved, complete).broken(time.Time{}); len(breaks) == 0 {
				t.Errorf("entries %d and %d changed places unnoticed", i+1, j+1)
			}
		}
		added := slices.Insert(slices.Clone(complete), i, write(t, entry(9, 9))[0])
		if l := read(t, added, complete); len(l.broken(time.Time{})) == 0 && (len(l.tell().entries) != 6 || l.superseded != 1) {
			t.Errorf("an entry was added at %d unnoticed, and counts", i)
		}
	}
}

// TestABrokenChainGoesOn: what is written behind a break is read.
func TestABrokenChainGoesOn(t *testing.T) {
	complete := six(t)
	l := read(t, slices.Delete(slices.Clone(complete), 2, 3), complete)
	if breaks := l.broken(time.Time{}); len(breaks) != 1 || breaks[0].Sequence != 3 || breaks[0].Offset != 2 || len(l.tell().entries) != 5 {
		t.Errorf("breaks %+v, %d entries", breaks, len(l.tell().entries))
	}
}

// TestWritersAtTheSameTime: a process of an older term writes late, attempts are repeated, and nothing of
// this is a break.
func TestWritersAtTheSameTime(t *testing.T) {
	log := write(t, entry(1, 1))
	first := NewChain(Head{1, Sum(log[0]), 1}, Everything)
	old, _, err := first.Next(entry(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	mine, _, err := first.Next(entry(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	// The older process was faster: the other one reads back, and writes the same behind it.
	second := NewChain(Head{2, Sum(old), 1}, Everything)
	again, _, err := second.Next(entry(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLog()
	for i, value := range [][]byte{log[0], log[0], old, mine, mine, again, old, again, mine, log[0]} {
		if err := l.Add(int64(i), value, Seal{}); err != nil {
			t.Fatal(err)
		}
	}
	if breaks := l.broken(time.Time{}); len(breaks) != 0 || len(l.tell().entries) != 3 || l.repeated != 4 || l.superseded != 3 {
		t.Errorf("breaks %+v, %d entries, %d repeated, %d superseded", breaks, len(l.tell().entries), l.repeated, l.superseded)
	}
	if head := l.chain.Head(); head != (Head{3, Sum(again), 2}) {
		t.Errorf("head %+v", head)
	}
}

// TestAShortMemory: an owner remembers the last sums only.
func TestAShortMemory(t *testing.T) {
	log := six(t)
	c := NewChain(Head{}, 2)
	for i, value := range log {
		if _, standing, problem, err := c.Follow(int64(i), value); standing != Counts || problem != nil || err != nil {
			t.Fatalf("standing %d, %+v, %v", standing, problem, err)
		}
	}
	if len(c.sums) != 2 {
		t.Errorf("remembers %d sums", len(c.sums))
	}
	if _, standing, problem, err := c.Follow(9, log[0]); standing != Superseded || problem != nil || err != nil {
		t.Errorf("a forgotten entry: standing %d, %+v, %v", standing, problem, err)
	}
}

func TestANewerFormatIsRefused(t *testing.T) {
	newer := bytes.Replace(six(t)[0], []byte(`"format_version":1`), []byte(`"format_version":2`), 1)
	if err := NewLog().Add(7, newer, Seal{}); !errors.Is(err, ErrNewer) {
		t.Errorf("%v", err)
	}
}

func TestDifferences(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{`{"a":1}`, `{"a":1}`, `[]`},
		{`{"constraints":[{"tau":0.05}]}`, `{"constraints":[{"tau":0.15}]}`, `[constraints[0].tau: 0.05 -> 0.15]`},
		{`{"a":{"b":"x","c":1}}`, `{"a":{"c":2,"d":true}}`, `[a.b: "x" -> null a.c: 1 -> 2 a.d: null -> true]`},
		{`{"a":[1]}`, `{"a":[1,2]}`, `[a: [1] -> [1,2]]`},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, `[a: 9007199254740993 -> 9007199254740992]`},
	} {
		changes, err := Differences([]byte(test.before), []byte(test.after))
		if got := fmt.Sprint(changes); got != test.want || err != nil {
			t.Errorf("%s and %s: %s, %v", test.before, test.after, got, err)
		}
	}
	for _, test := range [][2]string{{`{`, `{}`}, {`{}`, `{`}} {
		if changes, err := Differences([]byte(test[0]), []byte(test[1])); err == nil || changes != nil {
			t.Errorf("half an object passed: %v", changes)
		}
	}
}

// FuzzDecode: whatever bytes come, there is an error or an entry that can be written, and never a panic.
func FuzzDecode(f *testing.F) {
	value, _, err := NewChain(Head{}, Everything).Next(entry(1, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add([]byte(`{"format_version":1,"job":"j","sequence":2,"previous":"p","id":"i","kind":"reset","time":"2026-11-01T00:00:00Z","term":1,"who":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(data)
		l := NewLog()
		if added := l.Add(0, data, Seal{}); (added != nil) != errors.Is(err, ErrNewer) {
			t.Fatalf("added: %v, decoded: %v", added, err)
		}
		if err != nil {
			return
		}
		if len(l.tell().entries) != 1 {
			t.Error("an entry does not begin a history")
		}
		if _, err := e.Encode(); err != nil && len(data) < LargestEntry/8 {
			t.Errorf("what was read cannot be written: %v", err)
		}
		l.Audit(Period{}, e.Time, time.Hour)
	})
}
