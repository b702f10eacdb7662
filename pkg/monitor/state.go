package monitor

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/evidence"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// ErrOtherSettings says that a state was saved under other settings: other comparisons, windows or run lengths. Its counts do
// not apply to the present settings.
var ErrOtherSettings = errors.New("monitor: the state was saved with other comparisons or settings: start a new monitor")

// stateFormat changes when the saved fields change. The detectors of format 1 had blocks that passed over the surplus of a side: their
// evidence continues, and the block that was open begins again. Differences at equal time begin with format 2, persons and repeats with format 3,
// weighed decisions with format 4.
const stateFormat = 4

// State is everything that a monitor has seen, as bytes. The same decisions always give the same bytes.
func (m *Monitor) State() []byte {
	c := codec.NewWriter(nil)
	m.fields(c)
	return c.Bytes()
}

// Restore returns a monitor that continues where the state was saved. The configuration must be that of the monitor that saved it:
// ErrOtherSettings says that it is not, any other error that the bytes are damaged. A Grouper that notes values it meets must
// have been restored before.
func Restore(config Config, state []byte) (*Monitor, error) {
	m, err := New(config)
	if err != nil {
		return nil, err
	}
	c := codec.NewReader(state)
	if same := m.fields(c); c.Err() == nil && !same {
		return nil, ErrOtherSettings
	}
	if err := c.End(); err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	return m, nil
}

// fields codes all that is saved; it says whether the settings are the same.
func (m *Monitor) fields(c *codec.Coder) bool {
	format, settings := uint64(stateFormat), m.settings()
	c.Uint(&format)
	codec.Text(c, &settings)
	if c.Reading() && (format < 1 || format > stateFormat || settings != m.settings()) {
		return false
	}
	c.Count(&m.records)
	c.Count(&m.steps)
	c.Count(&m.labelled)
	c.Count(&m.looked)
	c.Check(m.steps >= m.records && m.looked <= m.records)
	c.Bool(&m.timed)
	c.Int(&m.first)
	c.Int(&m.last)
	m.groups.fields(c, m.config.Grouper)
	if c.Reading() && c.Err() == nil {
		m.counters.grow(len(m.claims)*perComparison + len(m.groups.cells)*perGroup)
	}
	m.counters.fields(c)
	for i := range m.claims {
		m.claims[i].fields(c, format)
	}
	m.series.fields(c, m.config.Look)
	m.events.fields(c, len(m.claims))
	if format > 2 {
		for i := range m.persons {
			m.persons[i].Fields(c)
		}
		c.Count(&m.apart.Repeated)
		c.Count(&m.apart.Unknown)
		m.repeats.Fields(c)
	}
	if format > 3 {
		m.counters.sums.fields(c, len(m.claims)*perStanding)
		for i := range m.claims {
			m.claims[i].stoodFields(c)
		}
	}
	return true
}

// settings is what a state depends on, as text. The groups of a comparison of each value are not among them, which records bring.
func (m *Monitor) settings() string {
	text := fmt.Sprint(m.config.Window, m.config.Period, m.config.Look, m.config.RunLength, m.config.Confidence, m.config.Exact, m.config.Subject.ID)
	if m.config.Cluster != "" {
		text += fmt.Sprintf("\ncluster %q", m.config.Cluster)
	}
	for _, c := range m.config.Grouper.Comparisons() {
		text += fmt.Sprintf("\n%q %q %v %q", c.Name, c.Criterion, c.Tau, c.Strata)
		for _, term := range c.Group {
			text += fmt.Sprintf(" %q", term.Attribute)
		}
		if !c.Each {
			text += fmt.Sprintf(" %q %q", c.GroupLabel(), c.VersusLabel())
		}
	}
	return text
}

func (g *groups) fields(c *codec.Coder, grouper *fairness.Grouper) {
	c.Count(&g.beyond)
	n := c.Length(len(g.cells), 2)
	c.Check(n <= mostCells)
	for at := 0; at < n && c.Err() == nil; at++ {
		var one cell
		if !c.Reading() {
			one = g.cells[at]
		}
		codec.Index(c, &one.kind, max(1, len(g.kinds)))
		if len(g.kinds) == 0 {
			c.Check(false)
			return
		}
		if c.Reading() {
			one.levels = make([]fairness.Level, len(g.kinds[one.kind].attributes))
		}
		for k := range one.levels {
			level := int(one.levels[k])
			codec.Index(c, &level, grouper.Levels(g.kinds[one.kind].attributes[k]))
			one.levels[k] = fairness.Level(level)
		}
		calibrationFields(c, &one.calibration)
		if c.Reading() && c.Err() == nil {
			at := g.add(one.kind, one.levels)
			g.cells[at].calibration = one.calibration
			c.Check(len(g.cells) == at+1)
		}
	}
	c.Check(g.distinct())
}

// distinct says whether no two cells are of the same group.
func (g *groups) distinct() bool {
	n := 0
	for _, k := range g.kinds {
		n += len(k.index)
	}
	return n == len(g.cells)
}

func calibrationFields(c *codec.Coder, k *Calibration) {
	for i := range k.Records {
		c.Count(&k.Records[i])
		c.Count(&k.Positives[i])
		c.Sum(&k.Scores[i])
		c.Check(k.Positives[i] <= k.Records[i] && k.Scores[i] <= float64(k.Records[i]))
	}
}

func (f *frames) fields(c *codec.Coder) {
	codec.Index(c, &f.open, windowFrames)
	codec.Index(c, &f.filled, f.perFrame+1)
	c.Bool(&f.timed)
	c.Int(&f.newest)
	c.Count(&f.late)
	c.Count(&f.row)
	c.Check(f.newest > math.MinInt64/2 && f.newest < math.MaxInt64/2)
	sparse(c, f.closed, math.MaxInt64/2)
	for _, ring := range [...][][]uint32{f.recent, f.period} {
		for _, frame := range ring {
			sparse(c, frame, math.MaxUint32/2)
		}
	}
}

// sparse codes counters of which most are 0: each that is not, with its distance from the last.
func sparse[T int64 | uint32](c *codec.Coder, counters []T, most uint64) {
	nonzero := 0
	for _, n := range counters {
		if n != 0 {
			nonzero++
		}
	}
	nonzero = c.Length(nonzero, 2)
	at := -1
	for range nonzero {
		next := at + 1
		for !c.Reading() && counters[next] == 0 {
			next++
		}
		distance := next - at - 1
		codec.Index(c, &distance, max(1, len(counters)-at-1))
		if at += 1 + distance; c.Err() != nil || at >= len(counters) {
			c.Check(false)
			return
		}
		n := uint64(counters[at])
		c.Uint(&n)
		c.Check(n > 0 && n <= most)
		counters[at] = T(n)
	}
}

func (k *claim) fields(c *codec.Coder, format uint64) {
	evidence.Rates(c, &k.detector, format == 1)
	for i := range k.trials {
		trialsFields(c, &k.trials[i])
		trialsFields(c, &k.seen[i])
	}
	if format > 1 {
		evidence.Differences(c, &k.paired)
	}
	codec.Text(c, &k.status)
	c.Check(slices.Contains(fairness.Statuses(), k.status))
	k.changed.fields(c)
	c.Bool(&k.selective)
	c.Bool(&k.alarm.raised)
	k.alarm.since.fields(c)
	c.Count(&k.alarm.last)
}

// stoodFields codes what the last look rests on where decisions are weighed.
func (k *claim) stoodFields(c *codec.Coder) {
	for i := range k.stood {
		s := &k.stood[i]
		c.Count(&s.Records)
		c.Count(&s.Positives)
		for _, x := range [...]*float64{&s.Weight, &s.WeightSquared, &s.PositiveWeight, &s.PositiveSquared} {
			c.Sum(x)
		}
		c.Check(s.Positives <= s.Records && (s.Records == 0) == (s.Weight == 0) && (s.Weight == 0) == (s.WeightSquared == 0))
	}
}

// fields codes sums, of which most are 0.
func (s *sums) fields(c *codec.Coder, size int) {
	begun := s.begun()
	if c.Bool(&begun); !begun || c.Err() != nil {
		return
	}
	if c.Reading() {
		s.begin(size)
	}
	all := append([][]sum{s.closed}, s.recent...)
	for _, frame := range append(all, s.period...) {
		for i := range frame {
			one := &frame[i]
			if c.Count(&one.records); one.records > 0 {
				c.Sum(&one.weight)
				c.Sum(&one.squared)
				c.Check(one.weight > 0 && one.squared > 0)
			}
		}
	}
}

func trialsFields(c *codec.Coder, t *fairness.Trials) {
	c.Count(&t.Records)
	c.Count(&t.Positives)
	c.Sum(&t.Spread)
	c.Check(t.Positives <= t.Records)
}

func (t *moment) fields(c *codec.Coder) {
	c.Count(&t.record)
	c.Int(&t.time)
}

func (s *series) fields(c *codec.Coder, look int) {
	c.Count(&s.stride)
	c.Check(s.stride >= int64(look))
	n := c.Length(len(s.at), 2)
	c.Check(n <= seriesPoints)
	if c.Err() != nil {
		return
	}
	s.at = s.at[:n]
	for i := range s.at {
		s.at[i].fields(c)
	}
	for k := range s.points {
		s.points[k] = s.points[k][:n]
		last := values{absent, absent, absent, absent, absent, absent}
		for i := range s.points[k] {
			s.points[k][i].fields(c, &last)
		}
	}
}

// fields codes a point by what it differs in from the one before, which takes few bytes.
func (v *values) fields(c *codec.Coder, last *values) {
	for i := range v {
		step := int64(v[i]) - int64(last[i])
		c.Int(&step)
		x := int64(last[i]) + step
		c.Check(x == absent || x >= -pointUnits && x <= pointUnits)
		if c.Err() != nil {
			return
		}
		v[i], last[i] = int16(x), int16(x)
	}
}

func (e *events) fields(c *codec.Coder, comparisons int) {
	c.Count(&e.total)
	codec.Slice(c, &e.kept, 8, func(one *event) {
		codec.Text(c, &one.kind)
		codec.Index(c, &one.comparison, max(1, comparisons))
		one.at.fields(c)
		codec.Text(c, &one.from)
		codec.Text(c, &one.to)
		for _, x := range [...]*float64{&one.value, &one.lo, &one.hi, &one.evidence} {
			c.Float(x)
		}
	})
	c.Check(len(e.kept) <= mostEvents && int64(len(e.kept)) <= e.total)
}
