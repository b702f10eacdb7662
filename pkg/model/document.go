package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// DocumentFormat names the format of a Document and its version. A reader refuses versions it does not
// know.
const (
	DocumentFormat  = "fairstream-weights"
	DocumentVersion = 1
)

// Document is what is published: weights that decide or predict with nothing else needed, and the evidence
// for them.
// docs/document.md describes its JSON.
type Document struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	// Job is the name of the job that learnt the weights.
	Job string `json:"job,omitempty"`
	// Version is the number of records learnt. Two documents of a job with one version have one model.
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
	Records  int64 `json:"records"`
	Rejected int64 `json:"rejected"`
	// Offsets is the next offset of every partition, by "topic/partition", when the records came from
	// Kafka.
	Offsets map[string]int64 `json:"offsets,omitempty"`
	// Constraints are the current estimates: Measurements.Constraints.
	Constraints []fairness.Estimate `json:"constraints"`
	// Measurements are the evidence.
	Measurements Measurements `json:"measurements"`
	// Lineage says where the document comes from.
	Lineage Lineage `json:"lineage"`
	// Config is the configuration, defaults filled in.
	Config Config `json:"config"`
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

// Lineage says where a document comes from.
type Lineage struct {
	// Parent is the version published before, 0 if none was.
	Parent int64 `json:"parent,omitempty"`
	// Term is that of the owner of the job who published the document; 0 outside a stream.
	Term int64 `json:"term,omitempty"`
	// ConfigSHA256 is the SHA-256 of all that is configured: of a stream every section, of a file the
	// sections of Config.
	ConfigSHA256 string `json:"config_sha256"`
	// Changes are the latest changes of the configuration over restarts, the newest last.
	Changes []ConfigChange `json:"changes,omitempty"`
	// History is the entry of the job's history that tells of this publication.
	History *HistoryEntry `json:"history,omitempty"`
	// Program is the version of the program.
	Program string `json:"program,omitempty"`
	// Input names what was learnt from.
	Input string `json:"input,omitempty"`
}

// ConfigChange is a key of the configuration that a restart changed.
type ConfigChange struct {
	// Key is its path, as in constraints[0].tau; Old and New are its values, null where it is not set.
	Key string          `json:"key"`
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
	// Time is when the change came into force, and Version how many records were learnt before.
	Time    time.Time `json:"time"`
	Version int64     `json:"version"`
}

// HistoryEntry names an entry of a job's history.
type HistoryEntry struct {
	Sequence int64  `json:"sequence"`
	SHA256   string `json:"sha256"`
}

// Document returns what would be published now. It changes nothing. The error says that the weights have
// diverged.
func (l *Learner) Document() (*Document, error) {
	s := l.settled()
	if err := s.diverged(); err != nil {
		return nil, err
	}
	return s.document(s.published())
}

// UnconstrainedDocument is Document for the model without constraints that mode adaptive learns
// alongside; nil if there is none.
func (l *Learner) UnconstrainedDocument() (*Document, error) {
	s := l.settled()
	weights := make([]float64, s.encoder.Size())
	if s.regression != nil {
		s.regression.model.unconstrained(weights)
	} else if a, ok := s.trainer.(*adaptive); ok {
		a.unconstrained(weights)
	} else {
		return nil, nil
	}
	return s.document(weights)
}

func (l *Learner) document(weights []float64) (*Document, error) {
	b := newBody(&l.encoder.Frozen, weights)
	if l.regression == nil {
		b.Threshold = new(float64)
	}
	body, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	m := l.Measurements()
	d := &Document{
		Format: DocumentFormat, FormatVersion: DocumentVersion,
		Version: l.version, WeightsSHA256: sum(body), Weights: int(l.encoder.Size()),
		Task: l.config.Learner.Task, Mode: l.config.Learner.Mode,
		Records: l.version, Constraints: m.Constraints, Measurements: m,
		Lineage: Lineage{ConfigSHA256: l.config.Fingerprint()},
		Config:  l.config, Model: body,
	}
	if l.regression != nil {
		label := &l.regression.model.label
		d.Label = &LabelSummary{label.constant(), label.spread()}
	}
	return d, nil
}

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// Encode returns the JSON of the document.
func (d *Document) Encode() ([]byte, error) { return json.Marshal(d) }

// largestDocument bounds what ParseDocument takes.
const largestDocument = 256 << 20

// ParseDocument reads a document and checks its format, its version and that its model is the one that
// its weights_sha256 speaks of.
func ParseDocument(data []byte) (*Document, error) {
	if len(data) > largestDocument {
		return nil, fmt.Errorf("model: a document of %d bytes is longer than %d", len(data), largestDocument)
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("model: not a weight document: %w", err)
	}
	if d.Format != DocumentFormat {
		return nil, fmt.Errorf("model: not a weight document: format is %q, not %q", d.Format, DocumentFormat)
	}
	if d.FormatVersion != DocumentVersion {
		return nil, fmt.Errorf("model: weight document of format version %d: this program reads version %d", d.FormatVersion, DocumentVersion)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, d.Model); err != nil {
		return nil, fmt.Errorf("model: weight document without a model: %w", err)
	}
	if found := sum(compact.Bytes()); found != d.WeightsSHA256 {
		return nil, fmt.Errorf("model: weight document is damaged: its model has SHA-256 %s and should have %s", found, d.WeightsSHA256)
	}
	d.Model = compact.Bytes()
	return &d, nil
}

// Schema returns the schema that decodes records for this document. Labels are optional.
func (d *Document) Schema() (*record.Schema, error) {
	schema, err := d.Config.WithDefaults().Schema()
	if err != nil {
		return nil, err
	}
	return schema.LabelOptional(), nil
}

// Scorer returns a scorer of its own.
func (d *Document) Scorer() (*Scorer, error) {
	b, err := d.body()
	if err != nil {
		return nil, err
	}
	return b.scorer()
}

// body reads the model. A key that this program does not know would change decisions, so it is an error.
func (d *Document) body() (b body, err error) {
	decoder := json.NewDecoder(bytes.NewReader(d.Model))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return b, fmt.Errorf("model: weight document: its model cannot be read: %w: was it written by a newer program?", err)
	}
	return b, nil
}

// body is the model of a document.
type body struct {
	// Threshold is the margin above which a decision is positive; absent from a regression, whose
	// prediction is the margin.
	Threshold *float64     `json:"threshold,omitempty"`
	Intercept float64      `json:"intercept"`
	Columns   []bodyColumn `json:"columns"`
	Crosses   []bodyCross  `json:"crosses,omitempty"`
	Buckets   []float64    `json:"buckets,omitempty"`
}

type bodyColumn struct {
	Name string `json:"name"`
	// Type is numeric, categorical, or undecided for a column with too few values yet, which decides
	// by levels alone.
	Type features.ColumnType `json:"type"`
	// Missing is the weight of a missing value; absent if none was missing.
	Missing *float64 `json:"missing,omitempty"`
	// Edges cut a numeric column into bins: bin i is edges[i-1] <= x < edges[i]. A value adds the weight
	// of its bin, that of its coarse bin, and that of its level if it has one.
	Edges         []float64 `json:"edges,omitempty"`
	Bins          []float64 `json:"bins,omitempty"`
	Coarse        []int32   `json:"coarse,omitempty"`
	CoarseBins    []float64 `json:"coarse_bins,omitempty"`
	SingleValue   []bool    `json:"single_value,omitempty"`
	NumericLevels bool      `json:"numeric_levels,omitempty"`
	// Knots and their weights: the column adds the linear interpolation.
	Knots       []float64 `json:"knots,omitempty"`
	KnotWeights []float64 `json:"knot_weights,omitempty"`
	// Standardized columns add weight × (x − mean) × scale, the product clipped to ±5.
	Standardized *bodyStandardized `json:"standardized,omitempty"`
	Levels       []bodyLevel       `json:"levels,omitempty"`
}

type bodyStandardized struct {
	Mean   float64 `json:"mean"`
	Scale  float64 `json:"scale"`
	Weight float64 `json:"weight"`
}

// bodyLevel is one value of a column. Key, in hexadecimal, is set where Text is not the whole of it: for
// crosses and for long texts.
type bodyLevel struct {
	Text   string  `json:"text"`
	Key    string  `json:"key,omitempty"`
	Weight float64 `json:"weight"`
}

type bodyCross struct {
	Columns []string    `json:"columns"`
	Levels  []bodyLevel `json:"levels"`
}

// undecided is the type of a column that has had too few values.
const undecided features.ColumnType = "undecided"

// newBody writes an encoder with its weights.
func newBody(encoder *features.Frozen, weights []float64) body {
	parts := encoder.Parts()
	b := body{Intercept: weights[features.Intercept], Columns: []bodyColumn{}}
	for i := range parts.Columns {
		b.Columns = append(b.Columns, newBodyColumn(&parts.Columns[i], weights))
	}
	for _, names := range parts.Crosses {
		b.Crosses = append(b.Crosses, bodyCross{Columns: names, Levels: []bodyLevel{}})
	}
	for _, l := range parts.Levels {
		entry := bodyLevel{Text: l.Text, Weight: weights[l.Weight]}
		cross, ofCross := l.Slot.Cross()
		if ofCross || l.Slot.Key(record.Hash([]byte(l.Text))) != l.Key {
			entry.Key = strconv.FormatUint(l.Key, 16)
		}
		if ofCross {
			b.Crosses[cross].Levels = append(b.Crosses[cross].Levels, entry)
			continue
		}
		column, _ := l.Slot.Column()
		b.Columns[column].Levels = append(b.Columns[column].Levels, entry)
	}
	if parts.Shared != 0 {
		b.Buckets = weights[parts.Shared : parts.Shared+parts.Buckets]
	}
	return b
}

func newBodyColumn(c *features.Column, weights []float64) bodyColumn {
	b := bodyColumn{Name: c.Name, Type: features.Numeric}
	if c.Missing != 0 {
		b.Missing = &weights[c.Missing]
	}
	switch c.Kind {
	case features.Untyped:
		b.Type = undecided
	case features.Levelled:
		b.Type = features.Categorical
	case features.Interpolated:
		b.Knots = c.Knots
		b.KnotWeights = weights[c.First : c.First+int32(len(c.Knots))]
	case features.Scaled:
		b.Standardized = &bodyStandardized{c.Mean, c.Scale, weights[c.First]}
	case features.Binned:
		b.Edges, b.Coarse, b.SingleValue, b.NumericLevels = c.Binning.Edges, c.Binning.Coarse, c.Binning.Single, c.NumberLevels
		b.Bins = weights[c.First : c.First+int32(len(c.Binning.Coarse))]
		b.CoarseBins = weights[c.FirstCoarse : c.FirstCoarse+c.CoarseBins()]
	}
	return b
}

// scorer rebuilds the encoder and the weights. Where weights stand differs from the learner's order; the
// order in which a record adds them up does not, so scores are equal bit for bit.
func (b *body) scorer() (*Scorer, error) {
	s := &Scorer{weights: []float64{b.Intercept}, decides: b.Threshold != nil}
	if s.decides {
		s.threshold = *b.Threshold
	}
	parts := features.Parts{Buckets: int32(len(b.Buckets))}
	for i := range b.Columns {
		c, err := b.Columns[i].column(s.take)
		if err != nil {
			return nil, err
		}
		parts.Columns = append(parts.Columns, c)
		for _, l := range b.Columns[i].Levels {
			if err := s.takeLevel(&parts, features.ColumnSlot(i), l); err != nil {
				return nil, err
			}
		}
	}
	for i, cross := range b.Crosses {
		parts.Crosses = append(parts.Crosses, cross.Columns)
		for _, l := range cross.Levels {
			if err := s.takeLevel(&parts, features.CrossSlot(i), l); err != nil {
				return nil, err
			}
		}
	}
	if len(b.Buckets) > 0 {
		parts.Shared = s.take(b.Buckets...)
	}
	parts.Size = int32(len(s.weights))
	encoder, err := features.NewFrozen(parts)
	if err != nil {
		return nil, fmt.Errorf("model: weight document: %w", err)
	}
	s.encoder = encoder
	return s, nil
}

// take adds weights, and returns the index of the first.
func (s *Scorer) take(weights ...float64) int32 {
	s.weights = append(s.weights, weights...)
	return int32(len(s.weights) - len(weights))
}

// takeLevel adds a published level.
func (s *Scorer) takeLevel(parts *features.Parts, slot features.Slot, l bodyLevel) error {
	level := features.Level{Slot: slot, Text: l.Text, Weight: s.take(l.Weight)}
	_, ofCross := slot.Cross()
	switch {
	case l.Key != "":
		var err error
		if level.Key, err = strconv.ParseUint(l.Key, 16, 64); err != nil {
			return errors.New("model: weight document: the key of a level is no hexadecimal number of 64 bits")
		}
	case ofCross:
		return errors.New("model: weight document: a level of a cross has no key")
	default:
		level.Key = slot.Key(record.Hash([]byte(l.Text)))
	}
	parts.Levels = append(parts.Levels, level)
	return nil
}

// column reads a column, and takes its weights.
func (b *bodyColumn) column(take func(...float64) int32) (features.Column, error) {
	c := features.Column{Name: b.Name}
	if b.Missing != nil {
		c.Missing = take(*b.Missing)
	}
	bad := func(what string) (features.Column, error) {
		return c, fmt.Errorf("model: weight document: column %q: %s", b.Name, what)
	}
	switch {
	case b.Type == undecided:
	case b.Type == features.Categorical:
		c.Kind = features.Levelled
	case b.Type != features.Numeric:
		return bad("a type that this program does not know")
	case b.Standardized != nil:
		c.Kind, c.Mean, c.Scale = features.Scaled, b.Standardized.Mean, b.Standardized.Scale
		c.First = take(b.Standardized.Weight)
	case b.Knots != nil:
		if len(b.Knots) != len(b.KnotWeights) {
			return bad("knots and their weights do not match")
		}
		c.Kind, c.Knots = features.Interpolated, b.Knots
		c.First = take(b.KnotWeights...)
	default:
		c.Kind, c.NumberLevels = features.Binned, b.NumericLevels
		c.Binning = features.Binning{Edges: b.Edges, Coarse: b.Coarse, Single: b.SingleValue}
		if len(b.Bins) != len(b.Edges)+1 || len(b.Coarse) != len(b.Bins) {
			return bad("edges and bins do not match")
		}
		for _, k := range b.Coarse {
			if k < 0 || int(k) >= len(b.CoarseBins) {
				return bad("a coarse bin does not exist")
			}
		}
		c.First = take(b.Bins...)
		c.FirstCoarse = take(b.CoarseBins...)
	}
	return c, nil
}

// Columns names the columns of the model, sorted.
func (d *Document) Columns() ([]string, error) {
	b, err := d.body()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, c := range b.Columns {
		names[c.Name] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}
