package stream

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// hoursOptions predict the hours per week.
func hoursOptions() Options {
	o := testOptions()
	o.Model.Record.Label = record.Label{Field: "hours_per_week"}
	o.Model.Learner.Task = model.Regression
	o.Model.Constraints = []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"), Tau: 2}}
	return o
}

// A regression is stopped on the way, goes on from its snapshot, and has the weights of one that was not;
// labels that are no numbers become dead letters.
func TestRegressionGoesOnFromASnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := adultLines()[:5000]
		const bad = `{"age":"30","hours_per_week":"many"}`
		world := newWorld(1)
		world.Put(testTopics.Input, 0, lines...)
		options := hoursOptions()
		options.UntilEnd = false
		options.Snapshot = Cadence{Records: 300}
		b := inBackground(t, world, options)
		for b.Status().Phase != PhaseEnded && b.Status().Version < 2500 {
			synctest.Wait()
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		world.Put(testTopics.Input, 0, bad)
		options.UntilEnd = true
		s := run(t, world, options)
		if status := s.Status(); status.Version != 5000 || status.Rejected[string(record.BadLabel)] != 1 {
			t.Errorf("learnt %d, rejected %v", status.Version, status.Rejected)
		}
		d := newest(t, world)
		if want := plainWith(t, options.Model.WithDefaults(), lines); d.WeightsSHA256 != want || d.Task != model.Regression {
			t.Errorf("weights %s, without a stream %s", d.WeightsSHA256, want)
		}
	})
}

// A label that comes later is learnt with the record that waits for it, and nothing is decided meanwhile.
func TestLabelsOfARegressionComeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := adultLines()[:1500]
		world := newWorld(1)
		var messages []string
		var came []coming
		for i, line := range lines {
			before, rest, _ := strings.Cut(line, `"hours_per_week":"`)
			hours, after, _ := strings.Cut(rest, `",`)
			key := strings.Repeat("k", i%7+1) + string(rune('a'+i%26))
			messages = append(messages, before+`"person":"`+key+`",`+after, `{"person":"`+key+`","hours_per_week":`+hours+`}`)
			came = append(came, coming{line, control.Itself, int64(i) + 1}, coming{line, control.Label, int64(i) + 1})
		}
		world.Put(testTopics.Input, 0, messages...)
		options := hoursOptions()
		options.Model.Record.Key = "person"
		s := run(t, world, options)
		labels := s.Status().Labels
		if labels.Joined != 1500 || labels.Scored != 0 || labels.Judged != 0 {
			t.Errorf("%+v", labels)
		}
		if got, want := newest(t, world).WeightsSHA256, countedWith(t, options.Model, came); got != want {
			t.Errorf("weights %s, without a stream %s", got, want)
		}
	})
}
