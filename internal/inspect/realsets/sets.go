// Package realsets has the sets of records of the study in bench/quality, for tests of what is said of records that nobody made up.
package realsets

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
)

// Set is a set as bench/quality/study/data.py prepares it: its label is in the field label, the attribute of the groups in attribute.
type Set struct {
	Name, Positive, Group, Versus string
	// Wise is what is true of the set, so that it is no false alarm.
	Wise []string
}

// Sets are all of them.
var Sets = []Set{
	{"adult", ">50K", "Male", "Female", nil},
	{"compas", "1", "African-American", "Caucasian", []string{" in several spellings"}}, // such as "DUI - Enhanced" and "DUI- Enhanced"
	{"credit", "1", "male", "female", nil},
	{"law", "1", "White", "other", nil},
	{"admissions", "1", "female", "male", nil},
	{"families", "1", "Black", "Hispanic", nil},
}

//go:embed testdata/*.csv.gz
var testdata embed.FS

// Read reads a set, its names first: what `bench/quality/run.sh --only records` wrote, or a sample. Without both it skips the test.
func Read(t *testing.T, name string) (header []string, rows [][]string) {
	t.Helper()
	from, err := open(name)
	if err != nil {
		t.Skip("its licence forbids a copy here: bench/quality/run.sh --only records fetches it")
	}
	rows, err = csv.NewReader(from).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for k, column := range rows[0] { // the bundled records have names of their own
		rows[0][k] = cmp.Or(map[string]string{"adult income": "label", "adult sex": "attribute"}[name+" "+column], column)
	}
	return rows[0], rows[1:]
}

func open(name string) (io.Reader, error) {
	if name == "adult" {
		return adult.Open(), nil
	}
	for _, up := range []string{"../..", "../../.."} { // the test is of a package below internal
		if whole, err := os.ReadFile(filepath.Join(up, ".cache/quality/records", name+".csv")); err == nil {
			return bytes.NewReader(whole), nil
		}
	}
	sample, err := testdata.Open("testdata/" + name + ".csv.gz")
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(sample)
}

// Samples is how many parts of a set are tried: few, or more at night.
func Samples(t *testing.T, few string) (n uint64) {
	t.Helper()
	if _, err := fmt.Sscan(cmp.Or(os.Getenv("FAIRSTREAM_TEST_SAMPLES"), few), &n); err != nil {
		t.Fatal(err)
	}
	return n
}
