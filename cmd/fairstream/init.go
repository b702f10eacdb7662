package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/draft"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/record"
)

func newInit(s *program.Streams) *cobra.Command {
	var flags command.Config
	var registries []string
	i := draft.Request{Streams: s}
	cmd := &cobra.Command{
		Use:   "init --input FILE | --topic TOPIC --brokers BROKERS",
		Short: "Write a configuration for a sample of your records",
		Long: `Look at a sample of records, from a file or a topic, and write a commented configuration to standard
output. It names the likely label and protected attribute, lists the other candidates with their
values, and ignores identifiers, times and free text. Check the label and the attribute: only you know
what they mean. On a terminal init asks for them; the flags answer beforehand.

The messages of a topic are JSON objects, Avro or Protobuf: --registry URL names the schema registry of
Avro, with --format protobuf of Protobuf, or with --format json of JSON Schema, and the configuration has
it too. A nested field has a name with dots, such as applicant.sex.

How a CSV file is written is detected; correct a wrong result with --set record.csv.KEY=VALUE, such as
--set record.csv.encoding=windows-1250.`,
		Example: `  fairstream init --input loans.jsonl > loans.yaml
  fairstream init --topic loans --brokers localhost:9092 > loans.yaml
  fairstream init --topic loans --brokers localhost:9092 --registry http://localhost:8081 > loans.yaml
  fairstream init -i loans.csv --label repaid --positive yes --attribute sex > loans.yaml`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			i.Interactive = program.IsTerminal(s.In) && program.IsTerminal(s.Err) && i.Input != input.StandardInput
			if (i.Input == "") == (i.Topic == "") {
				return errors.New("give a sample: --input FILE, or --topic TOPIC with --brokers HOST:PORT")
			}
			if i.Input != "" {
				if len(registries) > 0 {
					return errors.New("--registry is for --topic: a file has its schema, or needs none")
				}
				from, err := input.NewSource(i.Input, i.Format, s.In)
				if err != nil {
					return err
				}
				for _, path := range flags.Paths() {
					if !strings.HasPrefix(path, "record.csv") {
						return fmt.Errorf("--set %s: for a file, init takes only keys of record.csv, which say how the file is written; add other keys to the configuration that it prints", path)
					}
				}
				if flags.Assigned() || cmd.Flags().Changed("config") {
					loaded, err := flags.Load(cmd, topicOf(i.Input, i.Brokers), config.Learning)
					if err != nil {
						return err
					}
					i.CSV = loaded.Record.CSV
				}
				return command.InWork(i.OfFile(cmd.Context(), from))
			}
			base := topicOf(i.Topic, i.Brokers)
			base.Record.Format, base.Registry.URLs = record.Encoding(i.Format), registries
			if i.Format == "" && len(registries) > 0 {
				base.Record.Format = record.Avro
			}
			loaded, err := flags.Load(cmd, base, config.Streaming)
			if err != nil {
				if record.Encoding(i.Format).FromRegistry() && len(registries) == 0 {
					err = fmt.Errorf("--format %s: name the schema registry with --registry URL\n%w", i.Format, err)
				}
				return err
			}
			i.Brokers, i.Messages, i.Registry = loaded.Kafka.Brokers, loaded.Record, loaded.Registry
			return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, i.OfTopic))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	f.StringVarP(&i.Input, "input", "i", "", "`FILE` with a sample, - or adult")
	f.StringVar(&i.Format, "format", "", input.FormatUsage+"; of a topic: json, avro, avro-single, avro-bare, protobuf or protobuf-bare")
	f.StringVar(&i.Topic, "topic", "", "`TOPIC` with a sample; its newest records are read")
	f.StringSliceVar(&i.Brokers, "brokers", []string{"127.0.0.1:9092"}, "`HOST:PORT` of Kafka, several with commas")
	f.StringSliceVar(&registries, "registry", nil, "`URL` of the schema registry of a topic in Avro or Protobuf, or in JSON with --format json, several with commas")
	f.StringVar(&i.Label, "label", "", "`FIELD` to predict")
	f.StringVar(&i.Positive, "positive", "", "`VALUE` of the label that counts as positive")
	f.StringVar(&i.Attribute, "attribute", "", "protected `FIELD`")
	f.StringVar(&i.Job, "job", "", "`NAME` of the job (default from the sample's name)")
	completeInput(cmd)
	return cmd
}

// topicOf is the configuration with which a topic is read, on which files, variables and flags are put.
func topicOf(topic string, brokers []string) *config.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "label", Positive: "1"} // nothing is learnt
	c.Topics.Input = topic
	c.Kafka.Brokers = brokers
	return &c
}
