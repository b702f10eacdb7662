package statement

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

var bundled = sync.OnceValues(func() ([][]string, error) { return csv.NewReader(adult.Open()).ReadAll() })

// people are the bundled records in a random order, as texts by column.
func people(t *testing.T, n int, seed uint64) (all []map[string]string) {
	t.Helper()
	rows, err := bundled()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range rand.New(rand.NewPCG(seed, 3)).Perm(len(rows) - 1)[:n] {
		row := map[string]string{}
		for i, cell := range rows[1+at] {
			row[rows[0][i]] = cell
		}
		all = append(all, row)
	}
	return all
}

func adults() model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "income", Positive: ">50K"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"), Tau: .05}}
	return c.WithDefaults().Model()
}

// of is a sample of records.
func of(t *testing.T, c model.Config, rows []map[string]string) *Sample {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.LabelOptional().NewDecoder()
	var rec record.Record
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		if err := decoder.DecodeJSON(&rec, line); err != nil {
			t.Fatal(err)
		}
		s.Add(&rec, nil)
	}
	return s
}

// said are the lines by their headings, without the breaks in them.
func said(s *Sample) map[string]string {
	var text strings.Builder
	s.Write(&text)
	lines := map[string]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(text.String(), "\n  ", " "), "\n- ") {
		heading, words, _ := strings.Cut(line, ": ")
		lines[heading] += words + "\n"
	}
	return lines
}

// TestStatement: what is said of real records is what is known of them, and what is planted in them is said.
func TestStatement(t *testing.T) {
	const n = 3000
	half := func(i int) bool { return i >= n/2 }
	for _, test := range []struct {
		name   string
		config func(c *model.Config)
		change func(i int, row map[string]string, random *rand.Rand)
		line   string
		want   string // in the line; empty if there is none
	}{
		{"nothing", nil, nil, "Order", "no column changes from the first record to the last by more than chance explains"},
		{"nothing", nil, nil, "Decision", "a positive decision means >50K in income."},
		{"nothing", nil, nil, "Limit", "the shares of Male and of Female that get a positive decision may differ by 5 points. Of the labels, "},
		{"nothing", nil, nil, "Columns", "50 is chance. Alone: "},
		{"nothing", nil, nil, "Numbers", "capital_gain 0, 0, 99,999"},
		{"nothing", nil, nil, "Not known", "occupation in "},
		{"nothing", nil, nil, "Parts", ""},
		{"two classes as a number", func(c *model.Config) {
			c.Learner.Task, c.Record.Label.Positive = model.Regression, ""
			c.Constraints[0].Criterion = fairness.MeanDifference
		}, func(_ int, row map[string]string, _ *rand.Rand) {
			row["income"] = map[string]string{">50K": "1", "<=50K": "0"}[row["income"]]
		}, "Decision", "These are two values only: are positive and negative decisions meant"},
		{"the other value", func(c *model.Config) { c.Record.Label.Positive = "<=50K" }, nil, "Decision", "a positive decision means <=50K in income."},
		{"a constraint that is measured alone", func(c *model.Config) { no := false; c.Constraints[0].Enforce = &no }, nil, "Limit", "which is measured but not enforced"},
		{"rounding from the middle on", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["rate"] = fmt.Sprintf("%.2f", 10*random.Float64()); half(i) {
				row["rate"] = row["rate"][:len(row["rate"])-1]
			}
		}, "Order", `"rate" is written with 2 decimals in 100 % of the first quarter`},
		{"a few per cent more", nil, func(i int, row map[string]string, random *rand.Rand) {
			x := 100 * random.Float64()
			if i >= 3*n/4 {
				x += 20
			}
			row["rate"] = strconv.Itoa(int(x))
		}, "Order", `"rate" is at most`},
		{"gaps in the last quarter", nil, func(i int, row map[string]string, random *rand.Rand) {
			if i >= 3*n/4 && random.IntN(10) == 0 {
				row["age"] = ""
			}
		}, "Order", `"age" has no value in`},
		{"gaps beside one label", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["visit"] = strconv.Itoa(random.IntN(50)); row["income"] == ">50K" && random.IntN(8) == 0 {
				row["visit"] = ""
			}
		}, "Labels", `"visit" has no value in`},
		{"labels at random in one part", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["branch"] = "north"; i%4 == 0 {
				row["branch"] = "south"
				if row["income"] = "<=50K"; random.IntN(4) == 0 {
					row["income"] = ">50K"
				}
			}
		}, "Parts", `where "branch" is south, the columns tell `},
		{"labels at random", nil, func(_ int, row map[string]string, random *rand.Rand) {
			if row["income"] = "<=50K"; random.IntN(4) == 0 {
				row["income"] = ">50K"
			}
		}, "Columns", "no better than chance"},
		{"an outcome", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["debt"] = strconv.Itoa(random.IntN(100))
			if row["income"] == ">50K" {
				row["debt"] = strconv.Itoa(100 + random.IntN(100))
			}
		}, "Columns", "rarely possible before the outcome is known: does one of them know it? Alone: debt "},
		{"a misspelt word", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%1000 == 7 {
				row["sex"] = "Femal"
			}
		}, "Rare", `"sex" is Femal in `},
		{"no value in one branch", nil, func(i int, row map[string]string, random *rand.Rand) {
			row["branch"], row["visits"] = "north", strconv.Itoa(random.IntN(50))
			if i%4 == 0 {
				row["branch"], row["visits"] = "south", ""
			}
		}, "Gaps", `"visits" has no value in 100 % of the records where "branch" is south`},
		{"numbers that were standardized", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["z"] = fmt.Sprintf("%.4f", random.NormFloat64())
		}, "Numbers", ""},
		{"times without a change", func(c *model.Config) { c.Record.Time.Field = "at" }, func(_ int, row map[string]string, random *rand.Rand) {
			row["at"] = fmt.Sprintf("2024-%02d-%02dT00:00:00Z", 1+random.IntN(12), 1+random.IntN(28))
		}, "Times", "of the labels are positive.\n"},
		{"outcomes that are not known yet", func(c *model.Config) { c.Record.Time.Field = "at" }, func(_ int, row map[string]string, random *rand.Rand) {
			month := 1 + random.IntN(12)
			if row["at"] = fmt.Sprintf("2024-%02d-%02dT00:00:00Z", month, 1+random.IntN(28)); month > 9 && random.IntN(3) > 0 {
				row["income"] = "<=50K"
			}
		}, "Times", "of the labels are positive: does the label mean the same throughout, and are the outcomes of the newest records known already?"},
		{"dates of birth", func(c *model.Config) { c.Record.Time.Field = "born" }, func(_ int, row map[string]string, _ *rand.Rand) {
			age, _ := strconv.Atoi(row["age"])
			row["born"] = fmt.Sprintf("%d-05-05T00:00:00Z", 2024-age)
		}, "Times", "of the labels are positive: is it the time"},
		{"groups exchanged in one branch", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if row["branch"] = "north"; i%5 == 0 {
				row["branch"], row["sex"] = "south", map[string]string{"Male": "Female", "Female": "Male"}[row["sex"]]
			}
		}, "Groups", `Where "branch" is south, they tell `},
		{"no groups exchanged", nil, func(i int, row map[string]string, _ *rand.Rand) {
			row["branch"] = []string{"north", "south"}[i%2]
		}, "Groups", "apart. Alone: relationship "},
		{"a column that tells much", nil, func(_ int, row map[string]string, random *rand.Rand) {
			row["days"] = strconv.Itoa(100 + random.IntN(200))
			if row["income"] == ">50K" {
				row["days"] = strconv.Itoa(random.IntN(200))
			}
		}, "Columns", "A single column rarely tells as much as days does: is it known before the outcome"},
		{"harm as positive", func(c *model.Config) {
			c.Record.Label.Field, c.Constraints[0].Criterion = "unemployed", fairness.EqualOpportunity
			c.Record.Label.Positive = "yes"
		}, func(_ int, row map[string]string, _ *rand.Rand) {
			row["unemployed"] = map[string]string{"<=50K": "yes", ">50K": "no"}[row["income"]]
			delete(row, "income")
		}, "Decision", "a positive decision is the harm: the model predicts who gets yes, and limits are about those decisions. If equal-opportunity should be about those who are spared it, set record.label.positive"},
		{"a label that was decided", func(c *model.Config) {
			c.Record.Label.Field, c.Constraints[0].Criterion = "course_granted", fairness.EqualOpportunity
		}, func(_ int, row map[string]string, _ *rand.Rand) {
			row["course_granted"] = row["income"]
			delete(row, "income")
		}, "Decision", "about the people whom earlier deciders chose or did not"},
		{"groups in turns", nil, func(i int, row map[string]string, _ *rand.Rand) {
			row["sex"] = []string{"Male", "Female"}[i%2]
			row["height"] = strconv.Itoa(180 - 14*(i%2))
		}, "Groups", "of 100 pairs of Male and Female, the same columns tell 100 apart"},
		{"hardly any record of its own", nil, func(i int, row map[string]string, _ *rand.Rand) {
			clear(row)
			row["sex"], row["income"], row["amount"], row["country"] = []string{"Male", "Female"}[i/2%2], []string{">50K", "<=50K", "<=50K"}[i%3], strconv.Itoa(i%60), "X"
		}, "Copies", "put in"},
		{"a wide limit", func(c *model.Config) { c.Constraints[0].Tau = .5 }, nil, "Limit", "mean a ratio (impact-ratio) or a smaller tau?"},
		{"labels of one moment", func(c *model.Config) { c.Record.Time.Field, c.Record.Label.Time = "at", "known" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["at"], row["known"] = fmt.Sprintf("2024-%02d-%02dT00:00:00Z", 1+i%12, 1+i%28), "2025-01-05T03:00:00Z"
		}, "Times", "is that the time of an export?"},
		{"labels of many moments", func(c *model.Config) { c.Record.Time.Field, c.Record.Label.Time = "at", "known" }, func(i int, row map[string]string, random *rand.Rand) {
			row["at"], row["known"] = fmt.Sprintf("2024-%02d-%02dT00:00:00Z", 1+i%12, 1+i%28), fmt.Sprintf("2025-02-%02dT03:00:00Z", 1+random.IntN(28))
		}, "Times", "half of them within"},
		{"days that were counted at the export", func(c *model.Config) { c.Record.Time.Field = "at" }, func(i int, row map[string]string, random *rand.Rand) {
			at := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(600))
			row["at"], row["account_days"] = at.Format(time.RFC3339), strconv.Itoa(int(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC).Sub(at).Hours()/24))
		}, "Times", `"account_days" is the number of days from "at" to 1 March 2024`},
		{"days that were counted at the record", func(c *model.Config) { c.Record.Time.Field = "at" }, func(i int, row map[string]string, random *rand.Rand) {
			row["at"] = time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(600)).Format(time.RFC3339)
			row["account_days"] = strconv.Itoa(random.IntN(700))
		}, "Times", "of the labels are positive.\n"},
		{"ages as of the export", func(c *model.Config) { c.Record.Time.Field = "at" }, func(_ int, row map[string]string, random *rand.Rand) {
			age, _ := strconv.Atoi(row["age"])
			row["born"] = fmt.Sprintf("%d-%02d-05", 2024-age, 1+random.IntN(12))
			row["at"] = fmt.Sprintf("%d-%02d-05T00:00:00Z", 2018+random.IntN(6), 1+random.IntN(12))
		}, "Times", `"age" is the number of years from "born" to `},
		{"a date of birth as the time of the record", func(c *model.Config) { c.Record.Time.Field = "born" }, func(_ int, row map[string]string, _ *rand.Rand) {
			age, _ := strconv.Atoi(row["age"])
			row["born"] = fmt.Sprintf("%d-05-05T00:00:00Z", 2024-age)
		}, "Times", "a date such as that of birth?"},
		{"a scale that runs the other way in one place", nil, func(i int, row map[string]string, random *rand.Rand) {
			x := 1.5 + 2*random.Float64()
			if row["income"] == ">50K" {
				x += random.Float64()
			}
			if row["country"] = "US"; i%3 == 0 {
				row["country"], x = "DE", 5-x
			}
			row["grade"] = fmt.Sprintf("%.1f", x)
		}, "Parts", `in the other records it is the other way round`},
		{"the mean for what is not known", nil, func(i int, row map[string]string, _ *rand.Rand) {
			if row["wage"] = strconv.Itoa(1000 + int(5000*math.Pow(float64(i*7919%n)/n, 3))); i%4 == 0 {
				row["wage"] = "2249" // a quarter of 5000, and 1000
			}
		}, "Numbers", ", the mean of the others: was it filled in"},
		{"the middle for what is not known", nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["wage"] = strconv.Itoa(1000 + random.IntN(5000)); i%9 == 0 {
				row["wage"] = "3500"
			}
		}, "Numbers", "(3500 in 1"},
	} {
		t.Run(test.name+" "+test.line, func(t *testing.T) {
			t.Parallel()
			for seed := range realsets.Samples(t, "1") {
				c, rows := adults(), people(t, n, seed+1)
				random := rand.New(rand.NewPCG(seed+5, 5))
				for i, row := range rows {
					if test.change != nil {
						test.change(i, row, random)
					}
				}
				if test.config != nil {
					test.config(&c)
				}
				lines := said(of(t, c, rows))
				if test.want == "" && test.line != "Numbers" {
					if lines[test.line] != "" {
						t.Errorf("sample %d: %s: %s", seed, test.line, lines[test.line])
					}
				} else if !strings.Contains(lines[test.line], test.want) {
					t.Errorf("sample %d: %s: %q, want %q", seed, test.line, lines[test.line], test.want)
				}
			}
		})
	}
}

// TestHoldout: a random holdout is like what was learnt, one with other values is not.
func TestHoldout(t *testing.T) {
	rows := people(t, 4000, 2)
	learnt := of(t, adults(), rows[:3000])
	var text strings.Builder
	learnt.WriteHoldout(&text, of(t, adults(), rows[3000:]))
	if !strings.Contains(text.String(), "No column differs by") {
		t.Error(text.String())
	}
	for _, row := range rows[3000:] {
		if age, err := strconv.Atoi(row["age"]); err == nil {
			row["age"] = strconv.Itoa(age + 8)
		}
	}
	text.Reset()
	learnt.WriteHoldout(&text, of(t, adults(), rows[3000:]))
	said := strings.Join(strings.Fields(text.String()), " ")
	var older, others float64
	if _, words, found := strings.Cut(said, `1 column of 14 differs by more than chance: "age" is at most `); !found {
		t.Error(said)
	} else if n, err := fmt.Sscanf(words, "34 in %f %% of these and in %f %% of those that were learnt.", &older, &others); n != 2 || older >= others {
		t.Errorf("%s: %v", said, err)
	}
}

// TestTimesOfHoldout: a holdout that is older than what was learnt raises a question, a later one does not.
func TestTimesOfHoldout(t *testing.T) {
	c, rows := adults(), people(t, 600, 6)
	c.Record.Time.Field = "at"
	for i, row := range rows {
		row["at"] = fmt.Sprintf("%d-05-%02dT00:00:00Z", 2023+i/300, 1+i%28)
	}
	for _, older := range []bool{false, true} {
		learnt, held := rows[:300], rows[300:]
		if older {
			learnt, held = held, learnt
		}
		var text strings.Builder
		of(t, c, learnt).WriteHoldout(&text, of(t, c, held))
		said := strings.Join(strings.Fields(text.String()), " ")
		if !strings.Contains(said, "Their times go from 1 May ") || strings.Contains(said, "were the two files exchanged?") != older {
			t.Errorf("older %v: %s", older, said)
		}
	}
}

// TestTwice: copies beyond chance raise a question, in one file and in a holdout; records that are alike since few columns are read do not.
func TestTwice(t *testing.T) {
	for _, few := range []bool{false, true} {
		rows := people(t, 3600, 4)
		for _, row := range rows {
			delete(row, "fnlwgt")
			for name := range row {
				if few && name != "income" && name != "sex" && name != "age" && name != "race" {
					delete(row, name)
				}
			}
		}
		const question = "were records put in twice, or do files overlap?"
		if lines := said(of(t, adults(), rows)); strings.Contains(lines["Copies"], question) {
			t.Errorf("few columns %v: %s", few, lines["Copies"])
		}
		learnt, held := rows[:3000], rows[3000:]
		if words := of(t, adults(), learnt).Learnt(of(t, adults(), held)); words != "" {
			t.Errorf("few columns %v: %s", few, words)
		}
		if few {
			continue
		}
		twice := append(slices.Clone(learnt), learnt[:300]...)
		if lines := said(of(t, adults(), twice)); !strings.Contains(lines["Copies"], question) {
			t.Errorf("copies: %q", lines["Copies"])
		}
		words := of(t, adults(), twice).Learnt(of(t, adults(), append(slices.Clone(held), learnt[100:300]...)))
		if !strings.HasPrefix(words, "2") || !strings.Contains(words, " of 800 records were learnt: ") {
			t.Errorf("copies in the holdout: %q", words)
		}
	}
}

// TestIdentifiers: records with the identifier of another raise a question in a quick sample, and a holdout with those of learnt records a warning.
func TestIdentifiers(t *testing.T) {
	c := adults()
	c.Record.ID = "person"
	for _, again := range []bool{false, true} {
		rows := people(t, 1200, 8)
		for i, row := range rows {
			if row["person"] = strconv.Itoa(i); again {
				row["person"] = strconv.Itoa(i % 700)
			}
		}
		all, learnt, held := of(t, c, rows), of(t, c, rows[:600]), of(t, c, rows[600:])
		all.Quick = true
		if lines := said(all); strings.Contains(lines["Copies"], `have the "person" of an earlier one: does it identify a person`) != again {
			t.Errorf("again %v: %q", again, lines["Copies"])
		}
		if words := learnt.Learnt(held); strings.Contains(words, `have the same "person" as a learnt record`) != again {
			t.Errorf("again %v: %q", again, words)
		}
	}
}

// TestEvenSelection: of many records the rows that are kept lie beside each other as they came, and are spread over all of them.
func TestEvenSelection(t *testing.T) {
	c := adults()
	c.Record.Label = record.Label{Field: "y", Positive: "1"}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	const n = 60_000
	for i := range n {
		number := []byte(strconv.Itoa(i))
		rec := record.Record{HasLabel: true, Positive: i%2 == 0, Weight: 1, Attributes: []record.Value{{Text: []byte([]string{"Male", "Female"}[i%2])}},
			Features: []record.Field{{Name: "number", Text: number, Hash: record.Hash(number)}}}
		s.Add(&rec, nil)
	}
	s.settle()
	number := s.names.Of("number")
	if len(s.rows) > mostRows || len(s.rows) < mostRows/3 || len(number.numbers) != len(s.rows) || s.known != n || s.positive != n/2 {
		t.Fatalf("%d rows, %d numbers, %d labels, %d positive", len(s.rows), len(number.numbers), s.known, s.positive)
	}
	var want []float64 // of rank s.least or more
	for i := range n {
		if bits.TrailingZeros64(record.Mix(math.MaxUint64, uint64(i+1))) >= s.least {
			want = append(want, float64(i))
		}
	}
	if s.least == 0 || !slices.Equal(number.numbers, want) {
		t.Errorf("%d rows are kept, and %d have the rank %d", len(number.numbers), len(want), s.least)
	}
	early := 0
	for r, x := range number.numbers {
		if s.rows[r].positive != (int(x)%2 == 0) || r > 0 && x <= number.numbers[r-1] {
			t.Fatalf("row %d has the number %v and the label %v", r, x, s.rows[r].positive)
		}
		if x < n/2 {
			early++
		}
	}
	if share := float64(early) / float64(len(s.rows)); share < .45 || share > .55 {
		t.Errorf("%v of the rows are of the first half", share)
	}
	if words := s.columnsWords(s.tell(s.labels, isFeature)); !strings.Contains(words, "1 column") {
		t.Error(words)
	}
}
