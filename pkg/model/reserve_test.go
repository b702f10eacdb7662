package model

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/reserve"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// reserving is a configuration that compares every value of an attribute and reserves a share of the records.
func reserving(share float64) Config {
	c := Config{Record: record.Config{ID: "id", Label: record.Label{Field: "y", Positive: "1"}}, Learner: DefaultLearner(), Constraints: []Constraint{
		{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .05},
		{Name: "town", Attribute: OneOrMore{"town"}, Group: Values(Each), Versus: Values(Best), Tau: .2},
	}}
	c.Evaluation.Share = share
	return c
}

// reserved are records with identifiers, or without any.
func reserved(count int, identified bool) []record.Record {
	random := rand.New(rand.NewPCG(1, 2))
	records := make([]record.Record, count)
	for i := range records {
		r := drifting(random, i, count, []string{"sex"})
		r.Attributes = append(r.Attributes, record.Value{Text: []byte(fmt.Sprint("t", random.IntN(3)))})
		if identified {
			r.ID = []byte(fmt.Sprint("person-", i))
		}
		records[i] = r
	}
	return records
}

// A learner that reserves records has the weights of one that never met them.
func TestReservedRecordsTeachNothing(t *testing.T) {
	records := reserved(9000, true)
	records[500].Attributes[1].Text = []byte("met by nobody else")
	kept := reserve.New(.2, 10)
	records[500].ID = []byte("a")
	for i := 0; !kept.Takes(&records[500], 0); i++ {
		records[500].ID = fmt.Appendf(nil, "a%d", i)
	}
	with, without := learnerOf(t, reserving(.2)), learnerOf(t, reserving(0))
	for i := range records {
		with.Meet(&records[i])
		with.Learn(&records[i])
		if !kept.Takes(&records[i], 0) {
			without.Meet(&records[i])
			without.Learn(&records[i])
		}
		with.Levels(&records[i])
	}
	a, b := documentOfLearner(t, with), documentOfLearner(t, without)
	if a.WeightsSHA256 != b.WeightsSHA256 || !reflect.DeepEqual(a.Found, b.Found) || a.Records != b.Records {
		t.Errorf("%d records give %s, %d records without the reserved ones %s", a.Records, a.WeightsSHA256, b.Records, b.WeightsSHA256)
	}
	if a.Version != int64(len(records)) || a.Records == a.Version {
		t.Errorf("%d records of %d are learnt", a.Records, a.Version)
	}
	if b.Measurements.Evaluation != nil {
		t.Error("without evaluation.share there is an evaluation")
	}
	if got := a.Measurements.Evaluation.Records + a.Records; got != int64(len(records)) {
		t.Errorf("%d records are learnt or reserved, of %d", got, len(records))
	}
}

// The share is that of evaluation.share, by identifier, by key and by place.
func TestTheShareIsReserved(t *testing.T) {
	const count = 100_000
	for _, share := range []float64{.01, .1, .5} {
		for name, set := range map[string]func(r *record.Record, text []byte){
			"id": func(r *record.Record, text []byte) { r.ID = text }, "key": func(r *record.Record, text []byte) { r.Key = text },
			"place": func(*record.Record, []byte) {},
		} {
			kept, taken := reserve.New(share, 10), 0
			for i := range count {
				var r record.Record
				set(&r, fmt.Append(nil, i))
				if kept.Takes(&r, int64(i)) {
					taken++
				}
			}
			if off := (float64(taken) - share*count) / math.Sqrt(share*(1-share)*count); math.Abs(off) > 4 {
				t.Errorf("%s: %d of %d records are reserved, at a share of %v", name, taken, count, share)
			}
		}
	}
	again, r := reserve.New(.5, 10), record.Record{ID: []byte("x"), Key: []byte("y")}
	if first := again.Takes(&r, 1); again.Takes(&r, 2) != first {
		t.Error("the place decides about a record with an identifier")
	}
}

// What a document says of the reserved records is what its own weights decide of the newest of them.
func TestTheReserveIsMeasured(t *testing.T) {
	for _, mode := range []Mode{Adaptive, Unconstrained, Paper} {
		config := reserving(.4)
		config.Constraints = config.Constraints[:1]
		config.Learner.Mode, config.Learner.Window = mode, 256
		if mode == Paper {
			config.Constraints[0].Threshold = 1
		}
		l, kept := learnerOf(t, config), []record.Record(nil)
		records := reserved(3000, false)
		for i := range records {
			records[i].Attributes = records[i].Attributes[:1]
			records[i].Weight = 1 + float64(i%3)
			if l.reserve.Takes(&records[i], int64(i+1)) {
				kept = append(kept, records[i])
			}
			l.Learn(&records[i])
		}
		d := documentOfLearner(t, l)
		evaluation, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range kept[len(kept)-256:] {
			evaluation.Add(&kept[len(kept)-256+i])
		}
		want := evaluation.Report()
		if got := *d.Measurements.Evaluation; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the document says\n%+v\nits weights decide\n%+v", mode, got, want)
		}
		if want.Constraints[0].Method == fairness.MethodRescored {
			t.Error("the interval of records that were never learnt is corrected")
		}
	}
}

// Restored anywhere, a learner reserves and measures the same records, bit for bit.
func TestTheReserveIsRestored(t *testing.T) {
	config := reserving(.3)
	config.Learner.Window = 512
	records := reserved(6000, false)
	unbroken, broken := learnerOf(t, config), learnerOf(t, config)
	for i := range records {
		unbroken.Learn(&records[i])
		broken.Learn(&records[i])
		if i%1370 == 600 {
			state := broken.AppendState(nil)
			if !bytes.Equal(state, unbroken.AppendState(nil)) {
				t.Fatalf("the states differ at record %d", i)
			}
			var err error
			if broken, err = Restore(config, state); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, b := documentOfLearner(t, unbroken), documentOfLearner(t, broken)
	if a.WeightsSHA256 != b.WeightsSHA256 || !reflect.DeepEqual(a.Measurements, b.Measurements) {
		t.Error("a restored learner publishes something else")
	}
	other := config
	other.Evaluation.Share = .2
	if _, err := Restore(other, unbroken.AppendState(nil)); err == nil {
		t.Error("another share may have learnt from records that are reserved")
	}
}

// The interval on the reserved records covers the true difference of the document's weights as often as its level says:
// of 40 streams, 33 or fewer would be chance once in 500.
func TestTheReserveCovers(t *testing.T) {
	config := reserving(.3)
	config.Constraints = config.Constraints[:1]
	const streams = 40
	random, covered := rand.New(rand.NewPCG(5, 5)), 0
	draw := func() record.Record { return drifting(random, 0, 1<<30, []string{"sex"}) }
	truth := make([]record.Record, 30_000)
	for i := range truth {
		truth[i] = draw()
	}
	for range streams {
		l := learnerOf(t, config)
		for range 4000 {
			r := draw()
			l.Learn(&r)
		}
		d := documentOfLearner(t, l)
		evaluation, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range truth {
			evaluation.Add(&truth[i])
		}
		claim, value := d.Measurements.Evaluation.Constraints[0], evaluation.Report().Constraints[0].Value
		if claim.Lo <= value && value <= claim.Hi {
			covered++
		}
	}
	t.Logf("%d of %d intervals cover", covered, streams)
	if covered < 34 {
		t.Errorf("only %d of %d intervals cover the true difference", covered, streams)
	}
}

func learnerOf(t *testing.T, config Config) *Learner {
	t.Helper()
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func documentOfLearner(t *testing.T, l *Learner) *document.Document {
	t.Helper()
	d, err := l.Document()
	if err != nil {
		t.Fatal(err)
	}
	return d
}
