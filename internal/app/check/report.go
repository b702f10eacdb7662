package check

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/draft"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/statement"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
)

// Records are what is looked at.
type Records struct {
	*program.Streams
	Config   model.Config
	Topic    string
	Registry registry.Config // of the topic's schemas
	Monitor  observe.Monitoring
	Settings []string      // that are not the defaults
	Age      time.Duration // at which labels are learnt, 0 if they are not held

	sample   input.Sample
	joined   *joined // nil where labels come with their records
	seen     *inspect.Inspection
	meaning  *statement.Sample
	rejected input.Rejections
	told     []find.Finding // by the schema of the topic

	decisions *decisions // of another model; nil for a job that learns
}

func (c *Records) writeLabel(w io.Writer) {
	if n := c.seen.Snapshot(); n > 0 {
		english.Fprintf(w, "\n%d records are rows of a snapshot by Debezium: they are older than their messages.\n", n)
	}
	label := c.Config.Record.Label
	known := c.seen.Known()
	if known == 0 {
		return
	}
	if c.Config.Learner.Task == model.Regression {
		m := c.seen.Numbers()
		fmt.Fprintf(w, "\nLabel %s: a number, mean %s, standard deviation %s", label.Field, english.FourDigits(m.Average()), english.FourDigits(math.Sqrt(m.Variance())))
	} else {
		english.Fprintf(w, "\nLabel %s: %s is positive in %d records (%s); %d are negative", label.Field, words.Quote(string(label.Positive)),
			c.seen.Positive(), english.Share(int(c.seen.Positive()), int(known)), known-c.seen.Positive())
	}
	if c.seen.Unlabelled() > 0 {
		english.Fprintf(w, "; %d have none", c.seen.Unlabelled())
	}
	fmt.Fprintln(w, ".")
	switch of := c.Config.Record; {
	case c.seen.Unlabelled() == 0:
	case of.Counts():
		fmt.Fprintln(w, "Records without a label count in constraints that need none (record.unlabelled).")
	case of.Key == "":
		fmt.Fprintln(w, "Records without a label become dead letters. With record.unlabelled: count, they count in constraints that need none.")
	}
}

func (c *Records) writeGroups(w io.Writer) {
	if len(c.seen.Counts()) == 0 {
		fmt.Fprintln(w, "\nNo constraint: differences are neither measured nor bounded.")
		return
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"constraint", "group", "records", "positive"})
	row := func(label, group string, n, positive int64) {
		rate := ""
		if n > 0 && c.seen.Known() > 0 && c.Config.Learner.Task == model.Classification {
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
		for _, rest := range []struct {
			what string
			n    int64
		}{{"in neither group", counts.Neither}, {missing, counts.Unknown - counts.NoStratum}, {"in no stratum of " + counts.Strata, counts.NoStratum}} {
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
		verdict, shown := "within reach", shownReach(reach, counts.Bound())
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
			english.Number(shown), english.Number(counts.Tau), verdict), 78))
	}
}

// shownReach has the two digits of a reach that a reader needs, and four where two would not show on which side of a bound it is.
func shownReach(reach, bound float64) float64 {
	shown := english.RoundTo2(reach)
	if shown == bound || (reach < bound) != (shown < bound) {
		return math.Round(1e4*reach) / 1e4
	}
	return shown
}

func (c *Records) writeColumns(w io.Writer) {
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
func (c *Records) role(column profile.Column, left []string) string {
	r := c.Config.Record
	for _, role := range []struct{ name, is string }{{r.Label.Field, "label"}, {r.Weight, "weight"}, {r.Propensity, "propensity of the label"}, {r.Key, "join key"}, {r.ID, "identifier"}, {r.Time.Field, "time"},
		{c.Monitor.Decision.Field, "decision"}, {c.Monitor.Score.Field, "score"}, {c.Monitor.Given.Model, "model"}, {c.Monitor.Cluster, "person"}} {
		if role.name != "" && role.name == column.Name {
			return role.is
		}
	}
	for _, attribute := range c.Config.Attributes() {
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

// writeFindings lists what is odd, and returns how many of it are fatal. questions is how many were asked in plain words.
func (c *Records) writeFindings(w io.Writer, questions int) (fatal int) {
	findings := c.decisions.fit(c.seen.Findings(), c.Config.Record.Label.Field, c.seen.Known() > 0)
	ofDecisions := c.decisions.findings(c.seen.Columns(), c.seen.ValuesOf)
	if cluster := c.Monitor.Cluster; cluster != "" && c.seen.Fields() > 0 && !c.seen.Has(cluster) {
		ofDecisions = append(ofDecisions, find.Finding{Path: "monitor.cluster", Text: fmt.Sprintf("no record has a field %q: each record counts as one about a person of its own. Name the field that identifies a person", cluster)})
	}
	findings = slices.Concat(ofDecisions, findings)
	findings = slices.DeleteFunc(findings, func(f find.Finding) bool { // of a field that the schema does not have, the sample says less
		return !f.Fatal && slices.ContainsFunc(c.told, func(told find.Finding) bool { return told.Path == f.Path })
	})
	findings = slices.Concat(c.told, findings)
	slices.SortStableFunc(findings, func(a, b find.Finding) int {
		switch {
		case a.Fatal == b.Fatal:
			return 0
		case a.Fatal:
			return -1
		}
		return 1
	})
	switch {
	case len(findings) > 0:
	case questions == 1:
		fmt.Fprintln(w, "\nNo check warns, but the lines above ask a question: answer it first.")
		return 0
	case questions > 0:
		fmt.Fprintf(w, "\nNo check warns, but the lines above ask %d questions: answer them first.\n", questions)
		return 0
	default:
		fmt.Fprintln(w, "\nNo check found a mistake. Whether the lines above are right, only you can tell.")
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
