package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestQualitiesOfAReport: of a classifier or of a regression, each with its own interval; of no records there is none, and of weights without either neither.
func TestQualitiesOfAReport(t *testing.T) {
	at := func(x float64) fairness.Measure {
		return fairness.Measure{Value: x, Lo: x - .01, Hi: x + .02, Level: .9, Records: int64(100 * x), Effective: 50 * x}
	}
	decisions := &document.Decisions{Accuracy: at(1), LogLoss: at(2), ConstantAccuracy: at(3), PositiveDecisions: at(4), PositiveLabels: at(5)}
	predictions := &document.Predictions{MSE: at(1), ConstantMSE: at(2), RSquared: at(3)}
	for name, c := range map[string]struct {
		report document.Report
		want   string
	}{
		"a classifier":            {document.Report{Records: 1, Decisions: decisions}, "accuracy 1 log_loss 2 constant_accuracy 3 positive_decisions 4 positive_labels 5"},
		"a regression":            {document.Report{Records: 1, Predictions: predictions}, "mse 1 constant_mse 2 r_squared 3"},
		"a classifier, no record": {document.Report{Decisions: decisions}, ""},
		"a regression, no record": {document.Report{Predictions: predictions}, ""},
		"neither":                 {document.Report{Records: 1}, ""},
	} {
		var got []string
		for _, m := range qualities(c.report, "recent") {
			x := float64(m.Value)
			if want := at(x); m.Window != "recent" || float64(m.Lo) != want.Lo || float64(m.Hi) != want.Hi || m.Level != want.Level || m.N != want.Records || float64(m.Effective) != want.Effective {
				t.Errorf("%s: %+v, want %+v", name, m, want)
			}
			got = append(got, fmt.Sprint(m.Name, " ", x))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// TestTheConstantOfAThreshold has a series wherever one was found, be it 1; a regression has none.
func TestTheConstantOfAThreshold(t *testing.T) {
	for _, constant := range []float64{0, .5, 1, 10} {
		m := NewMonitor("test", "adult")
		m.Watch(func() stream.Status {
			s := learning()
			s.Measurements.Control[0].EffectiveConstant = constant
			return s
		})
		_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
		if told := strings.Contains(withoutJob(text), fmt.Sprintf("\nfairstream_constraint_effective_c{constraint=\"sex\",criterion=\"demographic-parity\",group=\"Male\"} %v\n", constant)); told != (constant != 0) {
			t.Errorf("%v: there is a series: %v", constant, told)
		}
	}
}

// TestTheStatusLeavesOutNotesThatDoNotFit: before there is a first version, that none is stable is no news.
func TestTheStatusLeavesOutNotesThatDoNotFit(t *testing.T) {
	s := judging()
	s.Releases.Stable, s.Releases.Guard = release.Version{}, nil
	for labelled, told := range map[int64]bool{1000: false, 1500: true} { // of a warm-up of 1,500
		s.Labelled = labelled
		found := slices.ContainsFunc(liveOf(s).Status().Conditions, func(c board.Condition) bool { return c.Code == "no_stable_version" })
		if found != told {
			t.Errorf("after %d labels it is told that no version is stable: %v", labelled, found)
		}
	}
}
