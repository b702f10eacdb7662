package stream

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestUselessWeightsAreNotPublished: where every label is alike, or no enforced constraint can be measured, learning
// goes on and is saved, and nobody is told that a constraint is met.
func TestUselessWeightsAreNotPublished(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*model.Config)
		code   document.ConditionCode
	}{
		{"a positive value that never comes", func(c *model.Config) { c.Record.Label.Positive = "yes" }, document.OneLabel},
		{"an attribute that no record has", func(c *model.Config) { c.Constraints[0].Attribute[0] = "gender" }, document.NothingEstimable},
		{"a group that is written in another way", func(c *model.Config) { c.Constraints[0].Group = model.Values("male") }, document.NothingEstimable},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world := newWorld(1)
				world.Put(testTopics.Input, 0, adultLines()[:3000]...)
				options := testOptions()
				test.change(&options.Model)
				var told events
				options.Notify = told.add
				s := New(world, options)
				var useless *Useless
				if err := s.Run(t.Context()); !errors.As(err, &useless) || !strings.Contains(err.Error(), "nothing was published") {
					t.Errorf("error %v", err)
				}
				status := s.Status()
				if status.Useless == "" || status.Published != 0 || status.Snapshot.Version != 3000 {
					t.Errorf("useless %q, published %d, saved %d", status.Useless, status.Published, status.Snapshot.Version)
				}
				if status.Measurements.Conditions[0].Code != test.code {
					t.Errorf("conditions %v", status.Measurements.Conditions)
				}
				for _, e := range status.Measurements.Constraints {
					if e.Status != fairness.NotEstimable {
						t.Errorf("%s is %s", e.Name, e.Status)
					}
				}
				if withheld := len(of[Withheld](&told)); withheld != 1 {
					t.Errorf("withheld was told %d times", withheld)
				}
			})
		})
	}
}

// TestNoLabelYet: records wait for their labels when the input ends. They count, which is saved, and nothing is published.
func TestNoLabelYet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		var records []string
		for i, line := range adultLines()[:300] {
			unlabelled, _ := split(line, i)
			records = append(records, unlabelled)
		}
		world.Put(testTopics.Input, 0, records...)
		options := labelOptions()
		var told events
		options.Notify = told.add
		status := run(t, world, options).Status()
		if status.Published != 0 || status.Snapshot.Version != 300 {
			t.Errorf("published %d, saved %d", status.Published, status.Snapshot.Version)
		}
		if withheld := of[Withheld](&told); len(withheld) != 1 || !strings.Contains(withheld[0].Reason, "no record has its label yet") {
			t.Errorf("withheld %v", withheld)
		}
	})
}

// TestOneConstraintOfTwo: one that can be measured is enough to go on, and a condition names the other.
func TestOneConstraintOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:3000]...)
		options := testOptions()
		second := options.Model.Constraints[0]
		second.Name, second.Attribute = "gender", model.OneOrMore{"gender"}
		options.Model.Constraints = append(options.Model.Constraints, second)
		s := run(t, world, options)
		status := s.Status()
		if status.Useless != "" || status.Published != 3000 {
			t.Errorf("useless %q, published %d", status.Useless, status.Published)
		}
		c := status.Measurements.Conditions
		if !slices.ContainsFunc(c, func(c document.Condition) bool { return c.Code == document.TooFewRecords && c.Constraint == "gender" }) {
			t.Errorf("conditions %v", c)
		}
	})
}

// TestLook: the first values are looked at, in order and those of rejected records too, until enough is seen.
func TestLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, append([]string{"{"}, adultLines()[:3000]...)...)
		options := testOptions()
		var seen []string
		options.Look = func(value []byte) bool {
			seen = append(seen, string(value))
			return len(seen) < 500
		}
		run(t, world, options)
		if len(seen) != 500 || seen[0] != "{" || seen[499] != adultLines()[498] {
			t.Errorf("%d values", len(seen))
		}
	})
}
