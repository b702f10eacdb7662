package draft

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// mostSampled is how many records init looks at.
const mostSampled = 20000

// Request is a configuration that is asked for, for the records of a sample.
type Request struct {
	*program.Streams
	Input, Format, Topic       string // the sample: a file or a topic
	Brokers                    []string
	Label, Positive, Attribute string // empty: the likeliest
	Job                        string
	Interactive                bool            // ask for them
	Messages                   record.Config   // what the messages of the topic are written as
	Registry                   registry.Config // of their schemas

	CSV record.Dialect // what is known of how the file is written; the rest is found out

	csv      record.Dialect // of the file
	alike    string         // what it would say in another encoding
	sample   input.Sample
	profile  profile.Profile
	copies   profile.Copies
	original profile.Profile // of the records that are no copies
	rejected input.Rejections
	at       record.At // where the first message seems to hold its record
}

// look sets up the sample so that every record goes into the profile.
func (i *Request) look() {
	var decoder *record.Decoder
	var rec record.Record
	i.sample = input.Sample{Most: mostSampled, Reject: i.rejected.Add, Use: func(raw []byte) {
		if decoder == nil {
			i.at = record.Config{Format: i.Messages.Format, At: record.Enveloped(raw)}.AsJSON().At
			decoder = profile.AllFeatures(record.Config{At: i.at}).NewDecoder()
		}
		if i.sample.Decode(decoder, &rec, raw) {
			i.profile.Add(&rec)
			if !i.copies.Add(&rec) {
				i.original.Add(&rec)
			}
		}
	}}
}

// OfFile writes a configuration for the first records of a file.
func (i *Request) OfFile(ctx context.Context, from input.Source) error {
	var err error
	if i.csv, i.alike, err = from.Dialect(i.CSV); err != nil {
		return err
	}
	i.look()
	if err := i.sample.FromFile(ctx, from, record.Config{CSV: i.csv}); err != nil {
		return err
	}
	return i.write(from.Name)
}

// OfTopic writes a configuration for the newest records of a topic.
func (i *Request) OfTopic(ctx context.Context, client *kafka.Client) error {
	i.look()
	if err := i.sample.FromTopic(ctx, client, input.Topic{Name: i.Topic, Record: i.Messages, Registry: i.Registry}); err != nil {
		return err
	}
	return i.write("topic " + i.Topic)
}

// write chooses what the configuration says, and writes it.
func (i *Request) write(name string) error {
	i.rejected.Write(i.Err, int64(i.sample.Read), name)
	if i.profile.Records() == 0 {
		if i.Topic != "" && i.rejected.Reasons[record.RegistryHeader] > 0 {
			return fmt.Errorf("%s: none of %s can be read as JSON: see above; if they are Avro, name the schema registry: --registry URL", name, english.Counted(i.sample.Read, "record"))
		}
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
	var fields []format.Field
	if i.sample.Schema != nil {
		fields = i.sample.Schema.Within(profile.AllFeatures(record.Config{At: i.at}).Within())
		columns = described(columns, fields, i.profile.Records())
	}
	d := New(columns)
	if i.sample.Schema != nil {
		d.describe(i.sample.Schema.Name, fields)
	}
	d.Copies, d.At = copies, i.at
	d.Source, d.Records, d.Whole = name, i.profile.Records(), i.sample.Whole
	d.Input, d.Brokers, d.CSV, d.Alike = i.Topic, i.Brokers, i.csv, i.alike
	d.Format, d.Schemas, d.Registry = i.Messages.Format, i.Messages.Schema, i.Registry.URLs
	d.Job = i.Job
	d.Job = cmp.Or(d.Job, jobOf(i.Input, i.Topic))
	if d.Input == "" {
		d.Input = d.Job
	}
	if err := d.Choose(i.Label, i.Positive, i.Attribute); err != nil {
		return err
	}
	if i.Interactive {
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
	for _, ending := range []string{".gz", ".jsonl", ".ndjson", ".csv", ".parquet", ".avro"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.Trim(notInName.ReplaceAllString(name, "-"), "-")
	if name == "" {
		return "fairstream"
	}
	return name[:min(len(name), 80)]
}
