package release

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// TestVerdictsOfGates: an interval that touches a limit keeps it, of a difference, a ratio and a loss.
func TestVerdictsOfGates(t *testing.T) {
	above, below := math.Nextafter(.25, 1), math.Nextafter(.25, 0)
	for _, c := range []struct {
		lo, hi                  float64
		difference, ratio, loss fairness.Status
	}{
		{-.25, .25, fairness.Met, fairness.Inconclusive, fairness.Met}, {-above, .25, fairness.Inconclusive, fairness.Inconclusive, fairness.Met},
		{-.25, above, fairness.Inconclusive, fairness.Inconclusive, fairness.Inconclusive}, {.25, .5, fairness.Inconclusive, fairness.Met, fairness.Inconclusive},
		{above, .5, fairness.Violated, fairness.Met, fairness.Violated}, {below, .5, fairness.Inconclusive, fairness.Inconclusive, fairness.Inconclusive},
		{-.5, -above, fairness.Violated, fairness.Violated, fairness.Met}, {-.5, -.25, fairness.Inconclusive, fairness.Violated, fairness.Met},
		{.1, below, fairness.Met, fairness.Violated, fairness.Met}, {.25, .25, fairness.Met, fairness.Met, fairness.Met},
	} {
		difference, ratio := fairness.Comparison{Criterion: fairness.DemographicParity, Tau: .25}, fairness.Comparison{Criterion: fairness.ImpactRatio, Tau: .25}
		if got := [3]fairness.Status{within(difference, c.lo, c.hi), within(ratio, c.lo, c.hi), against(c.lo, c.hi, .25)}; got != [3]fairness.Status{c.difference, c.ratio, c.loss} {
			t.Errorf("[%v, %v]: %v", c.lo, c.hi, got)
		}
	}
}

// TestLossesOfScores: no score is so certain that one record decides, and no number leaves the sums infinite.
func TestLossesOfScores(t *testing.T) {
	for _, c := range []struct {
		score float64
		label bool
		want  float64
	}{
		{.5, true, math.Ln2}, {.5, false, math.Ln2}, {0, true, -math.Log(leastProbability)}, {1, false, -math.Log(leastProbability)}, {1, true, -math.Log(1 - leastProbability)},
		{0, false, -math.Log(1 - leastProbability)}, {leastProbability, true, -math.Log(leastProbability)}, {math.NaN(), true, -math.Log(leastProbability)}, {.75, false, -math.Log(.25)},
	} {
		if got := logLoss(c.score, c.label); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("a score of %v for the label %t loses %v, want %v", c.score, c.label, got, c.want)
		}
	}
	for off, want := range map[float64]float64{3: 3, -3: -3, mostOff: mostOff, 2 * mostOff: mostOff, -2 * mostOff: -mostOff, math.Inf(1): mostOff, math.Inf(-1): -mostOff} {
		if got := bounded(off); got != want {
			t.Errorf("%v is bounded to %v", off, got)
		}
	}
	if got := bounded(math.NaN()); math.Abs(got) != mostOff {
		t.Errorf("NaN is bounded to %v", got)
	}
}

// TestMeansBySide: predictions of both sides count, and people of whom it is not known are counted apart.
func TestMeansBySide(t *testing.T) {
	var k means
	for i, side := range []fairness.Side{fairness.Group, fairness.Versus, fairness.Unknown, fairness.Neither, fairness.Group, fairness.Unknown, fairness.Excluded} {
		k.add(side, float64(i))
	}
	if k.difference() != 2-1 || k.fewest() != 1 || k.unknown != 2 {
		t.Errorf("a difference of %v, %d on the smaller side, %d unknown", k.difference(), k.fewest(), k.unknown)
	}
}

// TestCommandsAtTheirBounds: the longest texts and the least numbers of a command, and what is beyond.
func TestCommandsAtTheirBounds(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		change func(c *Command)
		want   string
	}{
		"whole": {func(*Command) {}, ""},
		"longest": {func(c *Command) {
			c.ID, c.Actor, c.Reason, c.Version.SHA256 = long(200), long(200), long(2000), long(128)
		}, ""},
		"no id":             {func(c *Command) { c.ID = "" }, "identifier"},
		"a long id":         {func(c *Command) { c.ID = long(201) }, "identifier"},
		"no action":         {func(c *Command) { c.Action = "" }, "is no action"},
		"no actor":          {func(c *Command) { c.Actor = "" }, "actor"},
		"a long actor":      {func(c *Command) { c.Actor = long(201) }, "actor"},
		"no reason":         {func(c *Command) { c.Reason = "" }, "reason"},
		"a long reason":     {func(c *Command) { c.Reason = long(2001) }, "reason"},
		"a long hash":       {func(c *Command) { c.Version.SHA256 = long(129) }, "version"},
		"a negative term":   {func(c *Command) { c.Version.Term = -1 }, "version"},
		"a negative number": {func(c *Command) { c.Version.Version = -1 }, "version"},
		"the first version": {func(c *Command) { c.Version = Version{} }, ""},
	} {
		of := Command{ID: "i", Action: Pause, Actor: "ada", Reason: "r", Version: version(1)}
		c.change(&of)
		if err := of.problem(); (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "release: ")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMisuseOfAMachine panics with what the caller has to do.
func TestMisuseOfAMachine(t *testing.T) {
	for name, mistake := range map[string]func(m *Machine){
		"a decision too few": func(m *Machine) { m.Observe(&Record{Number: 1, Levels: []fairness.Level{fairness.OtherLevel}}) },
		"a decision too many": func(m *Machine) {
			m.Label(&Record{Number: 1, Labelled: true, Levels: []fairness.Level{fairness.OtherLevel}, Decisions: make([]Decision, 2)})
		},
		"no label": func(m *Machine) {
			m.Label(&Record{Number: 1, Levels: []fairness.Level{fairness.OtherLevel}, Decisions: make([]Decision, 1)})
		},
	} {
		m, _ := withStable(t, Default(), behaviour{})
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "release: ") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			mistake(m)
		}()
	}
}

// TestWhenStepsAreTaken: a step tells the newest record and the latest time, also of records that came while nothing was wanted, in whichever order.
func TestWhenStepsAreTaken(t *testing.T) {
	m, w := withStable(t, Default(), behaviour{})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, r := range []struct {
		number int64
		time   time.Time
	}{{5, at}, {9, at.Add(time.Hour)}, {7, at.Add(time.Minute)}, {8, time.Time{}}} {
		record := w.next(m.Wanted())
		record.Number, record.Time = r.number, r.time
		m.Observe(record)
	}
	obey(t, m, Command{ID: "a", Action: Pause})
	m.Pass(4)
	m.Pass(12)
	obey(t, m, Command{ID: "b", Action: Resume})
	m.Pass(3)
	obey(t, m, Command{ID: "c", Action: Pause})
	var got []string
	for _, s := range m.Steps() {
		got = append(got, fmt.Sprint(s.Record, " ", s.Time.UTC().Format(time.TimeOnly)))
	}
	if want := "[9 04:04:05 12 04:04:05 12 04:04:05]"; fmt.Sprint(got) != want {
		t.Errorf("steps after %v, want %s", got, want)
	}
}

// TestWhatIsLeftToDecide: how many more records a gate takes, where that can be known.
func TestWhatIsLeftToDecide(t *testing.T) {
	seen := monitor.Seen{Group: fairness.Trials{Records: 300, Positives: 90}, Versus: fairness.Trials{Records: 700, Positives: 210}}
	of := fairness.Comparison{Criterion: fairness.DemographicParity, Tau: .05}
	n := needed(of, seen, .95, 2000)
	if !(n > 0) || math.Abs(needed(of, seen, .95, 4000)/n-2) > .01 {
		t.Errorf("%v records are needed, and of a stream of which half are in neither group %v", n, needed(of, seen, .95, 4000))
	}
	for name, c := range map[string]fairness.Comparison{
		"a ratio": {Criterion: fairness.ImpactRatio, Tau: .8}, "no bound": {Criterion: fairness.DemographicParity}, "no rate": {Criterion: fairness.DemographicParity, Tau: 1},
	} {
		if got := needed(c, seen, .95, 2000); !math.IsNaN(got) {
			t.Errorf("%s: %v records are needed", name, got)
		}
	}
	seen.Group.Positives = 105 // the difference is tau itself
	if got := needed(of, seen, .95, 2000); !math.IsNaN(got) {
		t.Errorf("at the bound itself %v records are needed", got)
	}
	more := neededLabels(.01, .04, .95, 500)
	if !(more > 0) || neededLabels(-.01, .04, .95, 500) != more || neededLabels(.02, .04, .95, 500) >= more || !math.IsNaN(neededLabels(0, .04, .95, 500)) || !(neededLabels(.01, .04, .95, 0) > 0) {
		t.Errorf("%v labels are needed", more)
	}
	g := Gate{Limit: .2, Value: -.1, Lo: -.3, Hi: .1} // half the width is twice the room: four times as many records in all
	if got := neededMeans(&g, 1000); math.Abs(got-3000) > 1 {
		t.Errorf("%v records are needed", got)
	}
}

// TestOpenGates names what a version failed, each gate once and five at most.
func TestOpenGates(t *testing.T) {
	var gates []Gate
	for i := range 7 {
		g := newGate(GateComparison)
		g.Comparison, g.Verdict = fmt.Sprint("c", i%6), fairness.Violated
		gates = append(gates, g)
	}
	other := newGate(GateLogLoss)
	other.Verdict = fairness.Inconclusive
	idle := newGate(GateError)
	idle.Decides, idle.Verdict = false, fairness.Violated
	gates = append(gates, other, idle)
	five := open(gates[:5], fairness.Violated)
	if strings.Count(five, ", ") != 4 || strings.Contains(five, "more") || strings.Count(open(gates[:6], fairness.Violated), ", ") != 5 || !strings.HasSuffix(open(gates, fairness.Violated), ", and 1 more") ||
		!strings.HasSuffix(open(gates, ""), ", and 2 more") || open(gates[6:], fairness.Inconclusive) != other.words() || open(gates[8:], "") != "" {
		t.Errorf("%q, %q, %q", five, open(gates, fairness.Violated), open(gates, ""))
	}
	if newGate(GateError).Index != -1 {
		t.Error("a gate is of a comparison before it is said of which")
	}
}

// TestTheDocumentItself: the gate of a version's document.
func TestTheDocumentItself(t *testing.T) {
	l, err := newLimits(Default(), sex(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		of      Integrity
		verdict fairness.Status
		reason  string
	}{
		"sound":       {sound, fairness.Met, ""},
		"as large":    {Integrity{GoldenRows: 1, GoldenEqual: 1, Bytes: l.config.MostBytes}, fairness.Met, ""},
		"larger":      {Integrity{GoldenRows: 1, GoldenEqual: 1, Bytes: l.config.MostBytes + 1}, fairness.Violated, fmt.Sprintf("it has %d bytes, and the job allows %d", l.config.MostBytes+1, l.config.MostBytes)},
		"not sampled": {Integrity{}, fairness.Inconclusive, "no sample record was compared"},
		"other score": {Integrity{GoldenRows: 4, GoldenEqual: 3}, fairness.Violated, "1 of 4 sample records get another score than when the version was made"},
		"damaged":     {Integrity{Problem: "it is damaged", GoldenRows: 4, GoldenEqual: 3}, fairness.Violated, "it is damaged"},
	} {
		if g := l.sound(&trial{integrity: c.of}, true); g.Verdict != c.verdict || g.Reason != c.reason || g.Records != int64(c.of.GoldenRows) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestGatesOfMeans: a comparison of means needs records on both sides, and is met only if the attribute is known of enough.
func TestGatesOfMeans(t *testing.T) {
	config := Default()
	config.Regression, config.MinimumRecords, config.MostUnknown = true, 1000, .1
	l, err := newLimits(config, meanOf(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		records, unknown int
		shift            float64
		verdict          fairness.Status
		reason           string
	}{
		"too few":       {999, 0, 0, fairness.NotEstimable, fewRecords},
		"enough":        {1000, 0, 0, fairness.Met, ""},
		"too far":       {1000, 0, 2, fairness.Violated, ""},
		"known enough":  {1000, 200, 0, fairness.Met, ""},
		"known of few":  {1000, 300, 0, fairness.Inconclusive, "more records lack the attribute than the job allows"},
		"far and known": {1000, 300, 2, fairness.Violated, ""},
	} {
		tried := &trial{means: l.newMeans(), observed: int64(2000)}
		for i := range c.records {
			tried.means[0].add(fairness.Group, float64(i%2)/100+c.shift)
			tried.means[0].add(fairness.Versus, float64(i%2)/100)
		}
		for range c.unknown {
			tried.means[0].add(fairness.Unknown, 0)
		}
		if g := l.compared(tried, 0, false); g.Verdict != c.verdict || g.Reason != c.reason || g.Records != int64(2*c.records) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestMeasuredByTheLearner: a comparison without a confidence sequence is decided by what the learner measured of it, if it did.
func TestMeasuredByTheLearner(t *testing.T) {
	l, err := newLimits(Default(), sex(t))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for name, c := range map[string]struct {
		measured []Measured
		verdict  fairness.Status
	}{
		"nothing":       {nil, fairness.NotEstimable},
		"another":       {[]Measured{{1, .01, 0, .02}}, fairness.NotEstimable},
		"not known":     {[]Measured{{0, .01, nan, .02}, {0, .01, 0, nan}}, fairness.NotEstimable},
		"met":           {[]Measured{{1, .5, .4, .6}, {0, .01, 0, .02}}, fairness.Met},
		"violated":      {[]Measured{{0, .5, .4, .6}}, fairness.Violated},
		"not decided":   {[]Measured{{0, .1, 0, .6}}, fairness.Inconclusive},
		"told at last":  {[]Measured{{0, nan, nan, nan}, {0, .01, 0, .02}}, fairness.Met},
		"the last told": {[]Measured{{0, .5, .4, .6}, {0, .01, 0, .02}}, fairness.Met},
	} {
		g := newGate(GateComparison)
		g.Index = 0
		if l.measured(&g, &trial{integrity: Integrity{Measured: c.measured}}, l.bounds[0]); g.Verdict != c.verdict || g.Reason == "" {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestLossesAgainstARival: a loss is judged with enough labels only, and relative to the rival's where it is squared.
func TestLossesAgainstARival(t *testing.T) {
	config := Default()
	config.MinimumLabels, config.Delta = 500, .1
	l, err := newLimits(config, sex(t))
	if err != nil {
		t.Fatal(err)
	}
	filled := func(records int, mean float64) (p pair) {
		for i := range records {
			p.add(mean + []float64{-1e-4, 1e-4}[i%2])
		}
		return p
	}
	for name, c := range map[string]struct {
		gate    GateName
		rival   rival
		verdict fairness.Status
		reason  string
		value   float64
	}{
		"no label":         {GateLogLoss, rival{}, fairness.Inconclusive, "no label has come", math.NaN()},
		"few labels":       {GateLogLoss, rival{loss: filled(499, -1)}, fairness.Inconclusive, "fewer labels have come than the test needs", -1},
		"enough labels":    {GateLogLoss, rival{loss: filled(500, -1)}, fairness.Met, "", -1},
		"worse":            {GateLogLoss, rival{loss: filled(400, 5)}, fairness.Violated, "", 5},
		"wrong decisions":  {GateError, rival{loss: filled(500, 5), wrong: filled(500, -1)}, fairness.Met, "", -1},
		"squared":          {GateSquaredError, rival{loss: filled(500, -4), scale: filled(500, 4)}, fairness.Met, "", -1},
		"no squared error": {GateSquaredError, rival{loss: filled(500, 4)}, fairness.Inconclusive, "the squared error of the other version is 0", math.NaN()},
	} {
		g := l.losing(&trial{labelled: 500}, c.gate, &c.rival, false)
		if g.Verdict != c.verdict || g.Reason != c.reason || !(math.Abs(g.Value-c.value) < 1e-3) && !(math.IsNaN(g.Value) && math.IsNaN(c.value)) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestAnAlarmAboutMeansLooksAtRecentRecords: it ends when as many as it looks at are within tau, and not sooner.
func TestAnAlarmAboutMeansLooksAtRecentRecords(t *testing.T) {
	for name, c := range map[string]struct {
		records int
		shift   float64
		ends    bool
	}{"too few": {alarmWindow/2 - 1, 0, false}, "enough": {alarmWindow / 2, 0, true}, "at tau": {alarmWindow / 2, .25, true}, "beyond tau": {alarmWindow / 2, .26, false}} {
		a := meanAlarm{raised: true, told: true}
		for range c.records {
			a.recent.add(fairness.Group, c.shift)
			a.recent.add(fairness.Versus, 0)
		}
		if got := a.changed(.25); got != c.ends || a.raised == c.ends || a.changed(.25) {
			t.Errorf("%s: changed %t, raised %t", name, got, a.raised)
		}
	}
	a := meanAlarm{raised: true, told: true}
	for range alarmWindow {
		a.recent.add(fairness.Group, 0)
	}
	if a.changed(.25) {
		t.Error("an alarm ended without a record of the other side")
	}
}

// TestTheAnchor: the version with the least loss in the chain of the present one, of equal ones the oldest, that is still there.
func TestTheAnchor(t *testing.T) {
	of := func(n int64, loss float64, chain int64, gone bool) former {
		return former{version: version(n), loss: loss, chain: chain, gone: gone}
	}
	for name, c := range map[string]struct {
		line line
		want int64
	}{
		"the best":          {line{of(1, .5, 1, false), of(2, .3, 1, false), of(3, .4, 1, false)}, 2},
		"the oldest":        {line{of(1, .3, 1, false), of(2, .3, 1, false)}, 1},
		"of another chain":  {line{of(1, .1, 1, false), of(2, .3, 2, false), of(3, .4, 2, false)}, 2},
		"one that is gone":  {line{of(1, .1, 1, true), of(2, .3, 1, false)}, 2},
		"with a worse loss": {line{of(1, 5, 1, false)}, 1},
		"none is left":      {line{of(1, 5, 1, true)}, 0},
	} {
		if got := c.line.anchor().version; got != (Version{}) && got != version(c.want) || got == (Version{}) != (c.want == 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCountsOfAStateThatCannotBe: numbers that only grow leave room to, and none is above the records that it counts a part of.
func TestCountsOfAStateThatCannotBe(t *testing.T) {
	for n, taken := range map[int64]bool{0: true, 1 << 60: true, 1<<60 + 1: false} {
		w := codec.NewWriter(nil)
		w.Count(&n)
		c := codec.NewReader(w.Bytes())
		var read int64
		if count(c, &read); (c.End() == nil) != taken || taken && read != n {
			t.Errorf("%d is read as %d with %v", n, read, c.End())
		}
	}
	for name, c := range map[string]struct {
		of    rateContrast
		taken bool
	}{
		"all":     {rateContrast{{records: 5, stable: 5, earlier: 5, differ: 5}, {}}, true},
		"stable":  {rateContrast{{records: 5, stable: 6}, {}}, false},
		"earlier": {rateContrast{{}, {records: 5, earlier: 6}}, false},
		"differ":  {rateContrast{{}, {records: 5, differ: 6}}, false},
	} {
		w := codec.NewWriter(nil)
		c.of.fields(w)
		r := codec.NewReader(w.Bytes())
		var read rateContrast
		if read.fields(r); (r.End() == nil) != c.taken || c.taken && read != c.of {
			t.Errorf("%s: read as %+v with %v", name, read, r.End())
		}
	}
	of := Integrity{Problem: "p", GoldenRows: 3, GoldenEqual: 2, Bytes: 9, Measured: []Measured{{2, .1, 0, .2}, {1, -.1, -.5, .2}}}
	w := codec.NewWriter(nil)
	of.fields(w)
	r := codec.NewReader(w.Bytes())
	var read Integrity
	if read.fields(r); r.End() != nil || fmt.Sprint(read) != fmt.Sprint(of) {
		t.Errorf("%+v is read as %+v with %v", of, read, r.End())
	}
	for length, taken := range map[int]bool{128: true, 129: false} {
		v := Version{SHA256: strings.Repeat("a", length)}
		w := codec.NewWriter(nil)
		v.fields(w)
		r := codec.NewReader(w.Bytes())
		var read Version
		if read.fields(r); (r.End() == nil) != taken {
			t.Errorf("a hash of %d bytes is read with %v", length, r.End())
		}
	}
}

// TestSettingsOfTheEvidence: evidence is of the comparisons, the limits and the key of persons; other settings may change.
func TestSettingsOfTheEvidence(t *testing.T) {
	settings := func(change func(c *Config)) string {
		c := Default()
		change(&c)
		l, err := newLimits(c, sex(t))
		if err != nil {
			t.Fatal(err)
		}
		return l.settings()
	}
	same := settings(func(*Config) {})
	for name, c := range map[string]struct {
		change func(c *Config)
		same   bool
	}{
		"cool_down": {func(c *Config) { c.CoolDown++ }, true}, "deadline": {func(c *Config) { c.Deadline++ }, true}, "delta": {func(c *Config) { c.Delta /= 2 }, false},
		"confidence": {func(c *Config) { c.Confidence = .8 }, false}, "run length": {func(c *Config) { c.RunLength *= 2 }, false}, "limit": {func(c *Config) { c.Limit = .4 }, false},
		"cluster": {func(c *Config) { c.Cluster = "person" }, false}, "share": {func(c *Config) { c.Share /= 2 }, false}, "alarms": {func(c *Config) { c.AlarmRunLength *= 2 }, false},
	} {
		if got := settings(c.change) == same; got != c.same {
			t.Errorf("%s: the evidence goes on: %t", name, got)
		}
	}
}
