package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
)

// newRoot returns the command with all its subcommands.
func newRoot(s *program.Streams) *cobra.Command {
	root := command.Group(&cobra.Command{
		Use:   "fairstream",
		Short: "Learn fair classifiers from streams of labelled records",
		Long: `fairstream learns a linear classifier in one pass over labelled records and keeps the
difference of its positive rates between groups within a bound, tau.`,
		Example: `  fairstream demo
  fairstream replay --input adult
  fairstream replay --input adult --tau 0.02,0.05,0.10
  fairstream replay --config config.yaml --input train.csv --holdout test.csv`,
		Version:       program.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	},
		newDemo(s),
		newInit(s),
		newCheck(s),
		newReplay(s),
		newBackfill(s),
		newLearn(s),
		newRun(s),
		newMonitor(s),
		newBroker(s),
		newTopics(s),
		newProduce(s),
		newModels(s),
		newScore(s),
		newServe(s),
		newState(s),
		newDeadLetters(s),
		newAudit(s),
		newPlan(s),
		newKeys(s),
		newHealth(s),
		newConfig(s),
		newVersion(s),
	)
	root.SetFlagErrorFunc(command.NoSuchFlag)
	command.Strict(root)
	return root
}
