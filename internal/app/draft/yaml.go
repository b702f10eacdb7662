package draft

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// YAML writes the configuration with its comments.
func (d *Draft) YAML() string {
	var w yamlWriter
	of := "all " + english.Counted(d.Records, "record")
	if !d.Whole {
		of = "a sample of " + english.Counted(d.Records, "record")
	}
	w.comment("", "Written by fairstream init from %s of %s.", of, english.OneLine(d.Source))
	if d.Schema != "" {
		w.comment("", "Types, and the texts of an enum, are those of the newest message's schema, %s.", english.OneLine(d.Schema))
	}
	if d.Copies > 0 {
		w.comment("", "CHECK: %s of the sample are copies of an earlier one in every field. Remove copies where the records are made:", english.Counted(d.Copies, "record"))
		w.comment("", "they add no evidence, and make intervals too narrow. The counts below leave them out.")
	}
	if d.headless() {
		w.comment("", "CHECK: some names are numbers or dates. Does the file begin with a record, rather than with a line of names? Then put one before it.")
	}
	w.comment("", "Next: fairstream check --config THIS_FILE, then fairstream run --config THIS_FILE.")
	w.comment("", "fairstream config keys --all explains every key.")
	w.line("job: %s", Scalar(d.Job))
	w.line("")
	w.line("record:")
	d.writeCSV(&w)
	d.writeFormat(&w)
	if d.At != "" {
		w.comment("  ", "CHECK: messages hold their record in an envelope; docs/formats.md has the rules.")
		w.line("  at: %s", Scalar(string(d.At)))
	}
	d.writeLabel(&w)
	if id := d.identifier(); id != "" {
		w.comment("  ", "Identifies a record, so that a decision can be found again and joined with its label. It is no feature.")
		w.line("  id: %s", Scalar(id))
	}
	d.writeIgnored(&w)
	d.writeFeatures(&w)
	if d.regression {
		w.line("")
		w.line("learner:")
		w.comment("  ", "The label is a number: predict it.")
		w.line("  task: regression")
	}
	d.writeConstraints(&w)
	w.line("")
	w.line("kafka:")
	w.line("  brokers: %s", list(d.Brokers))
	if len(d.Registry) > 0 {
		w.line("registry:")
		w.line("  urls: %s", list(d.Registry))
	}
	w.line("topics:")
	if !d.encoded() {
		w.comment("  ", "A message of the input is one JSON object.")
	}
	w.line("  input: %s", Scalar(d.Input))
	for _, topic := range [][2]string{{"model", ".models"}, {"state", ".state"}, {"dead_letter", ".dlq"}, {"history", ".history"}} {
		w.line("  %s: %s", topic[0], Scalar(d.Input+topic[1]))
	}
	return w.text.String()
}

// list is a list of texts in YAML, on one line.
func list(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, quoted(text))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// encoded says whether messages are something else than JSON.
func (d *Draft) encoded() bool { return d.Format != "" && d.Format != record.EncodedJSON }

// writeFormat says what messages are written as, where that is not JSON.
func (d *Draft) writeFormat(w *yamlWriter) {
	if !d.encoded() {
		return
	}
	w.line("  format: %s", Scalar(string(d.Format)))
	if len(d.Schemas) > 0 {
		w.line("  schema: %s", list(d.Schemas))
	}
}

// writeCSV says how the file is written, where that is not the usual way.
func (d *Draft) writeCSV(w *yamlWriter) {
	if d.CSV.IsPlain() {
		return
	}
	var keys []string
	for _, key := range [][2]string{{"separator", d.CSV.Separator}, {"decimal", d.CSV.Decimal}, {"thousands", d.CSV.Thousands}, {"encoding", d.CSV.Encoding}} {
		if key[1] != "" {
			keys = append(keys, key[0]+": "+quoted(key[1]))
		}
	}
	if d.CSV.Symbols {
		keys = append(keys, "symbols: true")
	}
	w.comment("  ", "CHECK: how the file writes cells and numbers. Messages of a topic have points and UTF-8: fairstream produce converts them.")
	if d.Alike != "" {
		w.comment("  ", "CHECK: these bytes are valid in windows-1252 (Western Europe) and in windows-1250 (Central Europe): the file has %s.", d.Alike)
		w.comment("  ", "If the second is right: fairstream init --set record.csv.encoding=windows-1250")
	}
	w.line("  csv: {%s}", strings.Join(keys, ", "))
}

func (d *Draft) writeLabel(w *yamlWriter) {
	c := d.column(d.Label)
	switch {
	case d.Label == "" && len(d.labels) == 0:
		w.comment("  ", "CHOOSE the field to predict: no field of the sample has two values that repeat.")
		w.line(`  label: {field: "", positive: ""}`)
	case d.Label == "":
		w.comment("  ", "CHOOSE the field to predict, and its value that counts as positive. I do not know which it is: the names do not tell.")
		w.line(`  label: {field: "", positive: ""}`)
	case d.regression:
		w.comment("  ", "CHECK: the field to predict, a number from %s to %s%s.", english.FourDigits(c.Low), english.FourDigits(c.High), d.doc(d.Label))
		w.line("  label: {field: %s}", Scalar(d.Label))
	default:
		if d.Positive == "" {
			w.comment("  ", "CHECK: the field to predict. CHOOSE its value that counts as positive: I do not know which it is. Every other value is negative.")
		} else {
			w.comment("  ", "CHECK: the field to predict, and its value that counts as positive. Every other value is negative.")
		}
		w.comment("  ", "%s%s", labelWords(c), d.doc(c.Name))
		w.line("  label: {field: %s, positive: %s}", Scalar(d.Label), quoted(d.Positive))
	}
	if d.Label != "" && (c.Values < c.Records || d.fields[d.Label].Nullable) {
		w.comment("  ", "Records without a label count in constraints that need none. docs/labels.md has the rules.")
		w.line("  unlabelled: count")
	}
	var others []profile.Label
	for _, l := range d.labels {
		if l.Name != d.Label {
			others = append(others, l)
		}
	}
	if len(others) > 0 {
		if d.Label != "" {
			w.comment("  ", "Other fields that could be predicted:")
		} else {
			w.comment("  ", "Fields that could be predicted:")
		}
		for _, l := range others[:min(len(others), 8)] {
			w.comment("  ", "  {field: %s, positive: %s}: %s%s", Scalar(l.Name), quoted(l.Positive), valuesWords(l.Shown), d.doc(l.Name))
		}
	}
}

func labelWords(c profile.Column) string {
	if len(c.Shown) == 0 {
		return ColumnWords(c)
	}
	words := "Values: " + valuesWords(c.Shown)
	if c.Values < c.Records {
		words += fmt.Sprintf("; %s have none", english.Share(c.Records-c.Values, c.Records))
	}
	return words
}

func (d *Draft) writeIgnored(w *yamlWriter) {
	fields := d.ignored()
	if len(fields) > 0 {
		w.comment("  ", "Not read, because these do not help with new records. An identifier may be record.key, which joins a record")
		w.comment("  ", "with a label that comes later; a time may be record.time.")
		w.line("  ignore:")
		for _, f := range fields {
			w.line("    - %s  # %s", Scalar(f.name), english.OneLine(f.why))
		}
	}
	if odd := d.oddTexts(); len(odd) > 0 {
		w.comment("  ", "These texts count as missing. The last ones stand among numbers in the sample.")
		var texts []string
		for _, text := range (record.Config{}).WithDefaults().Missing {
			texts = append(texts, quoted(string(text)))
		}
		for _, text := range odd {
			texts = append(texts, quoted(text))
		}
		w.line("  missing: [%s]", strings.Join(texts, ", "))
	}
}

// writeFeatures lists what is left, as a comment.
func (d *Draft) writeFeatures(w *yamlWriter) {
	const most = 60
	ignored := d.ignored()
	var features []profile.Column
	width := 0
	for _, c := range d.columns {
		under := slices.ContainsFunc(ignored, func(f ignoredField) bool { return c.Name == f.name || strings.HasPrefix(c.Name, f.name+".") })
		if !under && c.Name != d.Label && c.Name != d.Attribute && c.Name != d.identifier() {
			features = append(features, c)
			width = max(width, min(30, len([]rune(c.Name))))
		}
	}
	if len(features) == 0 {
		w.comment("  ", "No field is left that says something about the label.")
		return
	}
	w.comment("  ", "Every other field is a feature:")
	for _, c := range features[:min(len(features), most)] {
		w.comment("  ", "  %-*s  %s%s", width, english.OneLine(c.Name), ColumnWords(c), d.doc(c.Name))
	}
	if more := len(features) - most; more > 0 {
		w.comment("  ", "  and %s more", english.Counted(more, "field"))
	}
}

func (d *Draft) writeConstraints(w *yamlWriter) {
	w.line("")
	var others []profile.Attribute
	for _, a := range d.attributes {
		if a.Name != d.Attribute {
			others = append(others, a)
		}
	}
	defer func() {
		if len(others) == 0 {
			return
		}
		w.comment("", "Other fields that could be protected; each is a feature unless a constraint names it:")
		for _, a := range others[:min(len(others), 8)] {
			doubt := ""
			if a.Doubt != "" {
				doubt = " (" + a.Doubt + ")"
			}
			w.comment("", "  %s: %s%s%s", english.OneLine(a.Name), ColumnWords(a.Column), doubt, d.doc(a.Name))
		}
	}()
	group, versus := Scalar(d.Group), Scalar(d.Versus)
	if c := d.column(d.Attribute); d.Attribute != "" && d.Group == "" && c.Kind == profile.Number && c.Low < c.High {
		from := english.RoundTo2(c.Mean)
		if !(from > c.Low && from <= c.High) {
			from = c.Mean
		}
		group, versus = fmt.Sprintf("{from: %s}", strconv.FormatFloat(from, 'f', -1, 64)), "rest"
	} else if d.Attribute == "" || d.Group == "" {
		w.comment("", "CHOOSE a protected attribute, two of its values and the largest difference allowed between them.")
		if d.Attribute == "" {
			w.comment("", "I do not know which it is: no field has the name and the values of one.")
		}
		w.comment("", "constraints:")
		w.comment("", "  - {name: sex, attribute: %s, group: male, versus: female, tau: %s}", Scalar(cmp.Or(d.Attribute, "sex")), english.Number(d.Tau))
		return
	}
	w.line("constraints:")
	w.comment("  ", "CHECK: the protected attribute and the groups to compare (versus: rest is every other value).")
	w.comment("  ", "%s%s", labelWords(d.column(d.Attribute)), d.doc(d.Attribute))
	w.line("  - name: %s", Scalar(nameOf(d.Attribute)))
	w.line("    attribute: %s", Scalar(d.Attribute))
	if d.Group == "" {
		w.comment("    ", "CHECK: this range begins near the mean of the records: choose the number that matters, such as 50 for an age in years.")
	}
	w.line("    group: %s", group)
	w.line("    versus: %s", versus)
	if d.regression {
		w.comment("    ", "The largest difference allowed between the mean predictions, in units of %s: here a tenth of its", english.OneLine(d.Label))
		w.comment("    ", "standard deviation.")
	} else {
		w.comment("    ", "The largest difference allowed between the shares of positive decisions.")
	}
	w.line("    tau: %s", english.Number(d.Tau))
}

// nameOf is the last part of a field's name.
func nameOf(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }

// yamlWriter writes lines.
type yamlWriter struct{ text strings.Builder }

func (w *yamlWriter) line(format string, arguments ...any) {
	fmt.Fprintf(&w.text, format+"\n", arguments...)
}

func (w *yamlWriter) comment(indent, format string, arguments ...any) {
	fmt.Fprintf(&w.text, "%s# %s\n", indent, english.OneLine(fmt.Sprintf(format, arguments...)))
}

var (
	plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	yamlWords   = []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
)

// Scalar is a text in YAML, quoted if it has to be.
func Scalar(text string) string {
	if plainScalar.MatchString(text) && !slices.Contains(yamlWords, strings.ToLower(text)) {
		return text
	}
	return quoted(text)
}

// quoted is a text in double quotes: a string of JSON is one of YAML too.
func quoted(text string) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("fairstream: a text cannot be written as JSON: " + err.Error())
	}
	return strings.ReplaceAll(strings.TrimSuffix(buffer.String(), "\n"), "\x7f", `\u007f`)
}
