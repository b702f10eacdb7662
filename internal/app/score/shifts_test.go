package score

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// ofSet is the configuration of a real set.
func ofSet(set realsets.Set) model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "label", Positive: record.Text(set.Positive)}
	c.Constraints = []model.Constraint{{Name: "people", Attribute: model.OneOrMore{"attribute"}, Group: model.Values(set.Group), Versus: model.Values(set.Versus), Tau: .05}}
	return c.WithDefaults().Model()
}

// rowsOf are the records of a set in a random order, as texts by column.
func rowsOf(t *testing.T, set realsets.Set, seed uint64) (all []map[string]string) {
	t.Helper()
	header, rows := realsets.Read(t, set.Name)
	for _, at := range rand.New(rand.NewPCG(seed, 5)).Perm(len(rows)) {
		row := map[string]string{}
		for k, name := range header {
			row[name] = rows[at][k]
		}
		all = append(all, row)
	}
	return all
}

// each decodes rows as a schema says.
func each(t *testing.T, schema *record.Schema, rows []map[string]string, do func(*record.Record)) {
	t.Helper()
	decoder := schema.NewDecoder()
	var rec record.Record
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		if err := decoder.DecodeJSON(&rec, line); err != nil {
			t.Fatal(err)
		}
		do(&rec)
	}
}

// weightsOf are the weights that rows lead to, as they are read from a file.
func weightsOf(t *testing.T, c model.Config, rows []map[string]string) *document.Document {
	t.Helper()
	learner, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	each(t, schema, rows, func(r *record.Record) { learner.Learn(r) })
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	text, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if doc, err = document.Parse(text); err != nil {
		t.Fatal(err)
	}
	return doc
}

// toldOf is what is told of rows that are to be decided by weights.
func toldOf(t *testing.T, doc *document.Document, rows []map[string]string) (words string, found Found) {
	t.Helper()
	familiarity, err := doc.Familiarity()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := doc.Schema()
	if err != nil {
		t.Fatal(err)
	}
	each(t, schema, rows, familiarity.Add)
	found.take(familiarity)
	var text bytes.Buffer
	for _, unfamiliar := range found.Unfamiliar {
		text.WriteString(unfamiliar + "\n")
	}
	found.tellShifts(&text, "new.csv")
	return text.String(), found
}

// TestNothingIsToldOfTheSamePeople: of real records, decided by weights that were learnt from others of the same set, nothing is told.
func TestNothingIsToldOfTheSamePeople(t *testing.T) {
	for _, set := range realsets.Sets {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range realsets.Samples(t, "1") {
				rows := rowsOf(t, set, seed)
				for _, size := range []int{1500, 6000} {
					if size > len(rows)*3/4 {
						continue
					}
					doc := weightsOf(t, ofSet(set), rows[:size])
					if words, _ := toldOf(t, doc, rows[size:min(len(rows), size+familiarWithin)]); words != "" {
						t.Errorf("sample %d, %d learnt: %s", seed, size, words)
					}
				}
			}
		})
	}
}

// TestOtherRecords: mistakes in the records to be decided are told of, with the column.
func TestOtherRecords(t *testing.T) {
	const learnt = 6000
	times := func(column string, factor float64) func(map[string]string, *rand.Rand) {
		return func(row map[string]string, _ *rand.Rand) {
			if x, err := strconv.ParseFloat(row[column], 64); err == nil {
				row[column] = strconv.FormatFloat(x*factor, 'f', -1, 64)
			}
		}
	}
	var documents []*document.Document // by sample
	var others [][]map[string]string   // that were not learnt
	for seed := range realsets.Samples(t, "1") {
		rows := rowsOf(t, realsets.Sets[0], seed)
		documents, others = append(documents, weightsOf(t, ofSet(realsets.Sets[0]), rows[:learnt])), append(others, rows[learnt:learnt+familiarWithin])
	}
	next := map[string]string{}
	for i, word := range words {
		next[word] = words[(i+1)%len(words)]
	}
	for _, test := range []struct {
		name   string
		change func(row map[string]string, random *rand.Rand)
		want   string
	}{
		{"words exchanged", func(row map[string]string, _ *rand.Rand) { row["marital_status"] = next[row["marital_status"]] }, `"marital_status"`},
		{"other words", func(row map[string]string, _ *rand.Rand) {
			row["workclass"] = strings.ToUpper(row["workclass"])
		}, `of "workclass" are unlike`},
		{"a new word", func(row map[string]string, random *rand.Rand) {
			if random.IntN(8) == 0 {
				row["workclass"] = "Online"
			}
		}, `"workclass"`},
		{"in months", times("age", 12), `"age"`},
		{"per day", times("hours_per_week", .2), `"hours_per_week"`},
		{"rounded to tens", func(row map[string]string, _ *rand.Rand) {
			if age := row["age"]; len(age) == 2 {
				row["age"] = age[:1] + "0"
			}
		}, `"age"`},
		{"exchanged", func(row map[string]string, _ *rand.Rand) {
			row["age"], row["hours_per_week"] = row["hours_per_week"], row["age"]
		}, ` seem to be swapped`},
		{"the same for all", func(row map[string]string, _ *rand.Rand) { row["occupation"] = "Sales" }, `"occupation" ("Sales" in 100 % of the records, and in `},
		{"the same number for all", func(row map[string]string, _ *rand.Rand) { row["hours_per_week"] = "40" }, `"hours_per_week"`},
		{"the middle for what is not known", func(row map[string]string, random *rand.Rand) {
			if random.IntN(3) == 0 {
				row["age"] = "37"
			}
		}, `"age"`},
		{"codes shifted", func(row map[string]string, _ *rand.Rand) {
			if x, err := strconv.Atoi(row["education_num"]); err == nil {
				row["education_num"] = strconv.Itoa(x + 2)
			}
		}, `"education_num"`},
		{"of another place", func(row map[string]string, random *rand.Rand) {
			if random.IntN(2) == 0 {
				row["native_country"] = "Mexico"
			}
		}, `"native_country" (other`},
		{"empty", func(row map[string]string, random *rand.Rand) { row["relationship"] = "" }, `"relationship" has no value`},
		{"half of it empty", func(row map[string]string, random *rand.Rand) {
			if random.IntN(2) == 0 {
				row["occupation"] = ""
			}
		}, `"occupation"`},
		{"groups in other words", func(row map[string]string, _ *rand.Rand) { row["attribute"] = row["attribute"][:1] }, `none of 2,000 records with a value of "attribute" is in a group`},
		{"one group", func(row map[string]string, _ *rand.Rand) { row["attribute"] = "Female" }, `the group Male of "people" is 0 % of both groups, and was 6`},
		{"younger people", func(row map[string]string, random *rand.Rand) {
			if x, err := strconv.Atoi(row["age"]); err == nil && x > 25 && random.IntN(2) == 0 {
				row["age"] = strconv.Itoa(17 + random.IntN(8))
			}
		}, `"age"`},
		{"ranks", func(row map[string]string, random *rand.Rand) {
			row["age"] = strconv.FormatFloat(random.Float64(), 'f', 4, 64)
		}, `"age"`},
		{"a decimal lost", times("education_num", 10), `"education_num"`},
		{"negative", times("hours_per_week", -1), `"hours_per_week"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for seed, doc := range documents {
				random := rand.New(rand.NewPCG(uint64(seed), 9))
				var changed []map[string]string
				for _, row := range others[seed] {
					row = maps.Clone(row)
					test.change(row, random)
					changed = append(changed, row)
				}
				if got, _ := toldOf(t, doc, changed); !strings.Contains(got, test.want) {
					t.Errorf("sample %d: %q, want %q", seed, got, test.want)
				}
			}
		})
	}
}

// words are those of a column of the bundled records.
var words = []string{"Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed", "Married-spouse-absent", "Married-AF-spouse"}
