package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newAuditImpact(s *program.Streams) *cobra.Command {
	var flags configFlags
	a := auditImpact{Streams: s}
	cmd := &cobra.Command{
		Use:   "impact --config FILE | --input FILE --decision FIELD=VALUE",
		Short: "Print selection rates and impact ratios by sex, by race and by both, as Local Law 144 asks",
		Long: `Print a table of selection rates and impact ratios by sex, by race and by their intersections, in the
shape that New York City's Local Law 144 asks for, as CSV or with --json.

Without --input, the table counts all decisions of the job since monitoring began, up to its last snapshot.
The constraints with which the job ran must name the fields of --sex and --race, whatever the file of --config
says now. For the intersections, one constraint must name both fields.

With --input, the decisions are those of a file. --decision names the field and the value of a positive
decision. Without --decision, the key monitor.decision names them, and without that key, the label does. With --score, an applicant
counts as selected with a score above the median.

A category with less than 2 % of the applicants is marked: an auditor may leave it out of the ratios. The
column impact_ratio_without_small has the ratios if all such categories are left out.`,
		Example: `  fairstream audit impact --config config.yaml
  fairstream audit impact --input applicants.csv --decision hired=yes
  fairstream audit impact --input applicants.csv --score score --race ethnicity --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			configured := flags.given() || len(flags.assignments) > 0
			if a.input == "" && !configured {
				return errors.New("--input or --config is missing: name a file of decisions, or the configuration of a job")
			}
			if a.input == "" && (a.decision != "" || a.score != "") {
				return errors.New("--decision and --score are for --input: the monitor of a job knows its decisions")
			}
			if a.sex == a.race {
				return errors.New("--sex and --race name the same field")
			}
			if configured {
				purpose := config.Streaming
				if a.input != "" {
					purpose = config.Learning
				}
				if a.config, err = flags.load(cmd, nil, purpose); err != nil {
					return err
				}
			}
			if a.input == "" {
				return inWork(a.ofJob(cmd.Context()))
			}
			if a.source, err = input.NewSource(a.input, a.format, s.In); err != nil {
				return err
			}
			if err := a.decisions(); err != nil {
				return err
			}
			return inWork(a.ofFile(cmd.Context()))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVar(&a.sex, "sex", "sex", "`FIELD` that contains the sex")
	f.StringVar(&a.race, "race", "race", "`FIELD` that contains race or ethnicity")
	f.StringVarP(&a.input, "input", "i", "", "`FILE` of decisions, - or adult")
	f.StringVar(&a.format, "format", "", input.FormatUsage)
	f.StringVar(&a.decision, "decision", "", "with --input, `FIELD=VALUE` of a positive decision")
	f.StringVar(&a.score, "score", "", "with --input, `FIELD` that contains a score, instead of --decision")
	f.BoolVar(&a.json, "json", false, "print one JSON object for each model")
	cmd.MarkFlagsMutuallyExclusive("decision", "score")
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	return cmd
}

// auditImpact is one run of the command.
type auditImpact struct {
	*program.Streams
	sex, race       string
	input, format   string
	decision, score string
	json            bool
	config          *config.Loaded // nil if none was given
	source          input.Source
	label           record.Label // the decision, as the label of the records
}

// decisions finds where the records of the file contain a decision.
func (a *auditImpact) decisions() error {
	field, value, both := strings.Cut(a.decision, "=")
	switch {
	case a.score != "":
		a.label = record.Label{Field: "\x00", Positive: "\x00"} // no field
	case a.decision != "" && (!both || field == "" || value == ""):
		return fmt.Errorf("--decision %q: write FIELD=VALUE, such as hired=yes", a.decision)
	case a.decision != "":
		a.label = record.Label{Field: field, Positive: record.Text(value)}
	case a.config == nil:
		return errors.New("--decision is missing: write FIELD=VALUE of a positive decision, such as hired=yes, or name a --score")
	case a.config.Monitor.Decision.Field != "":
		a.label = record.Label{Field: a.config.Monitor.Decision.Field, Positive: a.config.Monitor.Decision.Positive}
	case a.config.Record.Label.Numeric():
		return errors.New("--decision is missing: the label of the configuration is a number")
	default:
		a.label = a.config.Record.Label
	}
	return nil
}

// FromFile counts the applicants of a file.
func (a *auditImpact) ofFile(ctx context.Context) error {
	c := record.Config{}
	if a.config != nil {
		c.Missing, c.Limits = a.config.Record.Missing, a.config.Record.Limits
	}
	c.Label = a.label
	attributes := []string{a.sex, a.race}
	if a.score != "" {
		attributes = append(attributes, a.score)
	}
	schema, err := record.NewSchema(c, attributes)
	if err != nil {
		return err
	}
	counter, rejected := export.NewCounter(), map[string]int64{}
	var failed error
	if a.score != "" {
		schema = schema.LabelOptional()
	}
	p := input.Pass{Source: a.source, Schema: schema, Labelled: a.score == "",
		Reject: func(r *record.Rejection) {
			reason := r.Reason
			if reason == record.MissingLabel { // the decision is read as the label
				reason = stream.MissingDecision
			}
			rejected[string(reason)]++
		},
		Each: func(r *record.Record) {
			if err := a.count(counter, r, rejected); err != nil && failed == nil {
				failed = err
			}
		}}
	if err := p.Open(); err != nil {
		return err
	}
	if err := cmp.Or(p.Run(ctx), failed); err != nil {
		return err
	}
	for _, reason := range slices.Sorted(maps.Keys(rejected)) {
		english.Fprintf(a.Err, "Warning: %s not counted: %s\n", english.Counted(rejected[reason], "record"), reason)
	}
	source := a.source.Name
	impact := counter.Impact(a.level(), export.Impact{Date: today(), Source: source})
	if impact.Applicants == 0 {
		return fmt.Errorf("%s holds no applicant: %s", source, cmp.Or(a.score, a.label.Field)+" has no value that can be read")
	}
	if counter.Selected() == 0 {
		return fmt.Errorf("of %s, none has the value %q in field %s: give the value of a positive decision", english.Counted(impact.Applicants, "applicant"), a.label.Positive, a.label.Field)
	}
	a.missing(impact, "no record has a value in the field")
	return a.write(impact)
}

// count takes a record of a file.
func (a *auditImpact) count(counter *export.Counter, r *record.Record, rejected map[string]int64) error {
	text := func(i int) []byte {
		if v := &r.Attributes[i]; !v.Missing {
			return v.Text
		}
		return nil
	}
	if a.score == "" {
		return counter.Decided(text(0), text(1), r.Positive)
	}
	score := scoreOf(text(2))
	if math.IsNaN(score) || math.IsInf(score, 0) {
		rejected[string(stream.BadScore)]++
		return nil
	}
	return counter.Scored(text(0), text(1), score)
}

// scoreOf reads a score; NaN if the text is none.
func scoreOf(text []byte) float64 {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// ofJob takes the counts of the monitor of a job.
func (a *auditImpact) ofJob(ctx context.Context) error {
	c := a.config
	var info *stream.SnapshotInfo
	var monitored []*stream.Monitored
	err := cluster.With(ctx, c.Kafka, a.Err, func(ctx context.Context, client *kafka.Client) (err error) {
		info, monitored, err = readMonitored(ctx, client, c)
		return err
	})
	switch {
	case err != nil:
		return err
	case info == nil:
		return fmt.Errorf("topic %s holds no snapshot of job %s yet: fairstream run and fairstream monitor save them", c.Topics.State, c.Job)
	case len(monitored) == 0:
		return fmt.Errorf("job %s monitors no decisions: it needs constraints, a label with classes, and monitor.enabled", c.Job)
	}
	var all []*export.Impact
	for _, m := range monitored {
		about := export.Impact{Date: today(), Model: m.Report.Subject.ID, Source: fmt.Sprintf("decisions on topic %s since record %d, as counted by job %s up to version %d, %s",
			info.Topic, m.Since, c.Job, info.Version, info.Taken.UTC().Format(time.RFC3339))}
		impact := export.OfMonitor(m.Report, a.sex, a.race, a.level(), about)
		if len(impact.Tables) == 0 {
			return fmt.Errorf("job %s counts no decisions by %s or %s: name these fields in constraints, or give --sex and --race", c.Job, a.sex, a.race)
		}
		a.missing(impact, "the job does not count it: name the field in a constraint, or both fields in one (attribute: ["+a.sex+", "+a.race+"], group: each)")
		all = append(all, impact)
	}
	return a.write(all...)
}

// readMonitored reads the counts of the job's monitor from its last snapshot, under the configuration that the snapshot holds.
func readMonitored(ctx context.Context, client *kafka.Client, c *config.Loaded) (*stream.SnapshotInfo, []*stream.Monitored, error) {
	if err := cluster.Exist(ctx, client, c.Topics.State); err != nil {
		return nil, nil, err
	}
	return stream.ReadMonitored(ctx, stream.Kafka(client), c.Topics.State, c.Job, func(whole json.RawMessage) (model.Config, stream.Monitoring, error) {
		recorded, err := config.Recorded(whole)
		return recorded.Model(), recorded.Monitor, err
	})
}

// missing warns of tables that could not be made.
func (a *auditImpact) missing(i *export.Impact, why string) {
	for _, name := range i.Missing {
		fmt.Fprintf(a.Err, "Warning: there is no table by %s: %s\n", name, why)
	}
}

func (a *auditImpact) level() float64 {
	if a.config != nil && a.config.Learner.Level > 0 {
		return a.config.Learner.Level
	}
	return fairness.DefaultLevel
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

func (a *auditImpact) write(all ...*export.Impact) error {
	if !a.json {
		return export.WriteCSV(a.Out, all...)
	}
	encoder := json.NewEncoder(a.Out)
	for _, i := range all {
		if err := encoder.Encode(i); err != nil {
			return err
		}
	}
	return nil
}
