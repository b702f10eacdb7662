package replay

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestThePastAsItCame: labels are learnt when the records have come to their time, in the order of these times, each once; the record counts before.
// With an age, each is learnt when its record is so old, in the order of records, and one that comes later is not learnt. A learner that is given the same
// in that order by hand has the same state.
func TestThePastAsItCame(t *testing.T) {
	t.Run("in the order of labels", func(t *testing.T) { asItCame(t, 0) })
	t.Run("in the order of records", func(t *testing.T) { asItCame(t, 300_000*time.Second) })
}

func asItCame(t *testing.T, age time.Duration) {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus, constraint.Tau = model.Values("F"), model.Values("M"), .05
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1", Time: "known"}, Time: record.Time{Field: "at", Format: record.UnixTime}},
		Learner: model.DefaultLearner(), Constraints: []model.Constraint{constraint}}
	c.Learner.Warmup = 50
	c = c.WithDefaults()
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var learners [3]*model.Learner
	for i := range learners {
		if learners[i], err = model.New(c); err != nil {
			t.Fatal(err)
		}
	}
	came, byHand, atOnce := learners[0], learners[1], learners[2]
	random, decoder := rand.New(rand.NewPCG(1, 2)), schema.NewDecoder()
	arriving := arrivals{learners: []*model.Learner{came}, timed: true, age: age}
	type due struct {
		record record.Record
		number int64
		at     time.Time
		never  bool
	}
	var waiting []due
	learnUntil := func(now time.Time) {
		slices.SortStableFunc(waiting, func(a, b due) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.number, b.number))
		})
		for len(waiting) > 0 && !waiting[0].at.After(now) {
			if waiting[0].never {
				byHand.Never(&waiting[0].record)
			} else {
				byHand.LearnLate(&waiting[0].record, waiting[0].number)
			}
			waiting = waiting[1:]
		}
	}
	var now time.Time
	for i := range 3000 {
		at := 1000*i - random.IntN(2500) // not quite in order
		known := fmt.Sprint(at + []int{0, 40_000, 400_000}[random.IntN(3)] + random.IntN(3)*1000)
		if i%7 == 0 {
			known = ""
		}
		line := fmt.Sprintf(`{"at":%d,"known":%q,"sex":%q,"x":%d,"y":%d}`, at, known, strings.Split("FM", "")[random.IntN(2)], random.IntN(9), random.IntN(2))
		var r record.Record
		if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
			t.Fatal(err)
		}
		if len(r.Features) != 1 {
			t.Fatalf("%d features: a time is one of them", len(r.Features))
		}
		if r.Time.After(now) {
			now = r.Time
		}
		learnUntil(now)
		own := r.Clone()
		if atOnce.Add(&own); own.LabelTime.After(now) || age > 0 && !own.HasLabel {
			bare := own
			bare.HasLabel, bare.Positive = false, false
			byHand.Count(&bare, int64(i)+1)
			then := due{own, int64(i) + 1, own.LabelTime, false}
			if age > 0 {
				then.at, then.never = now.Add(age), !own.HasLabel || own.LabelTime.After(now.Add(age))
			}
			waiting = append(waiting, then)
		} else {
			byHand.Add(&own)
		}
		arriving.add(&r)
	}
	if len(waiting) < 50 || len(arriving.later) != len(waiting) {
		t.Errorf("%d labels wait, and %d by hand", len(arriving.later), len(waiting))
	}
	same := func(a, b *model.Learner) bool { return bytes.Equal(a.AppendState(nil), b.AppendState(nil)) }
	if !same(came, byHand) || same(came, atOnce) {
		t.Error("another state than by hand, or that of labels which come at once")
	}
	learnUntil(now.Add(time.Hour * 1e4))
	if arriving.end(); !same(came, byHand) || (came.Unlabelled() != 0) != (age > 0) || len(arriving.later) > 0 {
		t.Errorf("in the end, %d records have no label", came.Unlabelled())
	}
}
