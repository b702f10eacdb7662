package release

import (
	"errors"
	"fmt"
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// stateFormat changes when the saved fields change. Format 1 has no tests of withdrawal for mean differences, which begin
// when it is read, and does not say what a mark is about. Up to format 2 a block passed over the surplus of a side: see internal/evidence. Up to
// format 3 labels do not depend on records, and up to format 4 not in the monitors.
const stateFormat = 5

// AppendState appends everything that the machine has seen. The same records and commands always give the same bytes. Steps that were
// not taken are not part of it.
func (m *Machine) AppendState(dst []byte) []byte {
	c := codec.NewWriter(dst)
	m.fields(c)
	return c.Bytes()
}

// Restore returns a machine that continues where a state was saved. A Grouper that notes values must have been restored before. Under
// other comparisons or settings, versions and commands stay, and the evidence begins again, with a step Restarted.
func Restore(config Config, grouper *fairness.Grouper, state []byte) (*Machine, error) {
	m, err := New(config, grouper)
	if err != nil {
		return nil, err
	}
	c := codec.NewReader(state)
	same := m.fields(c)
	if err := c.End(); err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	m.arrange()
	if !same {
		m.restart()
	}
	return m, nil
}

// restart begins all evidence again.
func (m *Machine) restart() {
	if len(m.line) > 0 {
		m.guard = m.newGuard(m.line.stable(), m.last)
	}
	m.arrange()
	m.step(Step{Kind: Restarted, Version: m.line.stable(), Reason: "the comparisons or the settings have changed, so the tests begin again"}, m.Aliases())
	if t := m.trial; t != nil {
		m.freeze(t.version, t.integrity, "the comparisons or the settings have changed, so the tests begin again")
	}
}

// settings is what the evidence depends on, as text.
func (l *limits) settings() string {
	k := l.config
	text := fmt.Sprint(k.Regression, k.Delta, k.Confidence, k.RunLength, k.AlarmRunLength, k.Share)
	if k.Cluster != "" {
		text += fmt.Sprintf(" cluster %q", k.Cluster)
	}
	for i, c := range l.comparisons() {
		text += fmt.Sprintf("\n%q %q %v %v %q %v", c.Name, c.Criterion, c.Tau, l.bounds[i].Tau, c.Strata, c.Enforce)
		for _, term := range c.Group {
			text += fmt.Sprintf(" %q", term.Attribute)
		}
		if !c.Each {
			text += fmt.Sprintf(" %q %q", c.GroupLabel(), c.VersusLabel())
		}
	}
	return text
}

// fields codes all that is saved. It says whether the evidence is of the same settings; if not, only what does not depend on them is read.
func (m *Machine) fields(c *codec.Coder) bool {
	format := uint64(stateFormat)
	c.Uint(&format)
	c.Check(format >= 1 && format <= stateFormat)
	for _, n := range [...]*int64{&m.records, &m.steps, &m.last, &m.number, &m.changed, &m.chain} {
		count(c, n)
	}
	c.Int(&m.lastTime)
	c.Check(m.steps >= m.records && m.changed <= m.records)
	codec.Slice(c, (*[]former)(&m.line), 15, func(f *former) {
		f.version.fields(c)
		c.Within(&f.loss, mostMean)
		count(c, &f.chain)
		c.Bool(&f.gone)
	})
	c.Check(len(m.line) <= mostLine)
	hashes(c, &m.banned)
	hashes(c, &m.tried)
	c.Bool(&m.paused)
	c.Bool(&m.pinned)
	codec.Slice(c, &m.answers, 2, func(a *answer) {
		codec.Text(c, &a.id)
		codec.Text(c, &a.problem)
	})
	c.Check(len(m.answers) <= mostAnswers)
	some(c, &m.waiting, func(o *offer) { o.version.fields(c); o.integrity.fields(c) })
	some(c, &m.trial, func(t *trial) {
		t.version.fields(c)
		t.integrity.fields(c)
		count(c, &t.frozen)
		if c.Reading() {
			t.rivals = make([]rival, 1)
		}
	})
	same := m.settings()
	codec.Text(c, &same)
	if c.Err() != nil {
		return true
	}
	if same != m.settings() {
		c.Rest()
		m.clamp()
		return false
	}
	c.Check((len(m.line) > 0) == m.hasGuard(c))
	if m.guard != nil {
		m.guard.fields(c, format)
	}
	if m.trial != nil {
		m.trial.fields(c, m.limits, format)
	}
	return true
}

// mostLine is beyond what Config.Anchors allows.
const mostLine = 20

// clamp keeps what the present settings allow of a line that was saved under others.
func (m *Machine) clamp() {
	m.line = m.line[max(0, len(m.line)-m.config.Anchors):]
}

func (m *Machine) hasGuard(c *codec.Coder) bool {
	has := m.guard != nil
	c.Bool(&has)
	if has && c.Reading() && len(m.line) > 0 {
		m.guard = m.newGuard(m.line.stable(), m.last)
	}
	return has
}

// some codes what may be absent.
func some[T any](c *codec.Coder, field **T, fields func(*T)) {
	has := *field != nil
	c.Bool(&has)
	if !has {
		return
	}
	if c.Reading() {
		*field = new(T)
	}
	fields(*field)
}

func hashes(c *codec.Coder, all *[]string) {
	codec.Slice(c, all, 1, func(h *string) { codec.Text(c, h) })
	c.Check(len(*all) <= mostHashes)
}

func (v *Version) fields(c *codec.Coder) {
	count(c, &v.Term)
	count(c, &v.Version)
	codec.Text(c, &v.SHA256)
	c.Check(len(v.SHA256) <= 128)
}

func (a *Integrity) fields(c *codec.Coder) {
	codec.Text(c, &a.Problem)
	codec.Index(c, &a.GoldenRows, math.MaxInt32)
	codec.Index(c, &a.GoldenEqual, math.MaxInt32)
	codec.Index(c, &a.Bytes, math.MaxInt32)
	codec.Slice(c, &a.Measured, 25, func(one *Measured) {
		codec.Index(c, &one.Comparison, math.MaxInt32)
		for _, x := range [...]*float64{&one.Value, &one.Lo, &one.Hi} {
			c.Float(x)
		}
	})
}

// monitored codes a monitor that new already made, if there is one.
func (l *limits) monitorFields(c *codec.Coder, id string, v Version, field **monitor.Monitor) {
	if *field == nil {
		return
	}
	var state string
	if !c.Reading() {
		state = string((*field).State())
	}
	codec.Text(c, &state)
	if !c.Reading() || c.Err() != nil {
		return
	}
	restored, err := monitor.Restore(l.monitorOf(id, v), []byte(state))
	if err != nil {
		c.Fail(errors.Join(codec.ErrDamaged, err))
		return
	}
	*field = restored
}

func (g *guard) fields(c *codec.Coder, format uint64) {
	count(c, &g.since)
	count(c, &g.observed)
	count(c, &g.told)
	count(c, &g.crossed)
	c.Bool(&g.marked)
	g.limits.monitorFields(c, "stable", g.version, &g.monitor)
	if c.Reading() {
		g.arm() // with the monitor that was restored
	}
	for i, w := range g.watches {
		if format == 1 && g.limits.bounds[i].Criterion.OfMeans() {
			w = new(rateWatch) // which nothing was fed to
		}
		w.fields(c, format < 3)
		c.Bool(&g.over[i])
		if format > 1 {
			c.Bool(&g.beyond[i])
		}
	}
	if format > 1 {
		for i := range g.alarms {
			g.alarms[i].fields(c, format < 3)
		}
	}
	some(c, &g.inquiry, func(q *inquiry) {
		count(c, &q.since)
		count(c, &q.observed)
		codec.Slice(c, &q.earlier, 4, func(e *earlier) {
			e.version.fields(c)
			if c.Reading() {
				e.by = g.contrasts()
			}
			for _, k := range e.by {
				k.fields(c)
			}
		})
		c.Check(len(q.earlier) <= 2)
	})
}

func (t *trial) fields(c *codec.Coder, l *limits, format uint64) {
	if c.Reading() {
		t.monitor, t.means = l.newMonitor("candidate", t.version), l.newMeans()
		t.rivals = nil
	}
	for _, n := range [...]*int64{&t.observed, &t.undecided, &t.labelled, &t.constant.labels} {
		count(c, n)
	}
	c.Within(&t.constant.sum, mostMean)
	l.monitorFields(c, "candidate", t.version, &t.monitor)
	for i := range t.means {
		t.means[i].fields(c)
	}
	codec.Slice(c, &t.rivals, 4, func(v *rival) {
		v.version.fields(c)
		for _, p := range [...]*pair{&v.loss, &v.wrong, &v.scale} {
			p.fields(c)
		}
		c.Check(v.wrong.records == v.loss.records && v.scale.records == v.loss.records)
	})
	c.Check(len(t.rivals) >= 1 && len(t.rivals) <= 3)
	if format > 3 {
		c.Bool(&t.selective)
	}
}
