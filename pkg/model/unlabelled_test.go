package model_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// bare is a record without its label.
func bare(r record.Record) *record.Record {
	r.HasLabel, r.Positive, r.Label = false, false, 0
	return &r
}

// both are the constraints of the Adult records, in parity and in equal opportunity.
func both() model.Config {
	c := adultConfig(model.Adaptive)
	second := c.Constraints[0]
	second.Name, second.Criterion = "opportunity", fairness.EqualOpportunity
	c.Constraints = append(c.Constraints, second)
	return c
}

// TestEveryoneCounts: a record counts once where no label is needed, and once where one is.
func TestEveryoneCounts(t *testing.T) {
	l, records := newLearner(t, both()), adultHead(t, 6000)
	var labelled, positives, late int64
	const ready = 1500 // records, all with labels
	for i := range records {
		r := &records[i]
		switch number := int64(i) + 1; {
		case i < ready || i%3 == 0:
			l.Learn(r)
		case i%3 == 1:
			l.Count(bare(*r), number)
			continue
		default:
			l.Count(bare(*r), number)
			l.LearnLate(r, number)
			late++
		}
		if labelled++; r.Positive {
			positives++
		}
	}
	d := documentOf(t, l)
	if d.Version != int64(len(records))+late || d.Records != labelled || d.Unlabelled != int64(len(records))-labelled {
		t.Errorf("version %d, records %d, unlabelled %d of %d records, %d of them with labels", d.Version, d.Records, d.Unlabelled, len(records), labelled)
	}
	for _, report := range []document.Report{d.Measurements.Prequential, *d.Measurements.Unconstrained} {
		if report.Records != labelled {
			t.Errorf("quality is measured on %d of %d labelled records", report.Records, labelled)
		}
		for _, e := range report.Constraints {
			want := int64(len(records))
			if e.Criterion == fairness.EqualOpportunity {
				want = positives
			}
			if n := e.NGroup + e.NVersus; n != want {
				t.Errorf("%s is measured on %d records, want %d", e.Criterion, n, want)
			}
		}
	}
	// The present weights are measured on what the windows hold: three quarters of what came.
	for i, e := range d.Constraints {
		want := int64(len(records))
		if e.Criterion == fairness.EqualOpportunity {
			want = positives
		}
		if n := e.NGroup + e.NVersus; n < want*3/4-2 && d.Measurements.Control[i].Changes == 0 || n > want {
			t.Errorf("%s of the weights is measured on %d of %d records", e.Criterion, n, want)
		}
	}
}

// TestCountingLeavesTheFreeModel: a record without its label says nothing of the loss.
func TestCountingLeavesTheFreeModel(t *testing.T) {
	for name, config := range map[string]model.Config{"decisions": both(), "numbers": hoursConfig(.5)} {
		t.Run(name, func(t *testing.T) {
			records := adultHead(t, 5000)
			if name == "numbers" {
				records, _ = hoursRecords(t)
			}
			l := learn(t, config, records[:4000])
			before, _, err := l.UnconstrainedDocument()
			if err != nil {
				t.Fatal(err)
			}
			published := documentOf(t, l)
			for i := range records[4000:5000] {
				l.Count(bare(records[4000+i]), int64(i)+1)
			}
			after, _, err := l.UnconstrainedDocument()
			if err != nil || after.WeightsSHA256 != before.WeightsSHA256 {
				t.Errorf("the weights of the model without constraints changed, or %v", err)
			}
			if documentOf(t, l).WeightsSHA256 == published.WeightsSHA256 {
				t.Error("1,000 records changed nothing of what is published")
			}
		})
	}
}

// mixture gives a learner records of which some never get a label, and some get it later.
func mixture(l *model.Learner, records []record.Record, from, to int) {
	random := rand.New(rand.NewPCG(9, 4))
	delays := make([]int, len(records))
	for i := range delays {
		delays[i] = []int{-1, 0, 1, 17, 400}[random.IntN(5)]
		if i%2 == 0 && records[i].Positive { // so that labels are selective
			delays[i] = 0
		}
	}
	for i := from; i < to; i++ {
		switch delays[i] {
		case 0:
			l.Learn(&records[i])
		case -1:
			l.Add(bare(records[i]))
		default:
			l.Count(bare(records[i]), int64(i)+1)
		}
		for _, delay := range []int{1, 17, 400} {
			if at := i - delay; at >= 0 && delays[at] == delay {
				l.LearnLate(&records[at], int64(at)+1)
			}
		}
	}
}

// TestUnlabelledRecordsAreRestored: a snapshot at any time makes no difference, whatever is learnt.
func TestUnlabelledRecordsAreRestored(t *testing.T) {
	people := peopleText(3, 2500)
	for name, config := range everyConfiguration() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config.Evaluation.Share = .1
			config.Learner.Window = 300
			records := readRecords(t, config, people)
			whole := newLearner(t, config)
			mixture(whole, records, 0, len(records))
			parted, from := newLearner(t, config), 0
			for _, to := range []int{90, 700, 1900, len(records)} {
				mixture(parted, records, from, to)
				parted, from = restore(t, config, parted.AppendState(nil)), to
			}
			if !bytes.Equal(parted.AppendState(nil), whole.AppendState(nil)) {
				t.Error("the states differ")
			}
			if documentOf(t, parted).WeightsSHA256 != documentOf(t, whole).WeightsSHA256 {
				t.Error("the weights differ")
			}
		})
	}
}

// TestRecordsBeforeThereAreDecisions: they count when their label comes, and those that never get one are told. The first 1,000, from which columns are
// inferred, are learnt, but nobody was decided by the weights of that moment, so they are not measured.
func TestRecordsBeforeThereAreDecisions(t *testing.T) {
	l, records := newLearner(t, both()), adultHead(t, 4000)
	for i := range records {
		l.Count(bare(records[i]), int64(i)+1)
	}
	if m := l.Measurements(); m.Useless() != "" || l.Version() != 4000 || l.Labelled() != 0 {
		t.Errorf("%d of %d records: %s", l.Labelled(), l.Version(), m.Useless())
	}
	for i := range records[:3000] {
		l.LearnLate(&records[i], int64(i)+1)
	}
	d := documentOf(t, l)
	if e := d.Measurements.Prequential.Constraints[0]; d.Records != 3000 || d.Unlabelled != 1000 || e.NGroup+e.NVersus != 3000-1000 {
		t.Errorf("learnt %d, unlabelled %d, measured on %d", d.Records, d.Unlabelled, e.NGroup+e.NVersus)
	}
}

// TestNoLabels: that no label comes for long is a condition, and nothing is to be published.
func TestNoLabels(t *testing.T) {
	l, records := newLearner(t, both()), adultHead(t, 10_000)
	for i := range records {
		if i == 9999 {
			if m := l.Measurements(); m.Useless() != "" {
				t.Error(m.Useless())
			}
		}
		l.Add(bare(records[i]))
	}
	m := l.Measurements()
	if !slices.ContainsFunc(m.Conditions, func(c document.Condition) bool { return c.Code == document.NoLabels }) || m.Useless() == "" {
		t.Errorf("conditions %v", m.Conditions)
	}
	l.Learn(&records[0])
	m = l.Measurements()
	if slices.ContainsFunc(m.Conditions, func(c document.Condition) bool { return c.Code == document.NoLabels }) {
		t.Errorf("with a label, conditions %v", m.Conditions)
	}
}

// TestTheReserveHoldsEveryone: reserved records count as learnt ones do, each once.
func TestTheReserveHoldsEveryone(t *testing.T) {
	config := both()
	config.Evaluation.Share = .5
	l, records := newLearner(t, config), adultHead(t, 6000)
	var came, labelled int64
	for i := range records {
		r := &records[i]
		r.ID = []byte{byte(i), byte(i >> 8)}
		reserved := record.Hash(r.ID) < 1<<63
		if reserved {
			came++
		}
		switch number := int64(i) + 1; i % 3 {
		case 0:
			l.Learn(r)
		case 1:
			l.Count(bare(*r), number)
			continue
		default:
			l.Count(bare(*r), number)
			l.LearnLate(r, number)
		}
		if reserved {
			labelled++
		}
	}
	d := documentOf(t, l)
	e := d.Measurements.Evaluation
	parity := e.Constraints[0]
	if n := parity.NGroup + parity.NVersus; n != came || e.Records != labelled || d.Records != 4000-labelled || d.Unlabelled != 2000 {
		t.Errorf("parity on %d of %d reserved records, quality on %d of %d; learnt %d, unlabelled %d", n, came, e.Records, labelled, d.Records, d.Unlabelled)
	}
}

// TestMisuseOfLabels: a learner panics rather than learning a label that is not there.
func TestMisuseOfLabels(t *testing.T) {
	r := adultHead(t, 1)[0]
	for name, misuse := range map[string]func(*model.Learner){
		"Learn":     func(l *model.Learner) { l.Learn(bare(r)) },
		"LearnLate": func(l *model.Learner) { l.LearnLate(bare(r), 1) },
		"Count":     func(l *model.Learner) { l.Count(&r, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			misuse(newLearner(t, both()))
		}()
	}
}

// TestSelectiveLabelsAreTold: what a label depends on is named, and what it does not depend on is not. Nothing that needs labels is met then.
func TestSelectiveLabelsAreTold(t *testing.T) {
	config := both()
	config.Constraints[1].Tau = .9 // else its interval is too wide for a verdict
	random := rand.New(rand.NewPCG(8, 8))
	woman := func(r *record.Record) bool { return string(r.Attributes[0].Text) == "Female" }
	for name, test := range map[string]struct {
		known       func(l *model.Learner, r *record.Record) bool
		codes       []document.ConditionCode
		words       []string
		opportunity fairness.Status
	}{
		"random": {known: func(*model.Learner, *record.Record) bool { return random.IntN(2) == 0 }, opportunity: fairness.Met},
		"by group": {known: func(_ *model.Learner, r *record.Record) bool { return random.IntN(10) < 3 || !woman(r) },
			codes: []document.ConditionCode{document.LabelsSelective}, words: []string{"the share of Male"}, opportunity: fairness.Inconclusive},
		"of men": {known: func(_ *model.Learner, r *record.Record) bool { return !woman(r) },
			codes: []document.ConditionCode{document.LabelsNever, document.LabelsSelective}, words: []string{"of Female", "the share of Male"}, opportunity: fairness.NotEstimable},
		"of who is accepted": {known: func(l *model.Learner, r *record.Record) bool { return l.Decide(r).Positive },
			codes: []document.ConditionCode{document.LabelsNever, document.LabelsSelective}, words: []string{"with a negative decision", "positive decisions"}, opportunity: fairness.NotEstimable},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLearner(t, config)
			records := adultRecords(t)[:24_000]
			for i := range records {
				r := &records[i]
				if i < 3000 || test.known(l, r) {
					l.Learn(r)
				} else {
					l.Add(bare(*r))
				}
			}
			m := documentOf(t, l).Measurements
			var codes []document.ConditionCode
			var details string
			for _, c := range m.Conditions {
				if strings.HasPrefix(string(c.Code), "labels_") {
					codes = append(codes, c.Code)
					details += c.Detail + "\n"
				}
			}
			if !slices.Equal(codes, test.codes) {
				t.Errorf("conditions %v, want %v", codes, test.codes)
			}
			for _, words := range test.words {
				if !strings.Contains(details, words) {
					t.Errorf("%q is not in\n%s", words, details)
				}
			}
			if e := m.Constraints[1]; test.opportunity != "" && e.Status != test.opportunity {
				t.Errorf("equal opportunity is %s: %s", e.Status, e.Need())
			}
			// Only where labels are selective do records count differently.
			if e := m.Constraints[1]; e.Status != fairness.NotEstimable && (e.EffectiveGroup == float64(e.NGroup)) != (test.codes == nil) {
				t.Errorf("%d records of the group count as %.0f", e.NGroup, e.EffectiveGroup)
			}
			if a := m.Prequential.Accuracy; (a.Effective == float64(a.Records)) != (test.codes == nil) {
				t.Errorf("the accuracy of %d records counts as of %.0f", a.Records, a.Effective)
			}
			if (len(m.Weighed) == 3) != (test.codes != nil) {
				t.Errorf("records are weighed: %+v", m.Weighed)
			}
			for _, w := range m.Weighed {
				if w.Effective > float64(w.Records) || w.Records > m.Weighed[0].Records || w.Bounded < 0 || w.Bounded > 1 {
					t.Errorf("%+v", w)
				}
			}
			if m.Constraints[0].Status == fairness.NotEstimable || strings.Contains(m.Constraints[0].Need(), "label") {
				t.Errorf("parity is %s: %s", m.Constraints[0].Status, m.Constraints[0].Need())
			}
		})
	}
}

// TestOpenLabelsAreTold: as long as no record has stopped waiting, nobody knows which ones never get a label.
func TestOpenLabelsAreTold(t *testing.T) {
	l, records := newLearner(t, both()), adultRecords(t)[:16_000]
	told := func() bool {
		return slices.ContainsFunc(l.Measurements().Conditions, func(c document.Condition) bool { return c.Code == document.LabelsOpen })
	}
	for i := range records {
		l.Count(bare(records[i]), int64(i)+1)
		if i%3 == 0 {
			l.LearnLate(&records[i], int64(i)+1)
		}
		if i == 9_000 && told() {
			t.Error("after 9,000 records it is early")
		}
	}
	if !told() {
		t.Error("two thirds of the labels are open without a word")
	}
	before := documentOf(t, l)
	l.Never(bare(records[1]))
	after := documentOf(t, l)
	if told() || after.Version != before.Version || after.WeightsSHA256 != before.WeightsSHA256 {
		t.Error("one record has stopped waiting, and labels are open, or weights changed")
	}
	state, weightless := l.AppendState(nil), bare(records[2])
	weightless.Weight = 0
	if l.Never(weightless); !bytes.Equal(l.AppendState(nil), state) {
		t.Error("a record of no weight has stopped waiting, and the state changed")
	}
}
