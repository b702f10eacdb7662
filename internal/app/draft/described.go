package draft

import (
	"slices"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/profile"
)

// fewSymbols is of how many symbols a column shows each, as a sample does of texts.
const fewSymbols = 20

// described puts what a schema says of fields over what a sample shows of them. Fields that no record of the sample has come last.
func described(columns []profile.Column, fields []format.Field, records int) []profile.Column {
	columns = slices.Clone(columns)
	at := make(map[string]int, len(columns))
	for i, c := range columns {
		at[c.Name] = i
	}
	for _, f := range fields {
		i, sampled := at[f.Name]
		switch {
		case !sampled && f.Kind == format.Open:
			continue
		case !sampled && len(columns) >= profile.MaxColumns:
			return columns
		case !sampled:
			i = len(columns)
			columns = append(columns, profile.Column{Name: f.Name, Kind: profile.Empty, Records: records, Why: "no record of the sample has it"})
		}
		put(&columns[i], f)
	}
	return columns
}

// put changes what the schema knows better.
func put(c *profile.Column, f format.Field) {
	switch f.Kind {
	case format.Time:
		c.Kind, c.Why = profile.Time, "the schema says that it is a time"
	case format.UUID:
		c.Kind, c.Why = profile.Identifier, "the schema says that it is a UUID"
	case format.Number:
		if c.Kind == profile.Identifier || c.Kind == profile.Time { // by accident: nobody writes these with a fraction
			c.Kind, c.Why = profile.Number, ""
		}
	case format.Symbol:
		c.Kind, c.Why = profile.Category, ""
		if len(f.Symbols) > fewSymbols {
			return
		}
		c.Listed = true
		for _, symbol := range f.Symbols {
			if !slices.ContainsFunc(c.Shown, func(v profile.Value) bool { return v.Text == symbol }) {
				c.Shown = append(c.Shown, profile.Value{Text: symbol})
			}
		}
	}
}
