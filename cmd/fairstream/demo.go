package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/demo"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newDemo(s *program.Streams) *cobra.Command {
	d := demo.Demo{Streams: s}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a fair classifier being learnt from census records that flow through Kafka",
		Long: `Watch a fair classifier being learnt from census records that flow through Kafka. The demo starts an
embedded broker and writes four fifths of the bundled Adult records to a topic, in about 15 s. It learns
from the topic as fairstream run does, and keeps the difference between men and women within 0.05. Then it
reads the weights back from the model topic, and measures them on the other fifth of the records. At the
end it holds out each fifth in turn.

On a terminal it prints the address of a page that shows the job live, and serves it until Ctrl-C;
--open opens it in a browser. With --json or without a terminal it ends by itself.

It needs no other program, listens on this machine alone, and leaves no files behind.`,
		Example: `  fairstream demo
  fairstream demo --open
  fairstream demo --keep-running`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.Lasts <= 0 {
				return fmt.Errorf("--lasts %v: give a time above 0, such as 15s", d.Lasts)
			}
			return command.InWork(d.Run(cmd.Context()))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&d.JSON, "json", false, "print one JSON object at the end, as replay does")
	f.BoolVar(&d.Open, "open", false, "open the page in a browser, and serve it until Ctrl-C")
	f.BoolVar(&d.KeepRunning, "keep-running", false, "go on with the same records until Ctrl-C")
	f.DurationVar(&d.Lasts, "lasts", 14*time.Second, "how long the records take")
	command.MustComplete(f.MarkHidden("lasts"))
	return cmd
}
