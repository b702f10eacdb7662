package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// Format names the format of a Document, FormatVersion its version. A reader refuses versions it does not
// know.
const (
	Format        = "fairstream-weights"
	FormatVersion = 1
)

// Document is what is published: weights, everything that is needed to decide or predict with them, and the
// measurements behind them. docs/document.md describes its JSON.
type Document struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	// Job is the name of the job that learnt the weights.
	Job string `json:"job,omitempty"`
	// Version is the number of records that came, plus the number of labels that came later. Two documents of a job with one version have one model.
	Version int64 `json:"version"`
	// WeightsSHA256 is the SHA-256, in hexadecimal, of the value of Model as it stands in the JSON with
	// insignificant space removed. It covers encoder, weights and threshold, and nothing else.
	WeightsSHA256 string `json:"weights_sha256"`
	// Weights is how many weights the learner has.
	Weights int `json:"weights"`
	// Task is what the weights do: decide, or predict a number.
	Task Task `json:"task"`
	Mode Mode `json:"mode"`
	// Label is what a regression knows of the label; nil for a classifier.
	Label *LabelSummary `json:"label,omitempty"`
	// Records were learnt and Rejected were not; a file or stream fills in Rejected.
	Records int64 `json:"records"`
	// Unlabelled came without a label and have none so far. They count in the constraints that need no label.
	Unlabelled int64 `json:"unlabelled,omitempty"`
	Rejected   int64 `json:"rejected"`
	// Offsets is the next offset of every partition, by "topic/partition", when the records came from
	// Kafka.
	Offsets map[string]int64 `json:"offsets,omitempty"`
	// Constraints are the current estimates: Measurements.Constraints.
	Constraints []fairness.Estimate `json:"constraints"`
	// Found are the groups of constraints of each value, and the strata, that the learner has met; nil without such
	// constraints.
	Found *fairness.Found `json:"found,omitempty"`
	// Measurements are the learner's own, each made before the record was learnt.
	Measurements Measurements `json:"measurements"`
	// Lineage describes where the document comes from.
	Lineage Lineage `json:"lineage"`
	// Config is the configuration, defaults filled in.
	Config Config `json:"config"`
	// Probability gives the calibrated probability of the positive label; nil of a regression, of mode paper, and of
	// documents that older programs wrote.
	Probability *Probability `json:"probability,omitempty"`
	// Spread is how the values of columns were spread among the records that were learnt; nil if few were, and of documents that older programs wrote.
	Spread *Spread `json:"spread,omitempty"`
	// Model is encoder, weights and threshold.
	Model json.RawMessage `json:"model"`
}

// LabelSummary is what labels were like, the older ones faded and outlying ones bounded.
type LabelSummary struct {
	// Mean is the constant prediction that a regression is compared with.
	Mean float64 `json:"mean"`
	// StandardDeviation is the unit in which tau is a standardized mean difference.
	StandardDeviation float64 `json:"standard_deviation"`
}

// New returns a document for an encoder and one weight for each of its indices. The weights of a Classification decide
// at the threshold 0. Format, hash, number of weights and model are filled in; everything else is left to the caller. It is an error
// if a weight is infinite or not a number.
func New(task Task, encoder features.Parts, weights []float64) (*Document, error) {
	d := &Document{Task: task}
	if err := d.SetModel(encoder, weights); err != nil {
		return nil, err
	}
	return d, nil
}

// SetModel fills in what New does in a document whose task is set.
func (d *Document) SetModel(encoder features.Parts, weights []float64) (err error) {
	if len(weights) != int(encoder.Size) {
		panic("document: an encoder and weights that do not match")
	}
	b := newBody(encoder, weights)
	if d.Task == Classification {
		b.Threshold = new(float64)
	}
	if d.Model, err = json.Marshal(b); err != nil {
		return fmt.Errorf("document: %w", err)
	}
	d.Format, d.FormatVersion, d.WeightsSHA256, d.Weights = Format, FormatVersion, sum(d.Model), len(weights)
	return nil
}

// Encode returns the JSON of the document.
func (d *Document) Encode() ([]byte, error) { return json.Marshal(d) }

// largest bounds what Parse takes.
const largest = 256 << 20

// Parse reads a document, and checks its format, its version, and its model and probability against their
// hashes. data may have up to 256 MiB.
func Parse(data []byte) (*Document, error) {
	if len(data) > largest {
		return nil, fmt.Errorf("document: %d bytes are more than %d", len(data), largest)
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("document: not a weight document, as fairstream replay --save writes one: %w", err)
	}
	if d.Format != Format {
		return nil, fmt.Errorf("document: not a weight document: format is %q, not %q", d.Format, Format)
	}
	if d.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("document: format version %d: this program reads version %d", d.FormatVersion, FormatVersion)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, d.Model); err != nil {
		return nil, fmt.Errorf("document: without a model: %w", err)
	}
	if found := sum(compact.Bytes()); found != d.WeightsSHA256 {
		return nil, fmt.Errorf("document: damaged: its model has SHA-256 %s and should have %s", found, d.WeightsSHA256)
	}
	d.Model = compact.Bytes()
	if d.Probability != nil {
		if err := d.Probability.check(); err != nil {
			return nil, err
		}
	}
	d.Measurements.complete(d.Task)
	return &d, nil
}

// Schema returns the schema that decodes records for this document. Labels are optional.
func (d *Document) Schema() (*record.Schema, error) {
	schema, err := record.NewSchema(d.Config.Record.WithDefaults(), d.Config.Attributes(), d.Config.Strata()...)
	if err != nil {
		return nil, err
	}
	return schema.Scored(), nil
}

// Columns names the columns of the model, sorted.
func (d *Document) Columns() ([]string, error) {
	b, err := readBody(d.Model)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, c := range b.Columns {
		names[c.Name] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Input is a field of a record that a reader of the document may give.
type Input struct {
	Name string
	// Numbers says whether a number can mean something here, Integers whether a whole one can, Booleans whether true and false can. A text always can: it
	// may be a number.
	Numbers, Integers, Booleans bool
	// Feature says whether the field is a feature. The others identify a record, weigh or date it, or are attributes: they decide nothing.
	Feature bool
}

// Inputs are the fields that a record may have, features first, without ignored fields and the label.
func (d *Document) Inputs() ([]Input, error) {
	b, err := readBody(d.Model)
	if err != nil {
		return nil, err
	}
	var inputs []Input
	config := d.Config.Record.WithDefaults()
	for i := range b.Columns {
		if c := &b.Columns[i]; !slices.ContainsFunc(config.Times, func(t record.Times) bool { return strings.HasPrefix(c.Name, t.Field+".") }) {
			inputs = append(inputs, c.input())
		}
	}
	add := func(in Input) {
		if in.Name != "" && !slices.ContainsFunc(inputs, func(other Input) bool { return other.Name == in.Name }) {
			inputs = append(inputs, in)
		}
	}
	for _, t := range config.Times {
		add(Input{Name: t.Field, Integers: true, Feature: true})
	}
	add(Input{Name: config.ID, Integers: true})
	add(Input{Name: config.Key, Integers: true})
	add(Input{Name: config.Time.Field, Integers: true})
	add(Input{Name: config.Weight, Numbers: true, Integers: true})
	for _, name := range slices.Concat(d.Config.Attributes(), d.Config.Strata()) {
		add(Input{Name: name, Numbers: true, Integers: true, Booleans: true})
	}
	for _, renamed := range config.Renamed {
		for _, in := range inputs {
			if in.Name == renamed.Was {
				in.Name = renamed.Field
				add(in)
			}
		}
	}
	return inputs, nil
}

// input says what a column can make of values.
func (b *bodyColumn) input() Input {
	in := Input{Name: b.Name, Feature: true, Numbers: b.Type != features.Categorical, Booleans: b.Type == undecided}
	in.Integers = in.Numbers
	for _, l := range b.Levels {
		if _, err := strconv.ParseInt(l.Text, 10, 64); err == nil {
			in.Integers = true
		}
		in.Booleans = in.Booleans || l.Text == "true" || l.Text == "false"
	}
	return in
}
