package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// plan is what plan is asked.
type plan struct {
	rateA, rateB, shareB, tau float64
	confidence                float64
	comparisons               int
	runLength                 float64
}

func newPlan(s *program.Streams) *cobra.Command {
	var p plan
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say how many records a verdict and an alarm need",
		Long: `Say how many records a verdict and an alarm need, for the rates of positive decisions that you expect in
two groups. The records of both groups are counted. The verdict is that of a confidence sequence: you may
look at it after every record. The alarm follows a change from equal rates to the given rates. Both numbers
are medians.`,
		Example: `  fairstream plan --rate-a 0.3 --rate-b 0.2 --share-b 0.1 --tau 0.05
  fairstream plan --rate-a 0.3 --rate-b 0.3 --share-b 0.5 --tau 0.05 --comparisons 4 --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := p.validate(); err != nil {
				return err
			}
			write := p.write
			if asJSON {
				write = p.writeJSON
			}
			return inWork(write(s.Out))
		},
	}
	flags := cmd.Flags()
	flags.Float64Var(&p.rateA, "rate-a", 0, "rate of positive decisions in group a, from 0 to 1")
	flags.Float64Var(&p.rateB, "rate-b", 0, "rate of positive decisions in group b, from 0 to 1")
	flags.Float64Var(&p.shareB, "share-b", 0, "share of group b among the records of both, between 0 and 1")
	flags.Float64Var(&p.tau, "tau", 0, "largest difference allowed, between 0 and 1")
	flags.Float64Var(&p.confidence, "confidence", 0.95, "joint confidence of the verdicts of all comparisons, between 0 and 1")
	flags.IntVar(&p.comparisons, "comparisons", 1, "number of comparisons that share the confidence and the run length")
	flags.Float64Var(&p.runLength, "run-length", 50_000, "least mean number of records between false alarms of all comparisons together")
	flags.BoolVar(&asJSON, "json", false, "one JSON object")
	for _, name := range []string{"rate-a", "rate-b", "share-b", "tau"} {
		mustComplete(cmd.MarkFlagRequired(name))
	}
	return cmd
}

// validate returns every problem of the flags.
func (p *plan) validate() error {
	var problems []error
	check := func(valid bool, flag, problem string) {
		if !valid {
			problems = append(problems, fmt.Errorf("--%s: %s", flag, problem))
		}
	}
	rate := func(x float64) bool { return x >= 0 && x <= 1 }
	inside := func(x float64) bool { return x > 0 && x < 1 }
	check(rate(p.rateA), "rate-a", "use a rate from 0 to 1, such as 0.3")
	check(rate(p.rateB), "rate-b", "use a rate from 0 to 1, such as 0.2")
	check(inside(p.shareB), "share-b", "use a share between 0 and 1, such as 0.1")
	check(inside(p.tau), "tau", "use a difference between 0 and 1, such as 0.05")
	check(inside(p.confidence), "confidence", "use a probability between 0 and 1, such as 0.95")
	check(p.comparisons >= 1, "comparisons", "use a whole number from 1 on")
	check(p.runLength >= 1 && p.runLength <= 1e12, "run-length", "use a number of records from 1 on, such as 50000")
	return errors.Join(problems...)
}

func (p *plan) needs() fairness.Needs {
	return fairness.Needs{RateGroup: p.rateA, RateVersus: p.rateB, ShareGroup: 1 - p.shareB, Tau: p.tau}
}

func (p *plan) level() float64 { return fairness.ShareLevel(p.confidence, p.comparisons) }

func (p *plan) verdictRecords() float64 { return p.needs().Verdict(p.level()) }

func (p *plan) alarmRecords() float64 { return p.needs().Alarm(p.runLength * float64(p.comparisons)) }

// verdict is the one to be expected, inconclusive if no number of records is enough.
func (p *plan) verdict() fairness.Status {
	switch {
	case math.IsInf(p.verdictRecords(), 1):
		return fairness.Inconclusive
	case math.Abs(p.rateA-p.rateB) > p.tau:
		return fairness.Violated
	}
	return fairness.Met
}

func (p *plan) writeJSON(w io.Writer) error {
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
	}{p.rateA, p.rateB, p.shareB, p.tau, p.verdict(), whole(p.verdictRecords()), whole(p.alarmRecords()),
		p.confidence, p.comparisons, p.level(), p.runLength})
}

// whole is a number of records, nil if it is infinite.
func whole(records float64) *int64 {
	if math.IsInf(records, 0) {
		return nil
	}
	n := int64(math.Ceil(records))
	return &n
}

// planLooks are the numbers of records for which the table says how wide a sequence is.
var planLooks = []float64{500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000}

func (p *plan) write(w io.Writer) error {
	difference := math.Abs(p.rateA - p.rateB)
	where := "within"
	if difference > p.tau {
		where = "beyond"
	}
	text := fmt.Sprintf("The rates %v and %v differ by %.4g, which is %s tau %v.\n\n", p.rateA, p.rateB, difference, where, p.tau)
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
	text += english.Sprintf("\nThe verdict may be looked at after every record, with a confidence of %v for %s.\n", p.confidence, english.Counted(p.comparisons, "comparison"))
	text += english.Sprintf("There are at least %.0f records between false alarms, on average.\n\nrecords   the difference is known to within\n", p.runLength)
	for _, records := range planLooks {
		half := "–"
		if h := p.needs().HalfWidth(records, p.level()); !math.IsNaN(h) {
			half = fmt.Sprintf("±%.3f", h)
		}
		text += english.Sprintf("%7.0f   %s\n", records, half)
	}
	_, err := io.WriteString(w, text)
	return err
}
