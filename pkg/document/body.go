package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// body is the model of a document: encoder, weights and threshold.
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
	// Type is numeric, categorical, or undecided for a column with too few values yet, whose values are levels.
	Type features.ColumnType `json:"type"`
	// Missing is the weight of a missing value; absent if none was missing.
	Missing *float64 `json:"missing,omitempty"`
	// Linear adds weight × (x − mean) × scale, x bounded to low and high. With square_roots, x is then replaced by its square root so many times.
	Linear *bodyLinear `json:"linear,omitempty"`
	// Edges cut a numeric column into bins: bin i is edges[i-1] <= x < edges[i]. A value adds the weight
	// of its bin, that of its coarse bin, and that of its level, as far as it has them.
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

type bodyLinear struct {
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	SquareRoots int32   `json:"square_roots,omitempty"`
	Mean        float64 `json:"mean"`
	Scale       float64 `json:"scale"`
	Weight      float64 `json:"weight"`
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

// sum is the hash of a part of a document.
func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// undecided is the type of a column that has had too few values.
const undecided features.ColumnType = "undecided"

// newBody writes an encoder with its weights.
func newBody(parts features.Parts, weights []float64) body {
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
		if column, _ := l.Slot.Column(); l.Weight != parts.Columns[column].Linear {
			b.Columns[column].Levels = append(b.Columns[column].Levels, entry)
		}
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
		if c.Linear != 0 {
			b.Linear = &bodyLinear{c.Low, c.High, c.SquareRoots, c.Mean, c.Scale, weights[c.Linear]}
		}
		if c.First != 0 {
			b.Bins = weights[c.First : c.First+int32(len(c.Binning.Coarse))]
		}
		if c.FirstCoarse != 0 {
			b.CoarseBins = weights[c.FirstCoarse : c.FirstCoarse+c.CoarseBins()]
		}
	}
	return b
}

// readBody reads a model. A key that this program does not know would change decisions, so it is an error.
func readBody(model []byte) (b body, err error) {
	decoder := json.NewDecoder(bytes.NewReader(model))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return b, fmt.Errorf("document: its model cannot be read: %w: was it written by a newer program?", err)
	}
	return b, nil
}

// assembly is an encoder in the making, with its weights.
type assembly struct {
	parts   features.Parts
	weights []float64
}

// assemble rebuilds the encoder and the weights. Where weights stand differs from the learner's order. The
// order in which a record adds them up does not, so margins are equal bit for bit.
func (b *body) assemble() (*features.Frozen, []float64, error) {
	a := assembly{weights: []float64{b.Intercept}}
	for i := range b.Columns {
		c, err := a.column(&b.Columns[i])
		if err != nil {
			return nil, nil, fmt.Errorf("document: column %q: %w", b.Columns[i].Name, err)
		}
		a.parts.Columns = append(a.parts.Columns, c)
		if err := a.levels(features.ColumnSlot(i), b.Columns[i].Levels); err != nil {
			return nil, nil, fmt.Errorf("document: column %q: %w", b.Columns[i].Name, err)
		}
	}
	for i, cross := range b.Crosses {
		a.parts.Crosses = append(a.parts.Crosses, cross.Columns)
		if err := a.levels(features.CrossSlot(i), cross.Levels); err != nil {
			return nil, nil, fmt.Errorf("document: cross %d: %w", i, err)
		}
	}
	if a.parts.Buckets = int32(len(b.Buckets)); len(b.Buckets) > 0 {
		a.parts.Shared = a.take(b.Buckets...)
	}
	a.parts.Size = int32(len(a.weights))
	encoder, err := features.NewFrozen(a.parts)
	if err != nil {
		return nil, nil, fmt.Errorf("document: %w", err)
	}
	return encoder, a.weights, nil
}

// take adds weights, and returns the index of the first.
func (a *assembly) take(weights ...float64) int32 {
	a.weights = append(a.weights, weights...)
	return int32(len(a.weights) - len(weights))
}

// column reads a column, and takes its weights.
func (a *assembly) column(b *bodyColumn) (features.Column, error) {
	c := features.Column{Name: b.Name}
	if b.Missing != nil {
		c.Missing = a.take(*b.Missing)
	}
	switch {
	case b.Type == undecided:
	case b.Type == features.Categorical:
		c.Kind = features.Levelled
	case b.Type != features.Numeric:
		return c, errors.New("a type that this program does not know")
	case b.Standardized != nil:
		c.Kind, c.Mean, c.Scale = features.Scaled, b.Standardized.Mean, b.Standardized.Scale
		c.First = a.take(b.Standardized.Weight)
	case b.Knots != nil:
		if len(b.Knots) != len(b.KnotWeights) {
			return c, errors.New("knots and their weights do not match")
		}
		c.Kind, c.Knots = features.Interpolated, b.Knots
		c.First = a.take(b.KnotWeights...)
	default:
		c.Kind, c.NumberLevels = features.Binned, b.NumericLevels
		c.Binning = features.Binning{Edges: b.Edges, Coarse: b.Coarse, Single: b.SingleValue}
		if b.Bins != nil && len(b.Bins) != len(b.Coarse) { // of the rest features.NewFrozen takes care
			return c, errors.New("edges and bins do not match")
		}
		if b.CoarseBins != nil && slices.ContainsFunc(b.Coarse, func(k int32) bool { return int(k) >= len(b.CoarseBins) }) {
			return c, errors.New("a coarse bin does not exist")
		}
		if l := b.Linear; l != nil {
			c.Low, c.High, c.SquareRoots, c.Mean, c.Scale = l.Low, l.High, l.SquareRoots, l.Mean, l.Scale
			c.Linear = a.take(l.Weight)
		}
		if b.Bins != nil {
			c.First = a.take(b.Bins...)
		}
		if b.CoarseBins != nil {
			c.FirstCoarse = a.take(b.CoarseBins...)
		}
	}
	return c, nil
}

// levels reads the levels of a column or a cross, and takes their weights.
func (a *assembly) levels(slot features.Slot, levels []bodyLevel) error {
	_, ofCross := slot.Cross()
	for _, l := range levels {
		level := features.Level{Slot: slot, Text: l.Text, Weight: a.take(l.Weight)}
		switch {
		case l.Key != "":
			var err error
			if level.Key, err = strconv.ParseUint(l.Key, 16, 64); err != nil {
				return errors.New("the key of a level is no hexadecimal number of 64 bits")
			}
		case ofCross:
			return errors.New("a level of a cross has no key")
		default:
			level.Key = slot.Key(record.Hash([]byte(l.Text)))
		}
		a.parts.Levels = append(a.parts.Levels, level)
	}
	return nil
}
