package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/produce"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/format/registry"
)

func newProduce(s *program.Streams) *cobra.Command {
	var flags command.Config
	var from, format, schemaFile string
	p := produce.Work{Streams: s}
	cmd := &cobra.Command{
		Use:   "produce --config FILE --input FILE",
		Short: "Write the records of a file to a topic",
		Long: `Write every line of a file to a topic as one record. In JSON, lines of JSON are sent unchanged, even if they
are malformed, and CSV rows become objects with text values. With another record.format, or with --schema, records are
written as the schema says, for tests and demos: texts become numbers and booleans where it has those, texts of
record.missing become null, and a row that does not fit is rejected. --schema FILE is registered as TOPIC-value in the
registry that the configuration names: Avro, Protobuf (the first type of the file), or JSON Schema if record.format is
json. The formats without a registry take their schema from record.schema.

The key of a message is the field
record.key, or else record.id, so that the records of one key stay in order on one partition. Without a
key, the partitions receive batches in turn.

Every record is acknowledged by all in-sync replicas before the command ends. --input adult takes the
bundled Adult records, all 48,842.`,
		Example: `  fairstream produce --config config.yaml --input train.csv
  fairstream produce --config config.yaml --input adult --rate 2000
  fairstream produce --config avro.yaml --input train.csv --schema train.avsc
  zstd -dc train.jsonl.zst | fairstream produce -c config.yaml --input - --format jsonl`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var badArguments error
			p.Source, badArguments = producible(&p, from, format)
			loaded, badConfig := flags.Load(cmd, nil, config.Streaming)
			if err := errors.Join(badArguments, badConfig); err != nil {
				return err
			}
			p.Topic = cmp.Or(p.Topic, loaded.Topics.Input)
			schema, err := loaded.Model().Schema()
			if err != nil {
				return err
			}
			p.Schema = schema.LabelOptional()
			if p.Topic == loaded.Topics.Input || schemaFile != "" {
				if p.Encode, err = formats.NewEncoder(cmd.Context(), loaded.Record, loaded.Registry, p.Topic, schemaFile); err != nil {
					if _, ofRegistry := errors.AsType[*registry.NotRegistered](err); ofRegistry {
						err = command.InWork(err)
					}
					return err
				}
			}
			return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, p.Run))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	inputFlags(cmd, &from, &format, "`FILE` of records, - or adult")
	f.IntVar(&p.Rate, "rate", 0, "records a second; 0 is as fast as it goes")
	f.Int64Var(&p.Skip, "skip", 0, "rows to pass over at the beginning, as an interrupted produce says")
	f.StringVar(&schemaFile, "schema", "", "schema `FILE` of the records, which is registered as TOPIC-value")
	f.StringVar(&p.Topic, "topic", "", "topic to write to (default topics.input)")
	command.MustComplete(cmd.MarkFlagRequired("input"))
	return cmd
}

// producible is the source that the flags name, unless they cannot be meant.
func producible(p *produce.Work, from, format string) (input.Source, error) {
	if p.Skip < 0 {
		return input.Source{}, fmt.Errorf("--skip %d: give a number of rows, or 0 to begin with the first", p.Skip)
	}
	if p.Rate < 0 {
		return input.Source{}, fmt.Errorf("--rate %d: give records a second, or 0 for no limit", p.Rate)
	}
	return input.NewSource(from, format, p.In)
}
