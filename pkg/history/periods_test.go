package history

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// TestTheGapsOfAPeriod: a time without versions is a gap if it is longer than asked for, and reported as far as it lies in the period.
func TestTheGapsOfAPeriod(t *testing.T) {
	l := tenHours(t) // versions after 1, 3, 6 and 7 hours
	hours := func(h float64) time.Time { return begin.Add(time.Duration(h * float64(time.Hour))) }
	for name, c := range map[string]struct {
		from, to float64
		gap      time.Duration
		want     [][2]float64
	}{
		"none is longer":                {0, 10, 3 * time.Hour, nil},
		"two are":                       {0, 10, 3*time.Hour - 1, [][2]float64{{3, 6}, {7, 10}}},
		"the beginning is as long":      {0, 2, time.Hour, nil},
		"the beginning is longer":       {0, 1.5, time.Hour - 1, [][2]float64{{0, 1}}},
		"it ends within one":            {3, 5, time.Hour, [][2]float64{{3, 5}}},
		"it begins within one":          {4, 5, time.Minute, [][2]float64{{4, 5}}},
		"it ends before the first":      {-3, 0.5, time.Hour, [][2]float64{{-3, 0.5}}},
		"what is cut off counts not":    {5, 7, time.Hour, nil},
		"what is left of one is longer": {4.5, 7, time.Hour, [][2]float64{{4.5, 6}}},
	} {
		a := l.Audit(Period{Since: hours(c.from), Until: hours(c.to)}, hours(24), c.gap)
		if len(a.Gaps) != len(c.want) {
			t.Errorf("%s: %+v, want %v", name, a.Gaps, c.want)
			continue
		}
		for i, gap := range a.Gaps {
			if want := c.want[i]; !gap.From.Equal(hours(want[0])) || !gap.To.Equal(hours(want[1])) || gap.Seconds != 3600*(want[1]-want[0]) || gap.Reason == "" {
				t.Errorf("%s: %+v, want %v", name, gap, want)
			}
		}
	}
}

// TestTheTimesOfVersions: a version is in use from its publication to the next one, the last one to the end, and the first of two equally
// large differences is told of.
func TestTheTimesOfVersions(t *testing.T) {
	twice := published(5, 1, 40, .05, .3, .2, .4, violated)
	twice.Publication.Constraints = append(twice.Publication.Constraints, twice.Publication.Constraints[0])
	l := followed(t, published(1, 1, 10, .05, -.3, -.4, -.2, violated), published(3, 1, 20, .07, .1, 0, .2, inconclusive), published(4, 1, 30, .05, 0, 0, 0, notEstimable), twice)
	a := l.Audit(Period{Since: begin, Until: begin.Add(8 * time.Hour)}, begin.Add(24*time.Hour), 24*time.Hour)
	for i, want := range []float64{2, 1, 1, 3} {
		if got := a.Versions[i].InUse; got != 3600*want {
			t.Errorf("version %d was in use for %v s, want %v hours", i, got, want)
		}
	}
	c := a.Constraints[0]
	if len(a.Constraints) != 1 || *c.Largest.Value != -.3 || c.LargestVersion != 10 || c.LargestTerm != 1 || len(c.Taus) != 3 {
		t.Errorf("%+v, the largest %+v", c, c.Largest)
	}
	for status, hours := range map[string]float64{violated: 5, inconclusive: 1, notEstimable: 1, met: 0, "none": 1} {
		if math.Abs(c.Share[status]-hours/8) > 1e-12 {
			t.Errorf("%s for a share of %v, want %v of 8 hours", status, c.Share[status], hours)
		}
	}
}

// TestDeletedEntriesAreNumbered: a gap names the entries that are missing, from the first of them on.
func TestDeletedEntriesAreNumbered(t *testing.T) {
	complete := six(t)
	for name, c := range map[string]struct {
		log   [][]byte
		first int64
	}{
		"the beginning": {complete[2:], 1}, "one": {append(append([][]byte{}, complete[:2]...), complete[3:]...), 3},
		"two": {append(append([][]byte{}, complete[:3]...), complete[5:]...), 4},
	} {
		l := read(t, c.log, complete)
		a := l.Audit(Period{Until: begin.Add(time.Hour)}, begin.Add(time.Hour), time.Hour)
		if len(a.Chain.Breaks) != 1 || a.Chain.Breaks[0].Sequence != c.first {
			t.Errorf("%s: %+v, want one from %d on", name, a.Chain.Breaks, c.first)
		}
	}
}

// TestSealsOfEntries: entries before the first trusted seal are no problem of theirs, those behind it are refused without one, and equal
// reasons in a row are told once.
func TestSealsOfEntries(t *testing.T) {
	trusted, none, other := Seal{Checked: true}, Seal{Checked: true, Problem: "it is not signed"}, Seal{Checked: true, Problem: "another key"}
	entries := func(seals ...Seal) (all []noted) {
		for i, s := range seals {
			all = append(all, noted{Entry: &Entry{Sequence: int64(i + 1), Kind: Owned}, seal: s})
		}
		return all
	}
	for name, c := range map[string]struct {
		all            []noted
		signed, before int
		refused        [][2]int64
		out            int
	}{
		"not checked":    {entries(Seal{}, Seal{}), 0, 0, nil, 0},
		"all trusted":    {entries(trusted, trusted), 2, 0, nil, 0},
		"none trusted":   {entries(none, none), 0, 0, [][2]int64{{1, 2}}, 0},
		"from the third": {entries(none, none, trusted, none, none, other, trusted, other), 2, 2, [][2]int64{{4, 5}, {6, 6}, {8, 8}}, 4},
	} {
		s, refused := signatures(c.all)
		if s.Signed != c.signed || s.Before != c.before || len(s.Refused) != len(c.refused) || len(refused) != c.out {
			t.Errorf("%s: %+v, %v refused", name, s, refused)
			continue
		}
		for i, r := range s.Refused {
			if r.First != c.refused[i][0] || r.Last != c.refused[i][1] || r.Reason == "" {
				t.Errorf("%s: %+v, want %v", name, r, c.refused[i])
			}
		}
	}
}

// TestEntriesThatAreRefused: from the first trusted one on, those that follow each other with one problem together.
func TestEntriesThatAreRefused(t *testing.T) {
	trusted, unsigned, other, unchecked := Seal{Checked: true}, Seal{Checked: true, Problem: "it is not signed"}, Seal{Checked: true, Problem: "another key"}, Seal{}
	entries := func(seals ...Seal) (all []noted) {
		for i, seal := range seals {
			all = append(all, noted{Entry: &Entry{Sequence: int64(i + 1), Kind: Owned}, seal: seal})
		}
		return all
	}
	for i, test := range []struct {
		all            []noted
		signed, before int
		refused        string
		out            int
	}{
		{entries(unchecked, unchecked), 0, 0, "", 0},
		{entries(unsigned, unsigned), 0, 0, "1-2 it is not signed", 0},
		{entries(trusted, unsigned, unsigned, other, unsigned), 1, 0, "2-3 it is not signed, 4-4 another key, 5-5 it is not signed", 4},
		{entries(unsigned, trusted, unsigned, trusted, unsigned), 2, 1, "3-3 it is not signed, 5-5 it is not signed", 2},
		{entries(unsigned, unsigned, trusted), 1, 2, "", 0},
	} {
		s, refused := signatures(test.all)
		var got []string
		for _, r := range s.Refused {
			got = append(got, fmt.Sprintf("%d-%d %s", r.First, r.Last, r.Reason))
		}
		if s.Signed != test.signed || s.Before != test.before || strings.Join(got, ", ") != test.refused || len(refused) != test.out {
			t.Errorf("%d: %+v, %v", i, s, refused)
		}
	}
}
