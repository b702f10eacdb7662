package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// table is a result: what is written as CSV and shown in Markdown. A column NAME_se holds the standard error
// of the column NAME before it. Cells are text; numbers have six significant digits, and an empty cell is a
// number that there is none of.
type table struct {
	name    string // of the file
	code    string // that it is of (codeOf), the comment in the file's first line; "" if the file has none
	columns []string
	rows    [][]string
}

func newTable(name string, columns ...string) *table { return &table{name: name, columns: columns} }

// add appends a row of strings, ints and float64s.
func (t *table) add(cells ...any) {
	if len(cells) != len(t.columns) {
		panic("paper: " + t.name + ": a row of the wrong length")
	}
	row := make([]string, len(cells))
	for i, cell := range cells {
		switch v := cell.(type) {
		case float64:
			if !math.IsNaN(v) {
				row[i] = strconv.FormatFloat(v, 'g', 6, 64)
			}
		default:
			row[i] = fmt.Sprint(v)
		}
	}
	t.rows = append(t.rows, row)
}

func (t *table) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if t.code != "" {
		if _, err := io.WriteString(file, codeComment+t.code+"\n"); err != nil {
			return err
		}
	}
	if err := csv.NewWriter(file).WriteAll(append([][]string{t.columns}, t.rows...)); err != nil {
		return err
	}
	return file.Close()
}

func readTable(name, path string) (*table, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rest, commented := strings.CutPrefix(string(text), codeComment)
	code := ""
	if commented {
		code, rest, _ = strings.Cut(rest, "\n")
	}
	rows, err := csv.NewReader(strings.NewReader(rest)).ReadAll()
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("paper: %s is empty", path)
	}
	if err != nil {
		return nil, err
	}
	return &table{name: name, code: code, columns: rows[0], rows: rows[1:]}, nil
}

const codeComment = "# code "

const standardError = "_se"

// markdown shows the named columns, or all of them, of the rows that keep wants (all without keep).
func (t *table) markdown(columns []string, keep func(row []string) bool) (string, error) {
	if len(columns) == 0 {
		for _, c := range t.columns {
			if !strings.HasSuffix(c, standardError) {
				columns = append(columns, c)
			}
		}
	}
	var b strings.Builder
	var rule strings.Builder
	for _, c := range columns {
		i := slices.Index(t.columns, c)
		if i < 0 {
			return "", fmt.Errorf("paper: table %s has no column %s", t.name, c)
		}
		b.WriteString("| " + strings.ReplaceAll(c, "_", " ") + " ")
		if t.numeric(i) {
			rule.WriteString("|---:")
		} else {
			rule.WriteString("|---")
		}
	}
	b.WriteString("|\n" + rule.String() + "|\n")
	for _, row := range t.rows {
		if keep != nil && !keep(row) {
			continue
		}
		for _, c := range columns {
			b.WriteString("| " + t.show(row, c) + " ")
		}
		b.WriteString("|\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (t *table) numeric(column int) bool {
	for _, row := range t.rows {
		if _, err := strconv.ParseFloat(row[column], 64); row[column] != "" && err != nil {
			return false
		}
	}
	return true
}

// show is a cell as people read it: three significant digits, ± two of its standard error.
func (t *table) show(row []string, column string) string {
	text := short(row[slices.Index(t.columns, column)], 3)
	if i := slices.Index(t.columns, column+standardError); i >= 0 && row[i] != "" {
		text += " ± " + short(row[i], 2)
	}
	return text
}

func short(cell string, digits int) string {
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case cell == "":
		return "–"
	case err != nil || !strings.ContainsAny(cell, ".e"):
		return cell
	}
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if math.Abs(v) >= 1e-4 && math.Abs(v) < 1e6 { // no exponent where it is easily read without
		rounded, _ := strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return text
}

// find returns the row whose first cells are the key's parts, which " / " separates.
func (t *table) find(key string) ([]string, error) {
	parts := strings.Split(key, " / ")
	for _, row := range t.rows {
		if len(parts) <= len(row) && slices.Equal(row[:len(parts)], parts) {
			return row, nil
		}
	}
	return nil, fmt.Errorf("paper: table %s has no row %q", t.name, key)
}

// value is a cell as a number, NaN if it is empty.
func (t *table) value(row []string, column string) float64 {
	i := slices.Index(t.columns, column)
	if i < 0 {
		panic("paper: table " + t.name + " has no column " + column)
	}
	if v, err := strconv.ParseFloat(row[i], 64); err == nil {
		return v
	}
	return math.NaN()
}
