package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/draft"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// checkSample is how many of the newest records of a topic are looked at.
const checkSample = 20000

func newCheck(s *program.Streams) *cobra.Command {
	var flags configFlags
	c := check{Streams: s}
	cmd := &cobra.Command{
		Use:   "check --config FILE [--input FILE]",
		Short: "Look at the records before learning: a dry run that writes nothing",
		Long: `Hold the records of a file, or the newest records of the input topic, against a configuration: how many
have which label and belong to which group, what each field is, what is odd, and which tau is within
reach of so many records. Nothing is learnt and nothing is written.

The exit code is 1 if run would learn nothing useful: the label has one value only, or no constraint
can be measured.`,
		Example: `  fairstream check --config config.yaml --input sample.jsonl
  fairstream check --config config.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			purpose := config.Streaming
			if c.input != "" {
				purpose = config.Learning
			}
			loaded, badConfig := flags.load(cmd, nil, purpose)
			var from input.Source
			var badInput error
			if c.input != "" {
				from, badInput = input.NewSource(c.input, c.format, s.In)
			}
			if err := errors.Join(badInput, badConfig); err != nil {
				return err
			}
			c.config = loaded.Model()
			if c.input != "" {
				return inWork(c.file(cmd.Context(), from))
			}
			c.topic = loaded.Topics.Input
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, c.fromTopic))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&c.input, "input", "i", "", "`FILE` of records, - or adult (default the topic topics.input)")
	f.StringVar(&c.format, "format", "", input.FormatUsage)
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	return cmd
}

// check is one run of the command.
type check struct {
	*program.Streams
	input, format, topic string
	config               model.Config

	sample   input.Sample
	seen     *inspect.Inspection
	rejected input.Rejections
}

func (c *check) prepare(most int) (err error) {
	if c.seen, err = inspect.New(c.config); err != nil {
		return err
	}
	c.sample = input.Sample{Most: most,
		Use: func(raw []byte) {
			if rejection, ok := errors.AsType[*record.Rejection](c.seen.Add(raw)); ok {
				rejection.Line = c.sample.Line
				c.rejected.Add(rejection)
			}
		},
		Reject: func(rejection *record.Rejection) {
			c.seen.Reject(rejection)
			c.rejected.Add(rejection)
		}}
	return nil
}

func (c *check) file(ctx context.Context, from input.Source) error {
	if err := c.prepare(0); err != nil {
		return err
	}
	if err := c.sample.FromFile(ctx, from, c.config.Record.Limits); err != nil {
		return err
	}
	return c.report(from.Name)
}

func (c *check) fromTopic(ctx context.Context, client *kafka.Client) error {
	if err := c.prepare(checkSample); err != nil {
		return err
	}
	if err := c.sample.FromTopic(ctx, client, c.topic); err != nil {
		return err
	}
	return c.report("topic " + c.topic)
}

// report says what was seen. The error says that learning would be useless.
func (c *check) report(name string) error {
	var text strings.Builder
	which := ""
	if !c.sample.Whole {
		which = "the newest "
	}
	english.Fprintf(&text, "%s%s of %s; %d rejected.\n", which, english.Counted(c.sample.Read, "record"), name, c.rejected.Total)
	if c.rejected.Total > 0 {
		c.rejected.Write(&text, int64(c.sample.Read), name)
	}
	c.writeLabel(&text)
	c.writeGroups(&text)
	c.writeColumns(&text)
	fatal := c.writeFindings(&text)
	if _, err := io.WriteString(c.Out, text.String()); err != nil {
		return err
	}
	if fatal > 0 {
		return fmt.Errorf("run would learn nothing useful from %s: see the lines above that begin with Error", name)
	}
	return nil
}

func (c *check) writeLabel(w io.Writer) {
	label := c.config.Record.Label
	known := c.seen.Known()
	if known == 0 {
		return
	}
	if c.config.Learner.Task == model.Regression {
		m := c.seen.Numbers()
		fmt.Fprintf(w, "\nLabel %s: a number, mean %s, standard deviation %s", label.Field, english.FourDigits(m.Average()), english.FourDigits(math.Sqrt(m.Variance())))
	} else {
		english.Fprintf(w, "\nLabel %s: %s is positive in %d records (%s); %d are negative", label.Field, inspect.Quote(string(label.Positive)),
			c.seen.Positive(), english.Share(int(c.seen.Positive()), int(known)), known-c.seen.Positive())
	}
	if c.seen.Unlabelled() > 0 {
		english.Fprintf(w, "; %d have none", c.seen.Unlabelled())
	}
	fmt.Fprintln(w, ".")
}

func (c *check) writeGroups(w io.Writer) {
	if len(c.seen.Counts()) == 0 {
		fmt.Fprintln(w, "\nNo constraint: differences are neither measured nor bounded.")
		return
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"constraint", "group", "records", "positive"})
	row := func(label, group string, n, positive int64) {
		rate := ""
		if n > 0 && c.config.Learner.Task == model.Classification {
			rate = fmt.Sprintf("%.1f %%", 100*float64(positive)/float64(n))
		}
		t.AppendRow(table.Row{label, group, english.Sprintf("%d", n), rate})
	}
	for _, counts := range c.seen.Counts() {
		row(counts.Name, counts.GroupLabel(), counts.Group, counts.GroupPositive)
		row("  "+string(counts.Criterion), counts.VersusLabel(), counts.Versus, counts.VersusPositive)
		missing := "attribute missing"
		if counts.OfNumber() {
			missing = "missing or no number"
		}
		if counts.Strata != "" {
			missing += ", or " + counts.Strata
		}
		for _, rest := range []struct {
			what string
			n    int64
		}{{"in neither group", counts.Neither}, {missing, counts.Unknown}} {
			if rest.n > 0 {
				t.AppendRow(table.Row{"", rest.what, english.Sprintf("%d", rest.n), ""})
			}
		}
	}
	fmt.Fprintf(w, "\n%s\n\n", english.Render(t))
	for _, counts := range c.seen.Counts() {
		reach := c.seen.Reach(counts)
		if math.IsNaN(reach) {
			continue
		}
		verdict := "within reach"
		switch {
		case reach < counts.Bound():
		case counts.Criterion.OfRatio():
			verdict = "out of reach: give more records, or a smaller tau"
		default:
			verdict = "out of reach: give more records, or a larger tau"
		}
		if counts.Criterion.OfRatio() {
			fmt.Fprintln(w, english.Wrapped(fmt.Sprintf("%s, %s: so many records show equal rates of %s and %s as a ratio of %s or more, so a tau of %s is %s.", counts.Name, counts.Criterion,
				counts.GroupLabel(), counts.VersusLabel(), english.Number(english.RoundTo2(1-reach)), english.Number(counts.Tau), verdict), 78))
			continue
		}
		name := counts.Name
		if counts.Each {
			name += " (" + counts.GroupLabel() + ")"
		}
		fmt.Fprintln(w, english.Wrapped(fmt.Sprintf("%s, %s: so many records show a difference to within %s, so a tau of %s is %s.", name, counts.Criterion,
			english.Number(english.RoundTo2(reach)), english.Number(counts.Tau), verdict), 78))
	}
}

func (c *check) writeColumns(w io.Writer) {
	columns := c.seen.Columns()
	if len(columns) == 0 {
		return
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"field", "used as", "what it holds"})
	const most = 100
	left := c.seen.LeftOut()
	for _, column := range columns[:min(len(columns), most)] {
		t.AppendRow(table.Row{english.Clipped(column.Name, 26), c.role(column, left), english.Clipped(draft.ColumnWords(column), 38)})
	}
	fmt.Fprintf(w, "\n%s\n", english.Render(t))
	if more := len(columns) - most; more > 0 {
		fmt.Fprintf(w, "and %s more\n", english.Counted(more, "field"))
	}
}

// role is what the configuration makes of a field; left are the fields that a learner leaves out.
func (c *check) role(column profile.Column, left []string) string {
	r := c.config.Record
	for _, role := range []struct{ name, is string }{{r.Label.Field, "label"}, {r.Weight, "weight"}, {r.Key, "join key"}, {r.ID, "identifier"}, {r.Time.Field, "time"}} {
		if role.name == column.Name {
			return role.is
		}
	}
	for _, attribute := range c.config.Attributes() {
		if attribute == column.Name {
			return "attribute"
		}
	}
	switch {
	case slices.Contains(left, column.Name):
		return "left out"
	case c.seen.IsFeature(column.Name):
		return "feature"
	}
	return "ignored"
}

// writeFindings lists what is odd, and returns how many of it are fatal.
func (c *check) writeFindings(w io.Writer) (fatal int) {
	findings := c.seen.Findings()
	if len(findings) == 0 {
		fmt.Fprintln(w, "\nNothing is odd.")
		return 0
	}
	fmt.Fprintln(w)
	for _, f := range findings {
		word := "Warning"
		if f.Fatal {
			word = "Error"
			fatal++
		}
		fmt.Fprintln(w, english.Wrapped(word+": "+english.OneLine(f.String()), 78))
	}
	return fatal
}
