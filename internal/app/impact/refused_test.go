package impact

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestRefusedRequests are errors, whichever request is refused.
func TestRefusedRequests(t *testing.T) {
	j := apptest.Learnt(t)
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"of a job": func(ctx context.Context, s *program.Streams) error {
		return (&Table{Streams: s, Config: j.Config, Sex: "sex", Race: "race"}).OfJob(ctx)
	}})
	file := func(asJSON bool) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			from, err := input.NewSource("a.csv", "", nil)
			a := Table{Streams: s, Sex: "sex", Race: "part", Decision: "paid=1", JSON: asJSON, Source: from}
			return errors.Join(err, a.Decisions(), a.OfFile(ctx))
		}
	}
	apptest.InDirectory(t, map[string]string{"a.csv": apptest.CSV(300)})
	apptest.Unwritten(t, map[string]func(context.Context, *program.Streams) error{"csv": file(false), "json": file(true)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out apptest.Screen
	if err := file(false)(ctx, &program.Streams{Out: &out, Err: &out}); err == nil || err.Error() != "interrupted after 0 rows of a.csv" || out.String() != "" {
		t.Errorf("interrupted: %v\n%s", err, out.String())
	}
	var many strings.Builder
	many.WriteString("sex,part,paid\n")
	for i := range 20_000 {
		fmt.Fprintf(&many, "s%d,p%d,1\n", i, i)
	}
	apptest.InDirectory(t, map[string]string{"a.csv": many.String()})
	if err := file(false)(t.Context(), &program.Streams{Out: &out, Err: &out}); err == nil || !strings.Contains(err.Error(), "are --sex and --race the right fields?") || out.String() != "" {
		t.Errorf("of more combinations than are counted: %v\n%s", err, out.String())
	}
	same := Table{Streams: &program.Streams{Out: &out, Err: &out}, Sex: "paid", Race: "paid", Decision: "paid=1"}
	if err := errors.Join(same.Decisions(), same.OfFile(t.Context())); err == nil || out.String() != "" {
		t.Errorf("of the field of decisions: %v\n%s", err, out.String())
	}
}

// TestWhatAConfigurationSaysOfAFile: the level of intervals, and which texts are none.
func TestWhatAConfigurationSaysOfAFile(t *testing.T) {
	loaded := apptest.Load(t, strings.Replace(apptest.Loans, "ignore: [pay]", "ignore: [pay], missing: [F]", 1)+"learner: {level: 0.8}\n", config.Learning)
	if got := (&Table{Config: loaded}).level(); got != .8 {
		t.Errorf("the level is %v", got)
	}
	if got := new(Table).level(); got != fairness.DefaultLevel {
		t.Errorf("without a configuration the level is %v", got)
	}
	apptest.InDirectory(t, map[string]string{"a.csv": apptest.CSV(300)})
	from, err := input.NewSource("a.csv", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for configured, want := range map[*config.Loaded]bool{nil: true, loaded: false} {
		var out apptest.Screen
		a := Table{Streams: &program.Streams{Out: &out, Err: &out}, Sex: "sex", Race: "part", Decision: "paid=1", Config: configured, Source: from}
		if err := errors.Join(a.Decisions(), a.OfFile(t.Context())); err != nil || strings.Contains(out.String(), ",sex,F,") != want || !strings.Contains(out.String(), ",sex,M,") {
			t.Errorf("configured %v: %v\n%s", configured != nil, err, out.String())
		}
	}
}
