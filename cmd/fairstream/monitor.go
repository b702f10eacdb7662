package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
)

func newMonitor(s *program.Streams) *cobra.Command {
	var flags command.Config
	r := process.Job{Streams: s, Kind: board.Monitor}
	cmd := &cobra.Command{
		Use:   "monitor --config FILE",
		Short: "Monitor the decisions of another model on a Kafka topic",
		Long: `Read the decisions of any model from the input topic, and show on a page whether groups are treated alike.
The page shows verdicts that hold however often you look, change alarms, error rates, and calibration by
group. The command learns nothing and publishes no weights.

The section monitor names the field of the decision, or the field of a score and its threshold. A label may
be in the same record. It may also arrive later with the same record.key, or never. The section constraints
declares the comparisons. The state topic holds the state together with the offsets, so a restart changes
nothing.`,
		Example: `  fairstream monitor --config config.yaml
  fairstream monitor --config config.yaml --set monitor.score.field=score --set monitor.score.threshold=0.6
  curl localhost:8468/api/v1/status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Monitoring)
			if err != nil {
				return err
			}
			r.Config, r.Files = loaded, flags.Files()
			return command.InWork(r.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	r.Said.Register(cmd)
	cmd.Flags().BoolVar(&r.UntilEnd, "until-end", false, "read the records that are on the topic now, save the state, and exit")
	return cmd
}
