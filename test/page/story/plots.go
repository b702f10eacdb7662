package story

import (
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// bySex and the others are comparisons of the census records.
func bySex(name string, criterion fairness.Criterion, group, versus string, tau float64, enforce bool) model.Constraint {
	return model.Constraint{Name: name, Attribute: model.OneOrMore{"sex"}, Group: model.Values(group), Versus: model.Values(versus), Criterion: criterion, Tau: tau, Enforce: &enforce}
}

func byRace(tau float64) model.Constraint {
	no := false
	return model.Constraint{Name: "race", Attribute: model.OneOrMore{"race"}, Group: model.Values("Black"), Versus: model.Values("rest"), Criterion: fairness.DemographicParity, Tau: tau, Enforce: &no}
}

func byBoth() model.Constraint {
	no := false
	return model.Constraint{Name: "sex and race", Attribute: model.OneOrMore{"sex", "race"}, Group: model.Values("Female", "Amer-Indian-Eskimo"), Versus: model.Values("Male", "White"),
		Criterion: fairness.DemographicParity, Tau: 0.05, Enforce: &no}
}

func config(constraints ...model.Constraint) model.Config {
	c := model.Config{Record: adult.RecordConfig(), Constraints: constraints}
	c.Record.Time = record.Time{Field: "at"}
	c.Record.Unlabelled = record.Count
	return c
}

// of is a change of the records of one group on their way, in which less speaks for it than before, as after a new question in a form.
func of(column, value string) func(map[string]any) {
	return func(fields map[string]any) {
		if fields[column] == value {
			fields["marital-status"], fields["relationship"], fields["education-num"], fields["capital-gain"] = "Never-married", "Own-child", "7", "0"
			fields["age"], fields["hours-per-week"], fields["occupation"] = "19", "20", "Handlers-cleaners"
		}
	}
}

func unchanged(map[string]any) {}

// everything are the comparisons of most stories.
func everything() model.Config {
	return config(bySex("sex", fairness.DemographicParity, "Male", "Female", 0.05, true), bySex("sex, lower incomes", fairness.PredictiveEquality, "Male", "Female", 0.1, false),
		byRace(0.1), bySex("four fifths", fairness.ImpactRatio, "Female", "Male", 0.8, false), byBoth())
}

// week is a job in which much happens: versions come into use, a person withdraws one, and two days later less speaks for one group than before.
func week(t *testing.T) map[string][]*Scene {
	return tell(t, everything(), func(w *world) {
		w.options.Publish.Interval, w.options.Release.CoolDown = 10*time.Minute, 300
		w.start("", "")
		w.come(1500, 15*time.Minute)
		w.look("first-version").serves(0)
		for tries := 0; w.live.Status().Release.Previous == nil && tries < 10; tries++ { // until a second version has come into use
			w.come(1500, 10*time.Minute)
		}
		w.come(200, 4*time.Minute)
		w.ask("rollback", "mira", "complaints about two decisions")
		w.come(500, 10*time.Minute)
		w.rest(45 * time.Hour) // over a weekend, on which nobody applies
		w.options.Publish.Interval, w.options.Release.CoolDown = 20*time.Minute, 60_000
		w.start("mira", "fewer changes of version")
		w.every = 30 * time.Second // a record is learnt soon after its time
		w.come(18000, 40*time.Minute)
		w.drift, w.speed = of("race", "Black"), 11
		w.come(34000, 50*time.Minute)
		for range 7 {
			w.look("learning").serves(3)
			w.come(50*w.speed, 50*time.Second)
		}
		w.look("marked").edit(func(r *board.Release) {
			r.Candidate, r.Trial, r.Waiting, r.Paused, r.Pinned, r.Guard.Marked = nil, nil, nil, true, true, true
		})
		w.look("unreleased").Status.Release = nil
		w.rest(time.Minute)
		w.start("", "")
		w.look("restarted")
		w.halts = true
		w.cluster.Put(topics.Input, 0, slices.Repeat([]string{`{"income": `}, 1500)...)
		time.Sleep(5 * time.Second)
		w.look("halted")
	})
}

// calm is a job that had one alarm, days ago, about a version that is no longer in use.
func calm(t *testing.T) map[string][]*Scene {
	c := config(bySex("sex", fairness.DemographicParity, "Male", "Female", 0.05, true), bySex("four fifths", fairness.ImpactRatio, "Female", "Male", 0.75, false))
	return tell(t, c, func(w *world) {
		w.options.Publish.Interval, w.options.Release.CoolDown = 10*time.Minute, 4000
		w.start("", "")
		w.come(6000, 30*time.Minute)
		w.drift = of("sex", "Female")
		w.come(3000, 10*time.Minute)
		w.drift = unchanged
		w.come(12000, 50*time.Minute)
		w.look("alarm")
		w.rest(45 * time.Hour)
		w.options.Release.CoolDown = 60_000
		w.start("", "")
		w.speed = 16
		w.come(30000, 30*time.Minute)
		w.look("ok")
		w.live.Notify(stream.KafkaOutage{Operation: "fetch", Err: clustertest.ErrRetryable, Since: time.Now()})
		time.Sleep(12 * time.Minute)
		w.quiet("kafka")
	})
}

// beginning is a job before its first version.
func beginning(t *testing.T) map[string][]*Scene {
	return tell(t, everything(), func(w *world) {
		w.live = server.NewLive(server.NewMonitor("v0.1.0", "adult"), board.Run, "adult", w.options.Model.WithDefaults())
		w.quiet("starting")
		w.options.Standby = true
		w.start("", "")
		w.quiet("empty")
		w.come(120, 10*time.Minute)
		w.quiet("warming-up")
		first, stop := w.live, w.stop
		w.start("", "")
		time.Sleep(5 * time.Second)
		w.quiet("standby")
		w.end()
		w.live, w.stop = first, stop
	})
}

// sixteen is a job with many comparisons, of which some are beyond their limits.
func sixteen(t *testing.T) map[string][]*Scene {
	c := everything()
	for _, country := range []string{"United-States", "Mexico", "Philippines", "Germany", "Puerto-Rico", "Canada", "El-Salvador", "India", "Cuba", "England", "China"} {
		no := false
		c.Constraints = append(c.Constraints, model.Constraint{Name: "born in " + country, Attribute: model.OneOrMore{"native-country"}, Group: model.Values(country), Versus: model.Values("rest"),
			Criterion: fairness.DemographicParity, Tau: 0.03, Enforce: &no})
	}
	c.Constraints[2].Tau = 0.02
	return tell(t, c, func(w *world) {
		w.options.Release.CoolDown, w.options.Publish.Interval = 60_000, 20*time.Minute
		w.start("", "")
		w.come(12000, 40*time.Minute)
		w.look("sixteen").serves(1000)
	})
}

// many is a job that compares every country.
func many(t *testing.T) map[string][]*Scene {
	no := false
	c := everything()
	c.Constraints = append(c.Constraints, model.Constraint{Name: "country of birth", Attribute: model.OneOrMore{"native-country"}, Group: model.Values("each"), Versus: model.Values("rest"),
		Criterion: fairness.DemographicParity, Tau: 0.05, Enforce: &no})
	return tell(t, c, func(w *world) {
		w.start("", "")
		w.come(4000, 30*time.Minute)
		w.look("many").serves(50)
	})
}

// numbers is a job that predicts a number: hours of work a week.
func numbers(t *testing.T) map[string][]*Scene {
	c := config(model.Constraint{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"), Criterion: fairness.MeanDifference, Tau: 2})
	c.Record.Label, c.Record.Unlabelled = record.Label{Field: "hours-per-week"}, record.Reject
	c.Learner.Task = model.Regression
	return tell(t, c, func(w *world) {
		w.start("", "")
		w.come(4000, 2*time.Hour+10*time.Minute)
		w.look("numbers")
	})
}
