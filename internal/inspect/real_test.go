package inspect_test

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// realSets are the sets of the study (bench/quality), prepared as bench/quality/study/data.py does, with their groups. What is listed as true
// of a set is no false alarm.
var realSets = []struct {
	name, positive, group, versus string
	wise                          []string
}{
	{"adult", ">50K", "Male", "Female", nil},
	{"compas", "1", "African-American", "Caucasian", []string{" in several spellings"}}, // such as "DUI - Enhanced" and "DUI- Enhanced"
	{"credit", "1", "male", "female", nil},
	{"law", "1", "White", "other", nil},
	{"admissions", "1", "female", "male", nil},
	{"families", "1", "Black", "Hispanic", nil},
}

// readSet reads a set of records with its header: what `bench/quality/run.sh --only records` wrote, or the sample in testdata. It is nil where there
// is neither.
func readSet(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	var from io.Reader
	if name == "adult" {
		from = adult.Open()
	} else if whole, err := os.Open(filepath.Join("../../.cache/quality/records", name+".csv")); err == nil {
		defer func() { _ = whole.Close() }()
		from = whole
	} else if sample, err := os.Open(filepath.Join("testdata", name+".csv.gz")); err == nil {
		defer func() { _ = sample.Close() }()
		if from, err = gzip.NewReader(sample); err != nil {
			t.Fatal(err)
		}
	} else {
		return nil
	}
	rows, err := csv.NewReader(from).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRealSets: of real records that nobody changed, and of random parts of them, nothing is said that is not true.
func TestRealSets(t *testing.T) {
	for _, set := range realSets {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			rows := readSet(t, set.name)
			if rows == nil {
				t.Skip("its licence forbids a copy here: bench/quality/run.sh --only records fetches it")
			}
			header, rows := rows[0], rows[1:]
			for k, name := range header { // the bundled records have names of their own
				header[k] = cmp.Or(map[string]string{"adult income": "label", "adult sex": "attribute"}[set.name+" "+name], name)
			}
			c := config.Default()
			c.Record.Label = record.Label{Field: "label", Positive: record.Text(set.positive)}
			c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"attribute"}, Group: model.Values(set.group), Versus: model.Values(set.versus), Tau: .05}}
			checked := c.WithDefaults().Model()
			for seed := range samples(t, "2") {
				random := rand.New(rand.NewPCG(seed, 11))
				for _, size := range []int{500, 2000, 10000} {
					if size > 2*len(rows) {
						continue
					}
					order := random.Perm(len(rows))
					// Whole columns are left out of a part, too: what is said of one must not hang on another.
					left := map[string]bool{}
					for _, name := range header {
						left[name] = name != "label" && name != "attribute" && size < 10000 && random.Float64() < .2
					}
					i, err := inspect.New(checked)
					if err != nil {
						t.Fatal(err)
					}
					for _, at := range order[:min(size, len(rows))] {
						row := map[string]string{}
						for k, name := range header {
							if !left[name] {
								row[name] = rows[at][k]
							}
						}
						line, err := json.Marshal(row)
						if err != nil {
							t.Fatal(err)
						}
						_ = i.Add(line)
					}
					for _, f := range i.Findings() {
						if !isWise(f, set.wise) {
							t.Errorf("sample %d of %d records: %s", seed, size, f)
						}
					}
				}
			}
		})
	}
}

func isWise(f inspect.Finding, wise []string) bool {
	for _, text := range wise {
		if strings.Contains(f.String(), text) {
			return true
		}
	}
	return false
}

// samples is how many parts of a set are tried: few, or 20 at night.
func samples(t *testing.T, few string) uint64 {
	t.Helper()
	var n uint64
	if _, err := fmt.Sscan(cmp.Or(os.Getenv("FAIRSTREAM_TEST_SAMPLES"), few), &n); err != nil {
		t.Fatal(err)
	}
	return n
}
