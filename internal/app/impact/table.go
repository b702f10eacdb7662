package impact

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

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Table is a table of impact ratios, of a job or of a file.
type Table struct {
	*program.Streams
	Sex, Race       string // the fields that contain them
	Source          input.Source
	Decision, Score string // of Source: FIELD=VALUE of a positive decision, or the field of a score
	JSON            bool
	Config          *config.Loaded // nil if none was given

	label record.Label // the decision, as the label of the records
}

// Decisions finds where the records of the file contain a decision.
func (a *Table) Decisions() error {
	field, value, both := strings.Cut(a.Decision, "=")
	switch {
	case a.Score != "":
		a.label = record.Label{Field: "\x00", Positive: "\x00"} // no field
	case a.Decision != "" && (!both || field == "" || value == ""):
		return fmt.Errorf("--decision %q: write FIELD=VALUE, such as hired=yes", a.Decision)
	case a.Decision != "":
		a.label = record.Label{Field: field, Positive: record.Text(value)}
	case a.Config == nil:
		return errors.New("--decision is missing: write FIELD=VALUE of a positive decision, such as hired=yes, or name a --score")
	case a.Config.Monitor.Decision.Field != "":
		a.label = record.Label{Field: a.Config.Monitor.Decision.Field, Positive: a.Config.Monitor.Decision.Positive}
	case a.Config.Record.Label.Numeric():
		return errors.New("--decision is missing: the label of the configuration is a number")
	default:
		a.label = a.Config.Record.Label
	}
	return nil
}

// OfFile counts the applicants of a file.
func (a *Table) OfFile(ctx context.Context) error {
	c := record.Config{}
	if a.Config != nil {
		c.Missing, c.Limits = a.Config.Record.Missing, a.Config.Record.Limits
	}
	c.Label = a.label
	attributes := []string{a.Sex, a.Race}
	if a.Score != "" {
		attributes = append(attributes, a.Score)
	}
	schema, err := record.NewSchema(c, attributes)
	if err != nil {
		return err
	}
	counter, rejected := export.NewCounter(), map[string]int64{}
	var failed error
	if a.Score != "" {
		schema = schema.LabelOptional()
	}
	p := input.Pass{Source: a.Source, Schema: schema, Labelled: a.Score == "",
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
	source := a.Source.Name
	impact := counter.Impact(a.level(), export.Impact{Date: today(), Source: source})
	if impact.Applicants == 0 {
		return fmt.Errorf("%s holds no applicant: %s", source, cmp.Or(a.Score, a.label.Field)+" has no value that can be read")
	}
	if counter.Selected() == 0 {
		return fmt.Errorf("of %s, none has the value %q in field %s: give the value of a positive decision", english.Counted(impact.Applicants, "applicant"), a.label.Positive, a.label.Field)
	}
	a.missing(impact, "no record has a value in the field")
	return a.write(impact)
}

// count takes a record of a file.
func (a *Table) count(counter *export.Counter, r *record.Record, rejected map[string]int64) error {
	text := func(i int) []byte {
		if v := &r.Attributes[i]; !v.Missing {
			return v.Text
		}
		return nil
	}
	if a.Score == "" {
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

// OfJob takes the counts of the monitor of a job.
func (a *Table) OfJob(ctx context.Context) error {
	c := a.Config
	var info *stream.SnapshotInfo
	var monitored []*stream.Monitored
	err := cluster.With(ctx, c.Kafka, a.Err, func(ctx context.Context, client *kafka.Client) (err error) {
		info, monitored, err = cluster.ReadMonitored(ctx, client, c)
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
		impact := export.OfMonitor(m.Report, a.Sex, a.Race, a.level(), about)
		if len(impact.Tables) == 0 {
			return fmt.Errorf("job %s counts no decisions by %s or %s: name these fields in constraints, or give --sex and --race", c.Job, a.Sex, a.Race)
		}
		a.missing(impact, "the job does not count it: name the field in a constraint, or both fields in one (attribute: ["+a.Sex+", "+a.Race+"], group: each)")
		all = append(all, impact)
	}
	return a.write(all...)
}

// missing warns of tables that could not be made.
func (a *Table) missing(i *export.Impact, why string) {
	for _, name := range i.Missing {
		fmt.Fprintf(a.Err, "Warning: there is no table by %s: %s\n", name, why)
	}
}

func (a *Table) level() float64 {
	if a.Config != nil {
		return a.Config.Learner.Level
	}
	return fairness.DefaultLevel
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

func (a *Table) write(all ...*export.Impact) error {
	if !a.JSON {
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
