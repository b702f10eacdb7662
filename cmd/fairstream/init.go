package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/draft"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// initSample is how many records init looks at.
const initSample = 20000

func newInit(s *program.Streams) *cobra.Command {
	var flags configFlags
	i := initial{Streams: s}
	cmd := &cobra.Command{
		Use:   "init --input FILE | --topic TOPIC --brokers BROKERS",
		Short: "Write a configuration for a sample of your records",
		Long: `Look at a sample of records, from a file or a topic, and write a commented configuration to standard
output. It names the likely label and protected attribute, lists the other candidates with their
values, and ignores identifiers, times and free text. Check the label and the attribute: only you know
what they mean. On a terminal init asks for them; the flags answer beforehand.

The messages of a topic are JSON objects. A nested field has a name with dots, such as applicant.sex.`,
		Example: `  fairstream init --input loans.jsonl > loans.yaml
  fairstream init --topic loans --brokers localhost:9092 > loans.yaml
  fairstream init -i loans.csv --label repaid --positive yes --attribute sex > loans.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			i.interactive = program.IsTerminal(s.In) && program.IsTerminal(s.Err) && i.input != input.StandardInput
			if (i.input == "") == (i.topic == "") {
				return errors.New("give a sample: --input FILE, or --topic TOPIC with --brokers HOST:PORT")
			}
			if i.input != "" {
				return i.fromFile(cmd.Context())
			}
			loaded, err := flags.load(cmd, i.base(), config.Streaming)
			if err != nil {
				return err
			}
			i.brokers = loaded.Kafka.Brokers
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, i.fromTopic))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&i.input, "input", "i", "", "`FILE` with a sample, - or adult")
	f.StringVar(&i.format, "format", "", input.FormatUsage)
	f.StringVar(&i.topic, "topic", "", "`TOPIC` with a sample; its newest records are read")
	f.StringSliceVar(&i.brokers, "brokers", []string{"127.0.0.1:9092"}, "`HOST:PORT` of Kafka, several with commas")
	f.StringVar(&i.label, "label", "", "`FIELD` to predict")
	f.StringVar(&i.positive, "positive", "", "`VALUE` of the label that counts as positive")
	f.StringVar(&i.attribute, "attribute", "", "protected `FIELD`")
	f.StringVar(&i.job, "job", "", "`NAME` of the job (default from the sample's name)")
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	return cmd
}

// initial is one run of the command.
type initial struct {
	*program.Streams
	input, format, topic       string
	brokers                    []string
	label, positive, attribute string
	job                        string
	interactive                bool

	sample   input.Sample
	profile  profile.Profile
	copies   profile.Copies
	original profile.Profile // of the records that are no copies
	rejected input.Rejections
}

// base is the configuration with which a topic is read, on which files, variables and flags are put.
func (i *initial) base() *config.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "label", Positive: "1"} // nothing is learnt
	c.Topics.Input = i.topic
	c.Kafka.Brokers = i.brokers
	return &c
}

// look sets up the sample so that every record goes into the profile.
func (i *initial) look() {
	decoder := profile.AllFeatures(record.Limits{}, nil).NewDecoder()
	var rec record.Record
	i.sample = input.Sample{Most: initSample, Reject: i.rejected.Add, Use: func(raw []byte) {
		if i.sample.Decode(decoder, &rec, raw) {
			i.profile.Add(&rec)
			if !i.copies.Add(&rec) {
				i.original.Add(&rec)
			}
		}
	}}
}

func (i *initial) fromFile(ctx context.Context) error {
	from, err := input.NewSource(i.input, i.format, i.In)
	if err != nil {
		return err
	}
	i.look()
	if err := i.sample.FromFile(ctx, from, record.Limits{}); err != nil {
		return inWork(err)
	}
	return inWork(i.write(from.Name))
}

func (i *initial) fromTopic(ctx context.Context, client *kafka.Client) error {
	i.look()
	if err := i.sample.FromTopic(ctx, client, i.topic); err != nil {
		return err
	}
	return i.write("topic " + i.topic)
}

// write chooses what the configuration says, and writes it.
func (i *initial) write(name string) error {
	i.rejected.Write(i.Err, int64(i.sample.Read), name)
	if i.profile.Records() == 0 {
		if i.rejected.Total > 0 {
			return fmt.Errorf("%s: none of %s can be read: see above", name, english.Counted(i.sample.Read, "record"))
		}
		return fmt.Errorf("%s holds no records", name)
	}
	columns := i.profile.Columns()
	copies, _ := i.copies.Found()
	if copies > 0 { // which would hide identifiers
		columns = i.original.Columns()
	}
	d := draft.New(columns)
	d.Copies = copies
	d.Source, d.Records, d.Whole = name, i.profile.Records(), i.sample.Whole
	d.Input, d.Brokers = i.topic, i.brokers
	d.Job = i.job
	if d.Job == "" {
		d.Job = jobOf(i.input, i.topic)
	}
	if d.Input == "" {
		d.Input = d.Job
	}
	if err := d.Choose(i.label, i.positive, i.attribute); err != nil {
		return err
	}
	if i.interactive {
		if err := d.Ask(i.In, i.Err); err != nil {
			return err
		}
	}
	_, err := i.Out.Write([]byte(d.YAML()))
	return err
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// jobOf makes a job's name from that of a file or topic.
func jobOf(input, topic string) string {
	if topic != "" {
		return topic
	}
	name := filepath.Base(input)
	for _, ending := range []string{".gz", ".jsonl", ".ndjson", ".csv", ".parquet"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.Trim(notInName.ReplaceAllString(name, "-"), "-")
	if name == "" {
		return "fairstream"
	}
	return name[:min(len(name), 80)]
}
