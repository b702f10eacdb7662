package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/plan"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newPlan(s *program.Streams) *cobra.Command {
	var p plan.Question
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
		RunE: func(*cobra.Command, []string) error {
			if err := p.Validate(); err != nil {
				return err
			}
			write := p.Write
			if asJSON {
				write = p.WriteJSON
			}
			return command.InWork(write(s.Out))
		},
	}
	flags := cmd.Flags()
	flags.Float64Var(&p.RateA, "rate-a", 0, "rate of positive decisions in group a, from 0 to 1")
	flags.Float64Var(&p.RateB, "rate-b", 0, "rate of positive decisions in group b, from 0 to 1")
	flags.Float64Var(&p.ShareB, "share-b", 0, "share of group b among the records of both, between 0 and 1")
	flags.Float64Var(&p.Tau, "tau", 0, "largest difference allowed, between 0 and 1")
	flags.Float64Var(&p.Confidence, "confidence", 0.95, "joint confidence of the verdicts of all comparisons, between 0 and 1")
	flags.IntVar(&p.Comparisons, "comparisons", 1, "number of comparisons that share the confidence and the run length")
	flags.Float64Var(&p.RunLength, "run-length", 50_000, "least mean number of records between false alarms of all comparisons together")
	flags.BoolVar(&asJSON, "json", false, "one JSON object")
	for _, name := range []string{"rate-a", "rate-b", "share-b", "tau"} {
		command.MustComplete(cmd.MarkFlagRequired(name))
	}
	return cmd
}
