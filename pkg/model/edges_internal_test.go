package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/record"
)

// codes are those of conditions.
func codes(conditions []document.Condition) (all []document.ConditionCode) {
	for _, c := range conditions {
		all = append(all, c.Code)
	}
	return all
}

// TestLabelsThatAreAllTheSame: recent labels of one kind are told of if earlier ones were of both, and chance does not explain it.
func TestLabelsThatAreAllTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		share, recent, constant, records float64
		want                             bool
	}{
		"all negative":          {.5, 0, 1, 20, true},
		"all positive":          {.5, 1, 1, 20, true},
		"not all":               {.5, .1, .9, 1000, false},
		"by chance":             {.5, 0, 1, 13, false}, // 2^-13 is above 1e-4, 2^-14 below
		"hardly by chance":      {.5, 0, 1, 14, true},
		"rarely positive":       {.01, 0, 1, 900, false}, // 0.99^900 is above 1e-4, 0.99^920 below
		"not so rarely":         {.01, 0, 1, 920, true},
		"rarely negative":       {.99, 1, 1, 900, false},
		"an odd number of them": {.99, 1, 1, 901, false},
		"not so rarely now":     {.99, 1, 1, 920, true},
		"always negative":       {0, 0, 1, 1e9, false},
		"always positive":       {1, 1, 1, 1e9, false},
		"of predictions":        {math.NaN(), 0, 1, 20, false},
		"positive among few":    {.2, 1, 1, 20, true},
		"negative among many":   {.8, 0, 1, 20, true},
		"positive among many":   {.8, 1, 1, 20, false}, // 0.8^20 is 0.012
		"negative among a few":  {.2, 0, 1, 20, false},
	} {
		m := document.Measurements{}
		if !math.IsNaN(c.share) {
			m.Recent.Decisions, m.Prequential.Decisions = &document.Decisions{}, &document.Decisions{}
			m.Prequential.PositiveLabels.Value = c.share
			m.Recent.PositiveLabels.Value, m.Recent.PositiveLabels.Effective, m.Recent.ConstantAccuracy.Value = c.recent, c.records, c.constant
		}
		if got := codes(recentLabels(&m)); len(got) > 0 != c.want || c.want && got[0] != document.OneLabelRecently {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestDecisionsThatDependOnNothing: which words are said of constant decisions and of useless ones, of those that were made and of those of the present weights.
func TestDecisionsThatDependOnNothing(t *testing.T) {
	const constant, useless, fine = fairness.ConstantDecision, fairness.NoBetterThanConstant, fairness.CollapseState("fine")
	for _, c := range []struct {
		recent, next fairness.CollapseState
		positive     float64
		want         string
	}{
		{fine, fine, .5, ""}, {constant, fine, 0, "collapsed: no recent record got the positive decision"}, {constant, fine, 1, "collapsed: all recent records got the positive decision"},
		{constant, useless, .5, "collapsed: " + constant.Words()}, {fine, constant, 0, "collapsed: " + constant.Words() + ", by the present weights"}, {useless, fine, .5, "useless: " + useless.Words()},
		{fine, useless, .5, "useless: " + useless.Words() + ", by the present weights"}, {useless, constant, 1, "collapsed: " + constant.Words() + ", by the present weights"},
	} {
		m := document.Measurements{}
		m.Recent.Decisions = &document.Decisions{}
		m.Recent.Collapse, m.Recent.PositiveDecisions.Value = c.recent, c.positive
		got := ""
		for _, condition := range collapsed(&m, c.next) {
			got = map[document.ConditionCode]string{document.Collapsed: "collapsed", document.Useless: "useless"}[condition.Code] + ": " + condition.Detail
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestRecordsWithoutAnAttribute: they are told of if the difference over all records may be off by much, or if they are most of the records.
func TestRecordsWithoutAnAttribute(t *testing.T) {
	words := [2]string{"share of positive labels", "share of positive decisions"}
	for name, c := range map[string]struct {
		known, missing int
		label          float64 // of those without the attribute; 0.5 of the others
		want           document.ConditionCode
	}{
		"few and alike":      {1000, 10, .5, ""},
		"half and alike":     {500, 500, .5, ""},
		"most and alike":     {499, 501, .5, document.MostlyMissing},
		"many and different": {500, 400, 1, document.MissingWithBias},
	} {
		var a fairness.Absence
		for i := range c.known {
			a.Known.Labels.Add(float64(i%2), 1)
			a.Known.Decided.Add(float64(i%2), 1)
		}
		for i := range c.missing {
			of := float64(i % 2)
			if c.label == 1 {
				of = 1
			}
			a.Missing.Labels.Add(of, 1)
			a.Missing.Decided.Add(of, 1)
		}
		code, detail := missingDetail("age", &a, words, .3, .05)
		if code != c.want || (detail == "") != (code == "") || code == document.MissingWithBias && !containsAll(detail, "lack the attribute age", words[0], words[1], "may be off by up to") {
			t.Errorf("%s: %s, %s", name, code, detail)
		}
	}
}

// TestNamesInWords: eight columns are named at most.
func TestNamesInWords(t *testing.T) {
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprint("c", i))
	}
	for n, want := range map[int]string{1: `"c0" is`, 2: `"c0", "c1" are`, 8: `"c7" are`, 9: `"c7" and 1 more columns are`, 10: `"c7" and 2 more columns are`} {
		if got := listed(names[:n]); !strings.HasSuffix(got, want) || strings.Count(got, `"`) != 2*min(n, 8) {
			t.Errorf("%d: %s", n, got)
		}
	}
	if having(names[:1]) != `"c0" has` || having(names[:2]) != `"c0", "c1" have` {
		t.Error(having(names[:2]))
	}
	for _, c := range []struct {
		keys []string
		want string
	}{{[]string{"a"}, "another a: set it back"}, {[]string{"a", "b"}, "another a, b: set them back"}} {
		if got := (&ConfigChanged{c.keys}).Error(); !strings.Contains(got, c.want) {
			t.Error(got)
		}
	}
}

// TestStatesThatAreCutOrLengthened: each length in a state at its bounds, with a checksum that fits, so that nothing but the length is wrong.
func TestStatesThatAreCutOrLengthened(t *testing.T) {
	config := Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}}.WithDefaults()
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := stateFormat.Open(l.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.LittleEndian.Uint64(whole))
	at := func(of []byte, offset int, value uint64) []byte {
		of = slices.Clone(of)
		binary.LittleEndian.PutUint64(of[offset:], value)
		return of
	}
	for name, c := range map[string]struct {
		body    []byte
		damaged bool
	}{
		"whole":                  {whole, false},
		"no length":              {whole[:7], true},
		"no configuration":       {whole[:8], true},
		"a longer configuration": {at(whole, 0, uint64(len(whole)-8+1)), true},
		"the whole is one":       {at(whole, 0, uint64(len(whole)-8)), true},
		"far longer":             {at(whole, 0, 1<<63), true},
		"no body":                {whole[:8+size+8], true},
		"no length of the body":  {whole[:8+size+7], true},
		"a longer body":          {at(whole, 8+size, binary.LittleEndian.Uint64(whole[8+size:])+1), true},
		"a body beyond all":      {at(whole, 8+size, largestState+1), true},
		"a body cut short":       {whole[:len(whole)-1], true},
	} {
		state := append(stateFormat.Begin(nil), c.body...)
		state = append(state, envelope.Checksum(state)...)
		_, err := Restore(config, state)
		if (err != nil) != c.damaged || err != nil && !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := config
	other.Record.Label.Field = "z"
	var changed *ConfigChanged
	if _, err := Restore(other, l.AppendState(nil)); !errors.As(err, &changed) || !slices.Equal(changed.Keys, []string{"record.label.field"}) {
		t.Errorf("another label: %v", err)
	}
	other.Record.Label.Field = ""
	if _, err := Restore(other, l.AppendState(nil)); err == nil || errors.As(err, &changed) {
		t.Errorf("a configuration without a label: %v", err)
	}
}

// TestADamagedBodyIsRefused: a state that is sealed as it should be, and whose body is too long or too short, is that of no learner.
func TestADamagedBodyIsRefused(t *testing.T) {
	config := Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: DefaultLearner()}
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		fields func(*codec.Coder)
		sound  bool
	}{
		"whole":     {l.fields, true},
		"empty":     {func(*codec.Coder) {}, false},
		"too short": {func(c *codec.Coder) { c.Count(&l.version); c.Bool(&l.ready) }, false},
		"too long":  {func(c *codec.Coder) { l.fields(c); c.Count(&l.version) }, false},
	} {
		restored, err := Restore(config, slices.Concat(l.seal(c.fields)...))
		if (err == nil) != c.sound || (restored == nil) == c.sound || err != nil && !strings.HasPrefix(err.Error(), "model: restore: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFoldingKeepsTheWeights: the scale of the iterates of mode paper is folded into them before it underflows, and nothing that is published changes.
func TestFoldingKeepsTheWeights(t *testing.T) {
	for scale, folded := range map[float64]bool{foldBelow: false, math.Nextafter(foldBelow, 0): true, 1e-200: true, 1: false} {
		p := &paper{radius: math.Inf(1), scale: scale, weightSum: 3, scaledSum: 2 * scale, values: []float64{2 / scale, 1, -3 / scale, .5}, square: 13 / scale / scale, margins: &linear.Margins{Iterate: []float64{0}, Average: []float64{0}}}
		row := &features.Row{}
		row.Add(0, 1)
		row.Add(1, 2)
		before := p.forecast(row)
		iterate, average, norm := p.margins.Iterate[0], before.published, p.scale*math.Sqrt(p.square)
		p.descend(row, 0, 0)
		p.forecast(row)
		if (p.scale == 1) != (folded || scale == 1) {
			t.Errorf("scale %v: it becomes %v", scale, p.scale)
		}
		for what, got := range map[string][2]float64{"iterate": {p.margins.Iterate[0], iterate}, "average": {p.margins.Average[0], average}, "norm": {p.scale * math.Sqrt(p.square), norm}, "weight": {p.weight(1), (2*-3 - .5) / 3}} {
			if math.Abs(got[0]-got[1]) > 1e-12*math.Abs(got[1]) || got[1] == 0 {
				t.Errorf("scale %v: the %s is %v, before %v", scale, what, got[0], got[1])
			}
		}
	}
}
