package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/embedded"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newBroker(s *program.Streams) *cobra.Command {
	b := embedded.Broker{Streams: s}
	cmd := &cobra.Command{
		Use:   "broker",
		Short: "Run an embedded Kafka broker, for trying things out",
		Long: `Run an embedded Kafka broker on this machine's loopback interface until Ctrl-C, for trying fairstream run
without Docker. It is not for production: one process, no replication, no authentication. Its records
stay in the data directory, beside a configuration for the bundled records.`,
		Example: `  fairstream broker
  fairstream broker --port 19092 --data /tmp/broker`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.Port < 0 || b.Port > 65535 {
				return fmt.Errorf("--port %d: give a port from 1 to 65535, or 0 for any free one", b.Port)
			}
			return command.InWork(b.Run(cmd.Context()))
		},
	}
	cmd.Flags().IntVar(&b.Port, "port", 9092, "port on 127.0.0.1; 0 is any free one")
	cmd.Flags().StringVar(&b.Data, "data", "fairstream-broker", "`DIRECTORY` that keeps topics")
	command.MustComplete(cmd.MarkFlagDirname("data"))
	return cmd
}
