package backfill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestTheWholeOfABackfill compares what is surveyed and each round with a file: of constraints of every relaxation, of a ratio, of several, of none, of records by
// time and without labels, and without a full matrix.
func TestTheWholeOfABackfill(t *testing.T) {
	smaller := func(c model.Config) model.Config {
		c.Learner.Warmup, c.Learner.Window = 300, 512
		return c
	}
	ratio, several, none := config(""), config(""), config("")
	ratio.Constraints[0].Criterion, ratio.Constraints[0].Tau = fairness.ImpactRatio, .95
	measured := ratio.Constraints[0]
	measured.Name, measured.Enforce = "measured", new(bool)
	given := several.Constraints[0]
	given.Name, given.Criterion, given.Tau = "given", fairness.EqualOpportunity, .03
	several.Constraints = append(several.Constraints, given, measured)
	none.Constraints = nil
	records := generated(3, 700)
	other := generated(3, 700)
	for file := range other {
		for i := range other[file] {
			r := &other[file][i]
			switch {
			case i%7 == 3:
				r.HasLabel = false
			case i%11 == 5:
				r.Weight = 0
			case i%13 == 6:
				r.Time = time.Time{}
			}
		}
	}
	worlds := map[string]Options{
		"ratio": {Model: ratio, Source: records}, "several": {Model: several, Source: records, Shards: 2}, "none": {Model: none, Source: records, Sample: 900},
		"by-time": {Model: config(""), Source: other, ByTime: true, Sample: 800}, "thin": {Model: config(""), Source: records},
	}
	for _, name := range surrogate.Names() {
		if !testing.Short() { // under the race detector each takes seconds
			worlds[string(name)] = Options{Model: config(string(name)), Source: records}
		}
	}
	for name, o := range worlds {
		t.Run(name, func(t *testing.T) {
			if name == "thin" {
				mostDense = 3
				defer func() { mostDense = MostDense }()
			}
			var text strings.Builder
			o.Model = smaller(o.Model)
			rounds := 0
			o.Tell = func(p Progress) {
				p.Took = 0
				if rounds++; rounds < 4 {
					text.WriteString(goldentest.Print(fmt.Sprintf("progress %d", rounds), p))
				}
			}
			result := run(t, o)
			text.WriteString(goldentest.Print("survey", result.Survey))
			text.WriteString(goldentest.Print("rounds", result.Rounds))
			text.WriteString(goldentest.Print("provenance", result.Provenance(Provenance{Program: "v1", Files: []File{{"a.csv", 1, 2, "aa"}}})))
			for i, l := range [2]*model.Learner{result.Before, result.Learner} {
				m := l.Measurements()
				text.WriteString(goldentest.Print(fmt.Sprintf("learner %d", i), []any{l.Version(), m.Constraints, m.Prequential.Accuracy}))
			}
			goldentest.Compare(t, name+".txt", text.String())
		})
	}
}

// TestWhatWasSavedAndCannotBeUsed: damaged, of a learner that is none, and what cannot be saved or told ends a backfill.
func TestWhatWasSavedAndCannotBeUsed(t *testing.T) {
	h := generated(2, 600)
	for saved, want := range map[string]string{"{": "backfill: what was saved is damaged", "": "backfill: what was saved is damaged", `{"learner":"eA=="}`: "model: restore"} {
		if _, err := Run(context.Background(), Options{Model: config(""), Source: h, Saved: []byte(saved)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", saved, err, want)
		}
	}
	full := errors.New("the disk is full")
	saves := 0
	for fails := range 2 {
		saves = 0
		o := Options{Model: config(""), Source: h, Save: func([]byte) error {
			if saves++; saves > fails {
				return full
			}
			return nil
		}}
		if _, err := Run(context.Background(), o); !errors.Is(err, full) || saves != fails+1 {
			t.Errorf("save %d fails: %v after %d", fails+1, err, saves)
		}
	}
	ended, end := context.WithCancel(context.Background())
	o := Options{Model: config(""), Source: h, Tell: func(Progress) { end() }}
	if _, err := Run(ended, o); !errors.Is(err, context.Canceled) {
		t.Errorf("the context ends: %v", err)
	}
	var provenance State
	provenance.Learner = []byte("l")
	data, err := provenance.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(bytes.Replace(data, []byte(`"files"`), []byte(`"files}`), 1)); err == nil {
		t.Error("a file that was changed is opened")
	}
}
