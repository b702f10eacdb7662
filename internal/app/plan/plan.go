package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Question is how many records a verdict and an alarm need, for rates of positive decisions that somebody expects.
type Question struct {
	RateA, RateB float64 // of positive decisions, from 0 to 1
	ShareB       float64 // of group b among the records of both
	Tau          float64 // the largest difference allowed
	Confidence   float64 // of the verdicts of all comparisons together
	Comparisons  int
	RunLength    float64 // least mean number of records between false alarms
}

// Validate returns every problem of the flags.
func (p *Question) Validate() error {
	var problems []error
	check := func(valid bool, flag, problem string) {
		if !valid {
			problems = append(problems, fmt.Errorf("--%s: %s", flag, problem))
		}
	}
	rate := func(x float64) bool { return x >= 0 && x <= 1 }
	inside := func(x float64) bool { return x > 0 && x < 1 }
	check(rate(p.RateA), "rate-a", "use a rate from 0 to 1, such as 0.3")
	check(rate(p.RateB), "rate-b", "use a rate from 0 to 1, such as 0.2")
	check(inside(p.ShareB), "share-b", "use a share between 0 and 1, such as 0.1")
	check(inside(p.Tau), "tau", "use a difference between 0 and 1, such as 0.05")
	check(inside(p.Confidence), "confidence", "use a probability between 0 and 1, such as 0.95")
	check(p.Comparisons >= 1, "comparisons", "use a whole number from 1 on")
	check(p.RunLength >= 1 && p.RunLength <= 1e12, "run-length", "use a number of records from 1 on, such as 50000")
	return errors.Join(problems...)
}

func (p *Question) needs() fairness.Needs {
	return fairness.Needs{RateGroup: p.RateA, RateVersus: p.RateB, ShareGroup: 1 - p.ShareB, Tau: p.Tau}
}

func (p *Question) level() float64 { return fairness.ShareLevel(p.Confidence, p.Comparisons) }

func (p *Question) verdictRecords() float64 { return p.needs().Verdict(p.level()) }

func (p *Question) alarmRecords() float64 {
	return p.needs().Alarm(p.RunLength * float64(p.Comparisons))
}

// verdict is the one to be expected, inconclusive if no number of records is enough.
func (p *Question) verdict() fairness.Status {
	switch {
	case math.IsInf(p.verdictRecords(), 1):
		return fairness.Inconclusive
	case math.Abs(p.RateA-p.RateB) > p.Tau:
		return fairness.Violated
	}
	return fairness.Met
}

// WriteJSON writes the answer as one object.
func (p *Question) WriteJSON(w io.Writer) error {
	return json.NewEncoder(w).Encode(struct {
		RateA          float64         `json:"rate_a"`
		RateB          float64         `json:"rate_b"`
		ShareB         float64         `json:"share_b"`
		Tau            float64         `json:"tau"`
		Verdict        fairness.Status `json:"verdict"`
		VerdictRecords *int64          `json:"verdict_records"`
		AlarmRecords   *int64          `json:"alarm_records"`
		Confidence     float64         `json:"confidence"`
		Comparisons    int             `json:"comparisons"`
		Level          float64         `json:"level"`
		RunLength      float64         `json:"run_length"`
	}{p.RateA, p.RateB, p.ShareB, p.Tau, p.verdict(), whole(p.verdictRecords()), whole(p.alarmRecords()),
		p.Confidence, p.Comparisons, p.level(), p.RunLength})
}

// whole is a number of records, nil if it is infinite.
func whole(records float64) *int64 {
	if math.IsInf(records, 0) {
		return nil
	}
	n := int64(math.Ceil(records))
	return &n
}

// looks are the numbers of records for which the table says how wide a sequence is.
var looks = []float64{500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000}

// Write writes the answer for people.
func (p *Question) Write(w io.Writer) error {
	difference := math.Abs(p.RateA - p.RateB)
	where := "within"
	if difference > p.Tau {
		where = "beyond"
	}
	text := fmt.Sprintf("The rates %v and %v differ by %.4g, which is %s tau %v.\n\n", p.RateA, p.RateB, difference, where, p.Tau)
	if n := whole(p.verdictRecords()); n != nil {
		text += fmt.Sprintf("verdict   %s after about %s\n", p.verdict(), english.Counted(*n, "record"))
	} else {
		text += "verdict   inconclusive with any number of records: the difference is tau itself, or a rate is 0 or 1\n"
	}
	if n := whole(p.alarmRecords()); n != nil {
		text += fmt.Sprintf("alarm     about %s after a change from equal rates\n", english.Counted(*n, "record"))
	} else {
		text += "alarm     none is due: the difference is not beyond tau\n"
	}
	text += english.Sprintf("\nThe verdict may be looked at after every record, with a confidence of %v for %s.\n", p.Confidence, english.Counted(p.Comparisons, "comparison"))
	text += english.Sprintf("There are at least %.0f records between false alarms, on average.\n\nrecords   the difference is known to within\n", p.RunLength)
	for _, records := range looks {
		half := "–"
		if h := p.needs().HalfWidth(records, p.level()); !math.IsNaN(h) {
			half = fmt.Sprintf("±%.3f", h)
		}
		text += english.Sprintf("%7.0f   %s\n", records, half)
	}
	_, err := io.WriteString(w, text)
	return err
}
