package release

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// TestHashesThatAreKept: each once, and the newest of them.
func TestHashesThatAreKept(t *testing.T) {
	var hashes []string
	for i := range mostHashes {
		hashes = remember(hashes, fmt.Sprint(i))
	}
	if again := remember(hashes, "7"); len(again) != mostHashes || again[0] != "0" {
		t.Errorf("%d hashes are kept, from %s on", len(again), again[0])
	}
	if more := remember(hashes, "more"); len(more) != mostHashes || more[0] != "1" || more[mostHashes-1] != "more" {
		t.Errorf("%d hashes are kept, from %s to %s", len(more), more[0], more[len(more)-1])
	}
}

// TestStatesAtTheirBounds: as many versions, hashes and answers as a machine may have are read, and not one more.
func TestStatesAtTheirBounds(t *testing.T) {
	texts := func(count int) (all []string) {
		for i := range count {
			all = append(all, fmt.Sprint(i))
		}
		return all
	}
	for name, c := range map[string]struct {
		most int
		set  func(m *Machine, count int)
	}{
		"versions":  {mostLine, func(m *Machine, count int) { m.line = slices.Repeat(m.line[:1], count) }},
		"withdrawn": {mostHashes, func(m *Machine, count int) { m.banned = texts(count) }},
		"rejected":  {mostHashes, func(m *Machine, count int) { m.tried = texts(count) }},
		"answers":   {mostAnswers, func(m *Machine, count int) { m.answers = make([]answer, count) }},
		"compared": {2, func(m *Machine, count int) {
			m.guard.inquiry = &inquiry{}
			for range count {
				m.guard.inquiry.earlier = append(m.guard.inquiry.earlier, earlier{version: version(1), by: m.guard.contrasts()})
			}
		}},
	} {
		for more, taken := range []bool{true, false} {
			m, _ := withStable(t, Default(), behaviour{})
			c.set(m, c.most+more)
			if _, err := Restore(Default(), sex(t), m.AppendState(nil)); (err == nil) != taken || err != nil && !strings.HasPrefix(err.Error(), "release: ") {
				t.Errorf("%d %s: %v", c.most+more, name, err)
			}
		}
	}
	m, _ := withStable(t, Default(), behaviour{})
	state := m.AppendState(nil)
	for _, cut := range []int{0, 1, len(state) / 2, len(state) - 1} {
		if _, err := Restore(Default(), sex(t), state[:cut]); err == nil {
			t.Errorf("%d of %d bytes are taken for a state", cut, len(state))
		}
	}
}

// TestSettingsOfLimits: a limit may be tau itself, and settings that cannot be are refused wherever they come from.
func TestSettingsOfLimits(t *testing.T) {
	of := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .05}
	if bound, err := (Config{Limit: .05}).bound(of); err != nil || bound.Tau != .05 {
		t.Errorf("a limit of tau: %v, %v", bound.Tau, err)
	}
	bad := Default()
	bad.Confidence = 2
	if _, err := newLimits(bad, nil); err == nil {
		t.Error("a confidence of 2")
	}
	if l, err := newLimits(Default(), nil); err != nil || l.counted() || l.hasMeans() || l.withdrawAt != Default().RunLength {
		t.Errorf("without comparisons: %+v, %v", l, err)
	}
}

// TestAnEarlierVersionThatIsGone is compared with no more; if the stable one is gone, there are no decisions to compare.
func TestAnEarlierVersionThatIsGone(t *testing.T) {
	for gone, want := range map[int64]string{1: "[2]", 2: "[1]", 3: "none", 7: "[1 2]"} {
		m, _ := withStable(t, Default(), behaviour{})
		for n := range int64(2) {
			obey(t, m, Command{ID: fmt.Sprint("to ", n+2), Action: Promote, Version: version(n + 2)})
		}
		m.guard.inquiry = &inquiry{earlier: []earlier{{version: version(1), by: m.guard.contrasts()}, {version: version(2), by: m.guard.contrasts()}}}
		m.Gone(version(gone))
		got := "none"
		if q := m.guard.inquiry; q != nil {
			var numbers []int64
			for _, e := range q.earlier {
				numbers = append(numbers, e.version.Version)
			}
			got = fmt.Sprint(numbers)
		}
		if got != want {
			t.Errorf("without version %d, these are compared: %s, want %s", gone, got, want)
		}
	}
}

// TestWordsOfAVerdict: a bound of the interval has as many places as tell it apart from tau, six at most, and a ratio no sign.
func TestWordsOfAVerdict(t *testing.T) {
	others := fairness.Comparison{Name: "ratio", Criterion: fairness.ImpactRatio, Tau: .8, Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}}
	m := machine(t, Default(), sex(t, others))
	obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
	m.Steps()
	for _, c := range []struct {
		event monitor.Event
		kind  StepKind
		want  string
	}{
		{monitor.Event{To: fairness.Violated, Lo: .07, Hi: .12}, Violated, "the difference is from +0.070 to +0.120"},
		{monitor.Event{To: fairness.Violated, Lo: -.1, Hi: -.0502}, Violated, "the difference is from −0.100 to −0.0502"},
		{monitor.Event{To: fairness.Violated, Lo: .05000001, Hi: .1}, Violated, "the difference is from +0.050000 to +0.100"},
		{monitor.Event{To: fairness.Violated, Lo: .05, Hi: .1}, Violated, "the difference is from +0.050 to +0.100"},
		{monitor.Event{From: fairness.Violated, To: fairness.Met, Lo: -.01, Hi: .04}, ViolatedEnded, "the difference is from −0.010 to +0.040"},
		{monitor.Event{Comparison: 1, To: fairness.Violated, Lo: .5, Hi: .7996}, Violated, "the ratio is from 0.500 to 0.7996"},
	} {
		m.tellVerdict(&c.event)
		if steps := m.Steps(); len(steps) != 1 || steps[0].Kind != c.kind || !strings.HasSuffix(steps[0].Reason, "; "+c.want) {
			t.Errorf("%+v, want %s", steps, c.want)
		}
	}
	m.tellVerdict(&monitor.Event{From: fairness.Inconclusive, To: fairness.Met})
	m.guard.marked = true
	m.tellVerdict(&monitor.Event{To: fairness.Violated, Lo: .07, Hi: .12})
	if m.HasSteps() {
		t.Errorf("%+v: no news of a version that was tested, or is marked", m.Steps())
	}
	if got := m.guard.names([]bool{true, true}); got != "sex, ratio" || m.guard.names([]bool{false, true}) != "ratio" || m.guard.names([]bool{false, false}) != "" {
		t.Errorf("both are called %q", got)
	}
	if gates := (*guard)(nil).gates(); gates != nil {
		t.Errorf("without a stable version there are %+v", gates)
	}
}

// TestGatesOfGroupsThatNobodyIsIn are not shown.
func TestGatesOfGroupsThatNobodyIsIn(t *testing.T) {
	each := fairness.Comparison{Name: "each", Criterion: fairness.DemographicParity, Tau: .05, Rest: true, Each: true, Group: []fairness.Term{{Attribute: "region"}}}
	g := sex(t, each)
	m := machine(t, Default(), g)
	obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
	if gates := m.guard.gates(); len(gates) != 1 || gates[0].Comparison != "sex" || gates[0].Bound != .05 || gates[0].Limit != m.guard.limits.bounds[0].Tau {
		t.Errorf("%+v", gates)
	}
}

// compared is a comparison of two versions whose outcome is given.
type compared struct {
	contrast
	few           bool
	verdict       fairness.Status
	now           float64 // the difference of the stable version
	gained, least float64 // by how much it is above the earlier one's, and the lower end of that
}

func (c compared) enough() bool                                         { return !c.few }
func (c compared) status(*fairness.Comparison, float64) fairness.Status { return c.verdict }
func (c compared) present() float64                                     { return c.now }
func (c compared) gain(float64) (value, lo, hi float64) {
	if c.now < 0 {
		return -c.gained, -2*c.gained + c.least, -c.least
	}
	return c.gained, c.least, 2*c.gained - c.least
}

// TestWhichEarlierVersionIsBetter: one whose difference is surely smaller, and not as large to the other side, in each comparison that left its limit, and that is
// within the limit in all that decide.
func TestWhichEarlierVersionIsBetter(t *testing.T) {
	others := fairness.Comparison{Name: "race", Criterion: fairness.DemographicParity, Tau: .05, Rest: true, Enforce: true, Group: []fairness.Term{fairness.Is("race", "b")}}
	shown := others
	shown.Name, shown.Enforce = "shown", false
	good := compared{verdict: fairness.Met, now: .2, gained: .15, least: .05}
	with := func(change func(c *compared)) compared {
		c := good
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		over [3]bool
		by   [3]compared
		want bool
	}{
		"better":                        {[3]bool{true}, [3]compared{good, {few: true}, {few: true}}, true},
		"better of a negative one":      {[3]bool{true}, [3]compared{with(func(c *compared) { c.now = -.2 }), {few: true}, {few: true}}, true},
		"by chance":                     {[3]bool{true}, [3]compared{with(func(c *compared) { c.least = 0 }), {few: true}, {few: true}}, false},
		"as far to the other side":      {[3]bool{true}, [3]compared{with(func(c *compared) { c.gained = .4 }), {few: true}, {few: true}}, false},
		"less far to the other side":    {[3]bool{true}, [3]compared{with(func(c *compared) { c.gained = .39 }), {few: true}, {few: true}}, true},
		"too few records":               {[3]bool{true}, [3]compared{with(func(c *compared) { c.few = true }), {few: true}, {few: true}}, false},
		"outside the limit":             {[3]bool{true}, [3]compared{with(func(c *compared) { c.verdict = fairness.Violated }), {few: true}, {few: true}}, false},
		"outside another limit":         {[3]bool{true}, [3]compared{good, {verdict: fairness.Violated}, {few: true}}, false},
		"within another limit":          {[3]bool{true}, [3]compared{good, {verdict: fairness.Inconclusive}, {few: true}}, true},
		"outside of one that is shown":  {[3]bool{true}, [3]compared{good, {few: true}, {verdict: fairness.Violated}}, true},
		"both left, and one is better":  {[3]bool{true, true}, [3]compared{good, with(func(c *compared) { c.least = -.01 }), {few: true}}, false},
		"both left, and both are":       {[3]bool{true, true}, [3]compared{good, good, {few: true}}, true},
		"both left, and one is not yet": {[3]bool{true, true}, [3]compared{good, {few: true}, {few: true}}, false},
	} {
		m := machine(t, Default(), sex(t, others, shown))
		obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
		copy(m.guard.over, c.over[:])
		if got := m.guard.better(&earlier{version: version(2), by: []contrast{c.by[0], c.by[1], c.by[2]}}); got != c.want {
			t.Errorf("%s: better %t", name, got)
		}
	}
}

// TestAnInquiryEnds: without a test for withdrawal after so many records, and else by marking the stable version once both have lasted long enough.
func TestAnInquiryEnds(t *testing.T) {
	for name, c := range map[string]struct {
		observed, records, crossed int64
		open, marked               bool
	}{
		"an alarm, not long ago":         {inquiryLength - 1, 50_000, 0, true, false},
		"an alarm, long ago":             {inquiryLength, 50_000, 0, false, false},
		"a test, not long ago":           {inquiryWait - 1, 50_000, 40_000, true, false},
		"a test, long ago":               {inquiryWait, 50_000, 50_000 - inquiryWait/2, false, true},
		"a test of late in an old alarm": {inquiryWait, 50_000, 50_001 - inquiryWait/2, true, false},
	} {
		m, _ := withStable(t, Default(), behaviour{})
		obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
		m.Steps()
		m.records, m.guard.crossed = c.records, c.crossed
		m.guard.over[0] = c.crossed > 0
		m.guard.inquiry = &inquiry{observed: c.observed, earlier: []earlier{{version(1), []contrast{compared{few: true}}}}}
		m.checkStable()
		if open := m.guard.inquiry != nil; open != c.open || m.guard.marked != c.marked {
			t.Errorf("%s: open %t, marked %t", name, open, m.guard.marked)
		}
		if steps := kinds(m.Steps()); slices.Contains(steps, Marked) != c.marked {
			t.Errorf("%s: steps %v", name, steps)
		}
	}
}

// TestAnAlarmAboutMeansCountsBothSides, however few are on one.
func TestAnAlarmAboutMeansCountsBothSides(t *testing.T) {
	for _, rare := range []fairness.Side{fairness.Group, fairness.Versus} {
		for missing, ends := range map[int]bool{0: true, 1: false} {
			a := meanAlarm{raised: true, told: true}
			for i := range alarmWindow - missing {
				side := fairness.Group + fairness.Versus - rare
				if i%100 == 0 {
					side = rare
				}
				a.recent.add(side, 0)
			}
			if got := a.changed(.25); got != ends || a.raised == ends {
				t.Errorf("%v is rare, %d records are missing: changed %t", rare, missing, got)
			}
		}
	}
	for records, want := range map[int64]bool{fairness.SequenceMinimum: true, fairness.SequenceMinimum - 1: false} {
		var k meanContrast
		for i := range records {
			k.add(fairness.Group, Decision{Score: float64(i)}, Decision{Score: 1})
			k.add(fairness.Versus, Decision{Score: float64(i)}, Decision{Score: 1})
		}
		if k.enough() != want {
			t.Errorf("%d records of each side are enough: %t", records, !want)
		}
	}
}

// TestARollbackBeginsAChainOnce: a version without a chain gets the next one, one with a chain keeps it.
func TestARollbackBeginsAChainOnce(t *testing.T) {
	for chain, want := range map[int64][2]int64{0: {8, 8}, 1: {1, 7}, 5: {5, 7}} { // of the version, and the last of the machine
		m, _ := withStable(t, Default(), behaviour{})
		obey(t, m, Command{ID: "second", Action: Promote, Version: version(2)})
		m.chain = 7
		for i := range m.line {
			if m.line[i].version == version(1) {
				m.line[i].chain = chain
			}
		}
		obey(t, m, Command{ID: "back", Action: Rollback, Version: version(1)})
		if f := m.line.find(version(1)); f.chain != want[0] || m.chain != want[1] || m.line.stable() != version(1) {
			t.Errorf("chain %d becomes %d, the last is %d, want %v", chain, f.chain, m.chain, want)
		}
	}
}
