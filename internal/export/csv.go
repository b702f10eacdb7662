package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// columns are those of the CSV.
var columns = []string{"date", "source", "model", "rate", "table", "sex", "race", "applicants", "share", "selected", "selection_rate", "selection_rate_lo", "selection_rate_hi",
	"impact_ratio", "impact_ratio_lo", "impact_ratio_hi", "impact_ratio_without_small", "may_be_left_out"}

// WriteCSV writes tables as CSV: one line with the names of the columns, then one for each category.
func WriteCSV(to io.Writer, impacts ...*Impact) error {
	lines := [][]string{columns}
	for _, i := range impacts {
		for _, t := range i.Tables {
			for _, row := range t.Rows {
				leftOut := ""
				if row.MayBeLeftOut {
					leftOut = "yes"
				}
				lines = append(lines, []string{i.Date, plain(i.Source), plain(i.Model), i.Rate, t.Name, plain(row.Sex), plain(row.Race), strconv.FormatInt(row.Applicants, 10), decimal(row.Share),
					strconv.FormatInt(row.Selected, 10), decimal(row.Rate), decimal(row.RateLo), decimal(row.RateHi),
					decimal(row.Ratio), decimal(row.RatioLo), decimal(row.RatioHi), decimal(row.WithoutSmall), leftOut})
			}
		}
	}
	return csv.NewWriter(to).WriteAll(lines)
}

// decimals is how many digits of a number are written behind the point.
const decimals = 4

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

// plain keeps a spreadsheet from taking a text for a formula.
func plain(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
