package observe

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestGoldenFields are missing, of no known text, a known level, or a number from -50 to 150, by the hash.
func TestGoldenFields(t *testing.T) {
	levels := []string{"a", "b", "c"}
	for _, test := range []struct {
		hash   uint64
		levels []string
		want   string
	}{
		{0, levels, "missing"}, {8, levels, "missing"}, {1, levels, "(golden)"}, {9, nil, "(golden)"}, {2, levels, "a"}, {4 + 1<<8, levels, "b"}, {3 + 5<<8, levels, "c"},
		{3 + 5<<8, nil, "-49.95"}, {5, levels, "-50"}, {7 + 20_000<<8, levels, "150"}, {6 + 20_001<<8, levels, "-50"}, {6 + 5123<<8, levels, "1.2299999999999969"},
	} {
		f := goldenField("x", test.levels, test.hash)
		got := string(f.Text)
		if f.Missing {
			got = "missing"
		}
		if got != test.want || f.Name != "x" || f.ID != record.NoName || !f.Missing && f.Hash != record.Hash(f.Text) {
			t.Errorf("%d of %d levels: %q, want %q", test.hash, len(test.levels), got, test.want)
		}
	}
	rows := golden([]string{"x", "y"}, [][]string{levels, nil})
	if len(rows) != goldenRecords || rows[3].Weight != 1 || len(rows[3].Features) != 2 || rows[3].Features[1].Name != "y" ||
		string(rows[3].Features[1].Text) != string(goldenField("y", nil, record.Mix(3, 1)).Text) {
		t.Errorf("%d rows, %+v", len(rows), rows[3])
	}
}

// TestSamples: a panel decides the records whose key, or else whose place, is in its share.
func TestSamples(t *testing.T) {
	for _, share := range []float64{1, .5, .01} {
		decided := 0
		for i := range 200 {
			r := &record.Record{Key: []byte(strconv.Itoa(i))}
			place := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, 3), uint64(i))
			for _, keyed := range []bool{true, false} {
				want := record.Sampled(share, place)
				if keyed {
					want = record.Sampled(share, r.Key)
				}
				if got := (&Panel{share: share, keyed: keyed}).samples(3, &kafka.Record{Offset: int64(i)}, r); got != (share == 1 || want) {
					t.Errorf("share %v, keyed %v, record %d: %v", share, keyed, i, got)
				} else if got {
					decided++
				}
			}
		}
		if far := math.Abs(float64(decided)/400 - share); far > .1 {
			t.Errorf("share %v: %d of 400 are decided", share, decided)
		}
	}
}

// TestAJuryKeepsItsMembers that are in the next panel, too, wherever they stand there; others leave, and those of the same panel stay.
func TestAJuryKeepsItsMembers(t *testing.T) {
	one, two, three := release.Version{Version: 1}, release.Version{Version: 2}, release.Version{Version: 3}
	first, second := &document.Classifier{}, &document.Classifier{}
	j := Jury{members: []member{{version: one, classifier: first}, {version: two, classifier: second}}}
	p := &Panel{members: []member{{version: three}, {version: two}, {version: one}}}
	j.follow(p)
	if len(j.members) != 3 || j.members[0] != (member{version: three}) || j.members[1].classifier != second || j.members[2].classifier != first {
		t.Errorf("%+v", j.members)
	}
	j.members = j.members[:1]
	if j.follow(p); len(j.members) != 1 {
		t.Error("the same panel makes another jury")
	}
	if j.follow(&Panel{members: []member{{version: two}}}); len(j.members) != 1 || j.members[0] != (member{version: two}) {
		t.Errorf("%+v", j.members)
	}
}

// TestMarks differ if anything differs that is read of a record but the order of its fields, and if its identifier does.
func TestMarks(t *testing.T) {
	of := func(id, key string, levels []fairness.Level, features ...uint64) [2]uint64 {
		r := &record.Record{}
		for _, hash := range features {
			r.Features = append(r.Features, record.Field{Hash: hash})
		}
		var message []byte
		if id != "" {
			r.ID = []byte(id)
		}
		if key != "" {
			message = []byte(key)
		}
		content, identity := marksOf(r, levels, message)
		return [2]uint64{content, identity}
	}
	plain := of("", "", []fairness.Level{1, 2}, 7, 8)
	if plain[0] == 0 || plain[1] != 0 || plain != of("", "", []fairness.Level{1, 2}, 8, 7) {
		t.Errorf("%v", plain)
	}
	for i, other := range [][2]uint64{of("", "", []fairness.Level{1, 3}, 7, 8), of("", "", []fairness.Level{2, 1}, 7, 8), of("", "", []fairness.Level{1, 2}, 7), of("", "", []fairness.Level{1}, 7, 8)} {
		if other[0] == plain[0] {
			t.Errorf("record %d has the content of another", i)
		}
	}
	if a := of("one", "two", nil); a[1] != max(1, record.Hash([]byte("one"))) || of("", "two", nil)[1] != max(1, record.Hash([]byte("two"))) {
		t.Errorf("identities %v", a)
	}
	if personOf(&record.Record{}) != 0 || personOf(&record.Record{Cluster: []byte("p")}) != max(1, record.Hash([]byte("p"))) {
		t.Error("a person is somebody else")
	}
}

// TestASectionOfReleasesAtItsBounds: as many records as there were may be covered, none more, and steps are of releases.
func TestASectionOfReleasesAtItsBounds(t *testing.T) {
	j, _, _ := promoted(t, easy())
	state, machine := stateOf(j.snapshot.Release)
	records := *state.Records
	for name, test := range map[string]struct {
		change  func(s *releaseState)
		refused bool
		blind   int64
	}{
		"as it is":           {func(*releaseState) {}, false, 0},
		"of an older owner":  {func(s *releaseState) { s.Records = nil }, false, 0},
		"of fewer records":   {func(s *releaseState) { *s.Records-- }, false, records},
		"of none":            {func(s *releaseState) { *s.Records = 0 }, false, records},
		"of more records":    {func(s *releaseState) { *s.Records = records + 1 }, true, 0},
		"of less than none":  {func(s *releaseState) { *s.Records = -1 }, true, 0},
		"blind":              {func(s *releaseState) { s.Blind = 7 }, false, 7},
		"an entry of others": {func(s *releaseState) { s.Steps = []history.Entry{{Kind: history.Publication}} }, true, 0},
		"no step":            {func(s *releaseState) { s.Steps = []history.Entry{{Kind: history.Release}} }, true, 0},
		"a wrong pace":       {func(s *releaseState) { s.Pace.Halvings = mostHalvings + 1 }, true, 0},
	} {
		changed := *state
		number := records
		if changed.Records != nil {
			changed.Records = &number
		}
		test.change(&changed)
		r, err := restoreReleases(j.settings, j.decider, changed.section(machine), records)
		if (err != nil) != test.refused || err == nil && r.blind != test.blind {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}

// TestAnAssignmentOfASection: aliases that point to no document, and documents that must stay.
func TestAnAssignmentOfASection(t *testing.T) {
	s := &savedAssignment{Aliases: map[string]*history.Weights{"stable": {Term: 2, Version: 30, WeightsSHA256: "ab"}, "previous": nil}, Kept: []*history.Weights{{Term: 1, Version: 20}, nil}}
	a := s.assignment(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	if len(a.Aliases) != 2 || a.Aliases["previous"] != (modeltopic.Target{}) || len(a.Kept) != 1 || !a.Kept[modeltopic.Place{Term: 1, Version: 20}] {
		t.Errorf("%+v", a)
	}
	if to := a.Aliases["stable"]; to.Term != 2 || to.Version != 30 || to.SHA256 != "ab" || !to.UnwatchedSince.Equal(a.UnwatchedSince) || a.UnwatchedSince.IsZero() {
		t.Errorf("%+v", to)
	}
}

// TestASectionOfTheMonitorAtItsBounds: it has the decisions of at most so many models, and counts that can be.
func TestASectionOfTheMonitorAtItsBounds(t *testing.T) {
	o := theirSettings()
	d, err := NewDecider(o.Model, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	section := func(beyond uint64, since uint64, models int) []byte {
		w, err := newWitnesses(o, d)
		if err != nil {
			t.Fatal(err)
		}
		dst := binary.AppendUvarint(nil, beyond)
		for i := range models {
			one, err := w.of(fmt.Sprint("model ", i%mostModels))
			if err != nil {
				t.Fatal(err)
			}
			dst = envelope.AppendSection(dst, []byte(fmt.Sprint("model ", i)))
			dst = envelope.AppendSection(dst, append(binary.AppendUvarint(nil, since), one.monitor.State()...))
		}
		return dst
	}
	for name, test := range map[string]struct {
		section []byte
		refused bool
	}{
		"nothing":            {nil, false},
		"no models":          {section(0, 0, 0), false},
		"the most":           {section(math.MaxInt64, math.MaxInt64, mostModels), false},
		"more models":        {section(0, 0, mostModels+1), true},
		"too many decisions": {section(math.MaxInt64+1, 0, 1), true},
		"too many records":   {section(0, math.MaxInt64+1, 1), true},
		"cut off":            {section(3, 4, 2)[:40], true},
		"no number":          {[]byte{0xff}, true},
		"a model of nothing": {envelope.AppendSection(envelope.AppendSection([]byte{0}, []byte("model 0")), nil), true},
	} {
		w, err := restoreWitnesses(o, d, test.section)
		if (err != nil) != test.refused {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && len(test.section) > 0 && string(w.state()) != string(test.section) {
			t.Errorf("%s: it is saved as another", name)
		}
	}
	var none *witnesses
	if none.state() != nil || none.monitored() != nil || none.repeated() != 0 || none.unmonitored() != 0 {
		t.Error("nobody has seen something")
	}
}

// TestWhatWasObserved is what the monitor and the releases know of a job after so many records, and what they announce.
func TestWhatWasObserved(t *testing.T) {
	settings := easy()
	settings.Release.Share = .5
	settings.Monitoring.RunLength = 1000
	j := newJob(t, settings)
	var text strings.Builder
	for i := range 4 {
		j.learn(400)
		if i < 2 {
			j.publish()
		}
		taken := j.checkpoint()
		for _, a := range taken.Announcements {
			text.WriteString(goldentest.Print("announced "+a.ID, *a.Decisions))
		}
		for _, step := range taken.Steps.Steps {
			text.WriteString(goldentest.Print(fmt.Sprint("step ", step.Number), []any{step.Kind, step.Record, step.Version.Term, step.Version.Version, step.Reason}))
		}
		text.WriteString(goldentest.Print(fmt.Sprintf("after %d", j.number), []any{j.Report().Monitored[0].Report, j.releases.report().Trial, j.releases.pace.present()}))
	}
	goldentest.Compare(t, "observed.txt", text.String())
}

// TestMeasuredComparisons are those that have the name, the criterion and the groups of an estimate, if it can be estimated.
func TestMeasuredComparisons(t *testing.T) {
	w, _, _ := begun(t, adultSettings())
	c := w.releases.grouper.Comparisons()[0]
	for name, test := range map[string]struct {
		change func(e *fairness.Estimate)
		want   int
	}{
		"the same":         {func(*fairness.Estimate) {}, 1},
		"another name":     {func(e *fairness.Estimate) { e.Name += "x" }, 0},
		"another group":    {func(e *fairness.Estimate) { e.Group += "x" }, 0},
		"against another":  {func(e *fairness.Estimate) { e.Versus += "x" }, 0},
		"of another kind":  {func(e *fairness.Estimate) { e.Criterion += "x" }, 0},
		"not to be judged": {func(e *fairness.Estimate) { e.Status = fairness.NotEstimable }, 0},
	} {
		e := fairness.Estimate{Name: c.Name, Criterion: c.Criterion, Group: c.GroupLabel(), Versus: c.VersusLabel(), Value: .1, Lo: -.2, Hi: .3}
		test.change(&e)
		all := w.releases.measured([]fairness.Estimate{e})
		if len(all) != test.want || test.want > 0 && (all[0].Comparison != 0 || all[0].Value != .1 || all[0].Lo != -.2 || all[0].Hi != .3) {
			t.Errorf("%s: %+v", name, all)
		}
	}
}
