package server

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestSeriesOfWhatIsKnown: the end of an empty partition is known and is 0, and of no record no quality is told.
func TestSeriesOfWhatIsKnown(t *testing.T) {
	s := learning()
	s.Partitions = []stream.PartitionStatus{{Ledger: stream.Ledger{Partition: 0}, End: 0}, {Ledger: stream.Ledger{Partition: 1}, End: -1}}
	s.Measurements = &document.Measurements{}
	twice := watched("a", bySex(), 50)
	twice.Report.Comparisons = append(twice.Report.Comparisons, twice.Report.Comparisons[0])
	s.Monitored = []*stream.Monitored{twice}
	text := scraped(t, s)
	for line, want := range map[string]bool{`fairstream_end_offset{partition="0"} 0`: true, `fairstream_end_offset{partition="1"}`: false, "fairstream_accuracy{": false} {
		if strings.Contains(withoutJob(text), line) != want {
			t.Errorf("%s is told: %v", line, !want)
		}
	}
	if got := served(withoutJob(text), "fairstream_sequence_tau"); len(got) != 1 {
		t.Errorf("two comparisons of the same groups have %d series", len(got))
	}
}

// TestARowOfDecisions: how many more records a verdict needs, and why it cannot be estimated.
func TestARowOfDecisions(t *testing.T) {
	m := watched("a", bySex(), 50)
	c := m.Report.Comparisons[0]
	for needed, want := range map[float64]int64{math.NaN(): 0, 7.5: 7} {
		row := board.NewConstraint(c.All, "a")
		c.Needed, c.Sequence.Status, c.Sequence.Reason = needed, fairness.NotEstimable, "too few"
		judge(&row, &c, m)
		if (row.RecordsNeeded == nil) != (want == 0) || want > 0 && *row.RecordsNeeded != want || row.Reason != "too few" {
			t.Errorf("%v: %+v", needed, row)
		}
	}
	row := board.NewConstraint(c.All, "a")
	row.Reason, c.Sequence.Status = "its own", fairness.Inconclusive
	if judge(&row, &c, m); row.Reason != "its own" {
		t.Errorf("%q", row.Reason)
	}
	if g := groupOf("a", &monitor.GroupReport{}); g.Reason != "no record so far" {
		t.Errorf("%+v", g)
	}
	if g := groupOf("a", &m.Report.Groups[0]); g.Reason != "" || g.Records == 0 {
		t.Errorf("%+v", g)
	}
	open := fairness.Estimate{Status: fairness.Inconclusive, Value: 0.01, Lo: -0.07, Hi: 0.09, Tau: 0.05, NGroup: 600, NVersus: 400}
	met := open
	met.Status = fairness.Met
	if a, b := rowOf(open), rowOf(met); a.RecordsNeeded == nil || *a.RecordsNeeded != 3000 || b.RecordsNeeded != nil {
		t.Errorf("%v, %v", a.RecordsNeeded, b.RecordsNeeded)
	}
	if n := needed(fairness.Estimate{Lo: -1.5, Hi: 1.5, Tau: 1, NGroup: 800_000_000}); n != nil { // a billion
		t.Errorf("%d more records", *n)
	}
	one := liveOf(stream.Status{}).groups([]fairness.Estimate{{Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f", NGroup: 1, NVersus: 0, Level: .95, RateSides: &fairness.RateSides{KGroup: 1}}})
	if one[0].Rate != 1 || one[1].Rate.Known() {
		t.Errorf("%+v", one)
	}
}

// TestTheSampleOfRecords: all of the first ones, then one of eight, none that is too large as it came or as JSON, and the oldest gives way.
func TestTheSampleOfRecords(t *testing.T) {
	var d drivers
	for i := range sampleRecords + 2*sampleEvery {
		d.look(fmt.Append(nil, i))
	}
	if len(d.records) != sampleRecords || d.next != 2 || string(d.records[0]) != fmt.Sprint(sampleRecords+sampleEvery-1) || string(d.records[1]) != fmt.Sprint(sampleRecords+2*sampleEvery-1) || string(d.records[2]) != "2" {
		t.Errorf("%d records, the next is %d: %s, %s, %s", len(d.records), d.next, d.records[0], d.records[1], d.records[2])
	}
	for size, want := range map[int]int{largestSample: 1, largestSample + 1: 0} {
		for name, convert := range map[string]func(dst, value []byte) ([]byte, error){
			"as it came": nil,
			"as JSON":    func(dst, value []byte) ([]byte, error) { return append(dst, make([]byte, size)...), nil },
		} {
			d := drivers{print: convert}
			value := make([]byte, size)
			if convert != nil {
				value = value[:1]
			}
			if d.look(value); len(d.records) != want {
				t.Errorf("%d bytes %s: %d are kept", size, name, len(d.records))
			}
		}
	}
	l := liveOf(stream.Status{})
	doc := &document.Document{}
	l.PrintedBy(func(dst, value []byte) ([]byte, error) { return append(dst, "printed"...), nil })
	l.Look([]byte("binary"))
	l.Notify(stream.Published{Document: doc, Term: 1, Version: 2})
	l.Notify(stream.Published{Term: 1, Version: 3})
	if l.Series(board.Key{}); l.drivers.newest != doc || string(l.drivers.records[0]) != "printed" { // a series is given behind what was noted
		t.Errorf("%v, %q", l.drivers.newest, l.drivers.records)
	}
}

// TestGatesOfMetrics: of one name the worst verdict, and the first of two that are equally bad; of many names those of a bound.
func TestGatesOfMetrics(t *testing.T) {
	s := judging()
	gate := func(name string, verdict fairness.Status, value float64) release.Gate {
		return release.Gate{Name: release.GateComparison, Comparison: name, Verdict: verdict, Value: value, Lo: value, Hi: value, Limit: math.NaN()}
	}
	gates := []release.Gate{gate("sex", fairness.Inconclusive, 1), gate("sex", fairness.Inconclusive, 2), gate("sex", fairness.Met, 3), gate("age", fairness.Met, 4), gate("age", fairness.Violated, 5)}
	for i := range mostGates {
		gates = append(gates, gate(fmt.Sprint("c", i), fairness.Met, 6))
	}
	s.Releases = &release.Report{Guard: &release.GuardReport{Gates: gates}}
	values := served(scraped(t, s), "fairstream_release_gate")
	counted, at := 0, map[string]float64{}
	for labels, value := range values {
		if strings.Contains(labels, `bound="value"`) {
			counted++
		}
		for _, name := range []string{"sex", "age"} {
			if strings.Contains(labels, `constraint="`+name+`"`) && strings.Contains(labels, `bound="value"`) {
				at[name] = value
			}
		}
	}
	if counted != mostGates || at["sex"] != 1 || at["age"] != 5 {
		t.Errorf("%d gates, %v", counted, at)
	}
}

// TestSpeedsNeedTwoLooks, and a point has the version of its record, unless that is from before a reset.
func TestSpeedsNeedTwoLooks(t *testing.T) {
	track := newTrack()
	for i := range int64(2) {
		if track.speed().Known() {
			t.Errorf("a speed after %d looks", i)
		}
		track.observe(&stream.Status{Version: 10 * i}, time.Unix(1000+2*i, 0))
	}
	if track.speed() != 5 {
		t.Errorf("%v", track.speed())
	}
	track.place(board.Version{Term: 3, Version: 7})
	for reset, want := range map[int64]int64{2: 7, 3: 0} {
		track.reset = reset
		s := &board.Series{Points: []board.Point{{N: 6}, {N: 7}}}
		if track.annotate(s); s.Points[0].Version != 0 || s.Points[1].Version != want {
			t.Errorf("reset in term %d: %+v", reset, s.Points)
		}
	}
}
