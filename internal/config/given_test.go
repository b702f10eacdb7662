package config

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/observe"
)

// TestDecisionIsTheLabel: a field of decisions that has another role is a problem of its own key.
func TestDecisionIsTheLabel(t *testing.T) {
	c := Default()
	c.Record.Label.Field, c.Record.Label.Positive, c.Record.Ignore = "y", "1", []string{"s"}
	c.Monitor.Given = observe.Given{Decision: observe.GivenDecision{Field: "y", Positive: "1"}, Score: observe.GivenScore{Field: "s"}}
	var said string
	for _, problem := range c.WithDefaults().Validate(Learning) {
		said += problem.Path + ": " + problem.Message + "\n"
	}
	for _, want := range []string{`monitor.decision.field: "y" is the label`, `monitor.score.field: "s" is ignored`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
}
