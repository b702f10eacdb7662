package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

//studies:reads ../../research/paper ../../research/paper.md ../../research/figures

const research = "../../research"

// TestDocumentIsRendered: the committed document and tables are what the committed CSV files give.
func TestDocumentIsRendered(t *testing.T) {
	tables, err := readTables(filepath.Join(research, "paper"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := text(tables)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"paper.md": text, "paper/tables.md": allTables(tables)} {
		got, err := os.ReadFile(filepath.Join(research, path))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("research/%s is not what the tables give: run `make paper`", path)
		}
	}
	for _, match := range regexp.MustCompile(`\]\((figures/[^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(research, match[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestNoNumberIsTyped: the text around the actions of the template has no decimal number; fractions such as
// 3/4, which are mathematics, it has.
func TestNoNumberIsTyped(t *testing.T) {
	prose := regexp.MustCompile(`(?s){{.*?}}`).ReplaceAllString(documentText, "")
	for _, typed := range regexp.MustCompile(`[^\n]*\d*[.]\d[^\n]*`).FindAllString(prose, -1) {
		t.Errorf("typed by hand: %q", typed)
	}
	if len(prose) == len(documentText) {
		t.Error("the template has no actions")
	}
}

// TestCommittedClaims: what the document says in words holds in the committed tables.
func TestCommittedClaims(t *testing.T) {
	tables, err := readTables(filepath.Join(research, "paper"))
	if err != nil {
		t.Fatal(err)
	}
	c := claims{t, tables}
	c.always()
	c.rates()
	c.controls()
	c.duels()
	c.tradeOff()
}
