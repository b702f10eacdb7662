package main

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// errIncomplete says that experiments have not run yet.
var errIncomplete = errors.New("paper.md is left as it is: it needs the tables of all five experiments in one directory (run without --only)")

//go:embed document.md.tmpl
var documentText string

// document fills the tables' numbers into the text. Its functions:
//
//	table NAME COLUMN...                      the table in Markdown
//	where NAME COLUMN "VALUES" COLUMN...      only the rows whose COLUMN is one of the values
//	rows NAME KEY COLUMN...                   only the rows whose first cells are the key's, as in cell
//	cell NAME KEY COLUMN                      one number, three digits and its standard error
//	plain NAME KEY COLUMN                     the same without its standard error
//	figure NAME ALT                           a plot
//	codes                                     the code that the tables are of
//
// so that no number of the document is typed by hand.
func text(tables map[string]*table) (string, error) {
	get := func(name string) (*table, error) {
		if t := tables[name]; t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("%w: %s is missing", errIncomplete, name)
	}
	functions := template.FuncMap{
		"table": func(name string, columns ...string) (string, error) {
			t, err := get(name)
			if err != nil {
				return "", err
			}
			return t.markdown(columns, nil)
		},
		"where": func(name, column, values string, columns ...string) (string, error) {
			t, err := get(name)
			if err != nil {
				return "", err
			}
			i := slices.Index(t.columns, column)
			if i < 0 {
				return "", fmt.Errorf("paper: table %s has no column %s", name, column)
			}
			return t.markdown(columns, func(row []string) bool { return slices.Contains(strings.Fields(values), row[i]) })
		},
		"rows": func(name, key string, columns ...string) (string, error) {
			t, err := get(name)
			if err != nil {
				return "", err
			}
			parts := strings.Split(key, " / ")
			return t.markdown(columns, func(row []string) bool { return slices.Equal(row[:len(parts)], parts) })
		},
		"cell": func(name, key, column string) (string, error) {
			t, row, err := lookUp(get, name, key, column)
			if err != nil {
				return "", err
			}
			return t.show(row, column), nil
		},
		"plain": func(name, key, column string) (string, error) {
			t, row, err := lookUp(get, name, key, column)
			if err != nil {
				return "", err
			}
			return short(row[slices.Index(t.columns, column)], 3), nil
		},
		"codes":  func() string { return codes(tables) },
		"figure": func(name, alt string) string { return fmt.Sprintf("![%s](figures/paper-%s.png)", alt, name) },
	}
	parsed, err := template.New("document").Funcs(functions).Parse(documentText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := parsed.Execute(&b, nil); err != nil {
		var inner template.ExecError
		if errors.Is(err, errIncomplete) && errors.As(err, &inner) {
			return "", errIncomplete // what is missing stands in the template's own error, which people need not read
		}
		return "", err
	}
	return b.String(), nil
}

// codes names the code of all tables or, if they are of different runs, of which tables each is.
func codes(tables map[string]*table) string {
	of := map[string][]string{}
	for name, t := range tables {
		of[t.code] = append(of[t.code], name)
	}
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(of)) {
		if len(of) == 1 {
			return "`" + code + "`"
		}
		slices.Sort(of[code])
		parts = append(parts, "`"+code+"` ("+strings.Join(of[code], ", ")+")")
	}
	return strings.Join(parts, "; ")
}

func lookUp(get func(string) (*table, error), name, key, column string) (*table, []string, error) {
	t, err := get(name)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.find(key)
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(t.columns, column) {
		return nil, nil, fmt.Errorf("paper: table %s has no column %s", name, column)
	}
	return t, row, nil
}

// readTables reads every CSV file of a directory, by name.
func readTables(directory string) (map[string]*table, error) {
	paths, err := filepath.Glob(filepath.Join(directory, "*.csv"))
	if err != nil {
		return nil, err
	}
	tables := map[string]*table{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		if tables[name], err = readTable(name, path); err != nil {
			return nil, err
		}
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("paper: %s has no tables: %w", directory, os.ErrNotExist)
	}
	return tables, nil
}

// allTables is every table in Markdown, in the order of their names.
func allTables(tables map[string]*table) string {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("# Tables of the paper's experiments\n\nWritten by `go run ./bench/paper`; do not edit. ± is one standard error. *Code* is the start of a hash of all source\nfiles of this repository that bench/paper is built from.\n")
	for _, name := range names {
		text, err := tables[name].markdown(nil, nil)
		if err != nil {
			panic(err) // its own columns
		}
		b.WriteString("\n## " + name + "\n\n")
		if code := tables[name].code; code != "" {
			b.WriteString("Code `" + code + "`.\n\n")
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
