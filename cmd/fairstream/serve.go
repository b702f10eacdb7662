package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/serve"
	"github.com/fairstream/fairstream/internal/config"
)

func newServe(s *program.Streams) *cobra.Command {
	var flags command.Config
	server := serve.Server{Streams: s}
	cmd := &cobra.Command{
		Use:   "serve [--alias A] | --model FILE",
		Short: "Decide records over HTTP",
		Long: `Decide records over HTTP, by the stable version of the job, or by the latest version until there is a stable
one. --alias names another alias, --model a weight document in a file. New versions take effect between two
requests, and while Kafka is away the last good version decides.

POST /v1/score takes {"records":[{…}]} and gives {"results":[{"score":…,"margin":…,"decision":0|1,"version":…,
"term":…,"alias":…}]}. /v2 is version 2 of the Open Inference Protocol, with one tensor for each feature. With
serve.log, every decision goes to a topic too, for fairstream monitor.

Without server.tls and server.token_file, only this machine is answered. The section serve of the configuration
has the limits; docs/serving.md describes requests and answers.`,
		Example: `  fairstream serve --model weights.json
  fairstream serve --config config.yaml
  fairstream serve --config config.yaml --set serve.log=wait --set serve.topic=people.decisions
  curl -d '{"records":[{"age":41,"purpose":"car"}]}' http://127.0.0.1:8470/v1/score`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			purpose := config.Streaming
			if server.Model != "" {
				purpose = config.Deciding
			} else if !flags.Given() && !flags.Assigned() {
				return errors.New("--config is missing: give a configuration, or --model for a weight document in a file")
			}
			if server.Config, err = flags.Load(cmd, nil, purpose); err != nil {
				return err
			}
			if err := server.Check(); err != nil {
				return err
			}
			return command.InWork(server.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	flags.Name(cmd, "address", "serve.address", "listen on `HOST:PORT`")
	flags.Name(cmd, "explore", "serve.explore", "turn this `SHARE` of the negative decisions to positive, chosen by a hash of the identifier")
	f := cmd.Flags()
	f.StringVar(&server.Model, "model", "", "decide by the weight document in a `FILE`")
	f.StringVar(&server.Alias, "alias", "", "decide by this alias (default stable, or latest until a version is stable)")
	f.StringVar(&server.Shadow, "shadow", "", "also score by this alias, without effect on decisions")
	f.Float64Var(&server.Split, "split", 0, "with --shadow, the share of the records that the shadow alias decides, chosen by a hash of their keys")
	cmd.MarkFlagsMutuallyExclusive("model", "alias")
	cmd.MarkFlagsMutuallyExclusive("model", "shadow")
	command.MustComplete(cmd.MarkFlagFilename("model", "json"))
	return cmd
}
