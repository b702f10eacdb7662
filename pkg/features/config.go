package features

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

// Config is how the fields of a record become a row: a part of the `learner` section.
type Config struct {
	// Columns are columns whose type is declared instead of inferred, by name.
	Columns map[string]ColumnConfig `yaml:"columns,omitempty" json:"columns,omitempty"`
	// Crosses are combinations of two or more columns. A combination of values gets its own weight when records show
	// that the separate columns do not predict well enough.
	Crosses [][]string `yaml:"crosses,omitempty" json:"crosses,omitempty"`
	// Vocabulary is how much the encoder remembers.
	Vocabulary VocabularyConfig `yaml:"vocabulary" json:"vocabulary"`
}

// VocabularyConfig bounds what the encoder remembers.
type VocabularyConfig struct {
	// Levels is the number of values that get their own weight, over all columns: values of categorical columns,
	// repeated values of numeric columns, and combinations of crosses. An eighth more is reserved for repeated values
	// and combinations. 1 to 1,000,000.
	Levels int `yaml:"levels" json:"levels"`
	// Buckets is the number of shared weights (hash buckets) for categorical values that do not get their own. 1 to
	// 1,000,000.
	Buckets int `yaml:"buckets" json:"buckets"`
	// Columns is the largest number of columns that are encoded. Columns that appear later are counted and ignored. 1
	// to 65,536.
	Columns int `yaml:"columns" json:"columns"`
}

// ColumnConfig declares one column.
type ColumnConfig struct {
	// Type is the type of the column: numeric or categorical.
	Type ColumnType `yaml:"type" json:"type"`
	// Encoding is the encoding of a numeric column: bins (the default), piecewise-linear or standardized.
	Encoding Encoding `yaml:"encoding,omitempty" json:"encoding,omitempty"`
}

// ColumnType is what the values of a column are.
type ColumnType string

// The column types.
const (
	Numeric     ColumnType = "numeric"
	Categorical ColumnType = "categorical"
)

// Encoding is how a numeric column becomes non-zeros.
type Encoding string

// The encodings of numeric columns.
const (
	// Bins: one weight per quantile bin, one per group of adjacent bins, and one per repeated value.
	Bins Encoding = "bins"
	// PiecewiseLinear: a continuous function with knots at quantiles.
	PiecewiseLinear Encoding = "piecewise-linear"
	// Standardized: one weight on (value - mean) / standard deviation, clipped to ±5.
	Standardized Encoding = "standardized"
)

// counts says whether numbers of the column may be taken for counts.
func (c ColumnConfig) counts() bool {
	return c.Type != Categorical && (c.Encoding == "" || c.Encoding == Bins)
}

var encodings = []Encoding{Bins, PiecewiseLinear, Standardized}

// DefaultConfig infers every column and has no crosses.
func DefaultConfig() Config {
	return Config{Vocabulary: VocabularyConfig{Levels: 8192, Buckets: 1024, Columns: 8192}}
}

// Validate returns every problem of c. Paths begin at the section that c is part of.
func (c Config) Validate() []record.Problem {
	var problems []record.Problem
	add := func(key, format string, arguments ...any) {
		problems = append(problems, record.Problem{Path: key, Message: fmt.Sprintf(format, arguments...)})
	}
	between := func(key string, value, most int) {
		if value < 1 || value > most {
			add(key, "%d is outside 1 to %d", value, most)
		}
	}
	between("vocabulary.levels", c.Vocabulary.Levels, 1000000)
	between("vocabulary.buckets", c.Vocabulary.Buckets, 1000000)
	between("vocabulary.columns", c.Vocabulary.Columns, 65536)
	for _, name := range slices.Sorted(maps.Keys(c.Columns)) {
		column := c.Columns[name]
		switch column.Type {
		case Numeric, Categorical:
		case "":
			add("columns."+name+".type", "required: use numeric or categorical")
		default:
			add("columns."+name+".type", "%q is unknown: use numeric or categorical", column.Type)
		}
		if column.Encoding != "" && !slices.Contains(encodings, column.Encoding) {
			add("columns."+name+".encoding", "%q is unknown: use bins, piecewise-linear or standardized", column.Encoding)
		}
		if column.Encoding != "" && column.Type == Categorical {
			add("columns."+name+".encoding", "is for numeric columns: remove it")
		}
	}
	for i, cross := range c.Crosses {
		if len(cross) < 2 {
			add(fmt.Sprintf("crosses[%d]", i), "names fewer than two columns: name the columns to combine")
		}
		for k, name := range cross {
			if name == "" || slices.Contains(cross[:k], name) {
				add(fmt.Sprintf("crosses[%d]", i), "has an empty or repeated column: name each column once")
			}
		}
	}
	return problems
}
