package heldout_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/heldout"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/record"
)

// recordOf makes a record of one row, whose attribute is one of its columns.
func recordOf(header, row []string, positive string) *record.Record {
	rec := &record.Record{HasLabel: true, Weight: 1}
	for k, name := range header {
		missing := row[k] == "" || row[k] == "?"
		switch name {
		case "label":
			rec.Positive = row[k] == positive
		case "attribute":
			rec.Attributes = []record.Value{{Text: []byte(row[k]), Missing: missing}}
		default:
			rec.Features = append(rec.Features, record.Field{Name: name, Text: []byte(row[k]), Hash: record.Hash([]byte(row[k])), Missing: missing})
		}
	}
	return rec
}

func differences(header []string, learnt, held [][]string, positive string) []string {
	var h heldout.Held
	for _, row := range learnt {
		h.Learnt(recordOf(header, row, positive), []string{"attribute"})
	}
	for _, row := range held {
		h.Hold(recordOf(header, row, positive), []string{"attribute"})
	}
	return h.Differences("label", func(name string) bool { return name != "number" }) // which a learner leaves out
}

// TestHeldOutAtRandom: of records that are held out at random, many or few, nothing is said.
func TestHeldOutAtRandom(t *testing.T) {
	for _, set := range realsets.Sets {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			header, rows := realsets.Read(t, set.Name)
			for seed := range realsets.Samples(t, "1") {
				random := rand.New(rand.NewPCG(seed, 29))
				for _, size := range []int{450, 1200, 6000} {
					random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
					part := rows[:min(size, len(rows))]
					for _, share := range []float64{.5, .2, .8} {
						cut := int(share * float64(len(part)))
						for _, said := range differences(header, part[cut:], part[:cut], set.Positive) {
							t.Errorf("sample %d, %.0f %% of %d records: %s", seed, 100*share, len(part), said)
						}
					}
				}
			}
		})
	}
}

// TestHeldOutOtherwise: what differs in the records that are held out is named, whatever the part they are.
func TestHeldOutOtherwise(t *testing.T) {
	header, all := realsets.Read(t, "adult")
	at := func(name string) int {
		for k, column := range header {
			if column == name {
				return k
			}
		}
		t.Fatal(name)
		return 0
	}
	marital, sex, label, age, hours, weight := at("marital_status"), at("attribute"), at("label"), at("age"), at("hours_per_week"), at("fnlwgt")
	codes := map[int][]string{}
	for _, name := range []string{"education", "occupation", "relationship", "workclass"} {
		texts := map[string]bool{}
		for _, row := range all {
			texts[row[at(name)]] = true
		}
		codes[at(name)] = slices.Sorted(maps.Keys(texts))
	}
	// encode gives codes to the texts of four columns, in the order of the alphabet, or the other way round.
	encode := func(row []string, turned bool) bool {
		for k, texts := range codes {
			code := slices.Index(texts, row[k])
			if turned {
				code = len(texts) - 1 - code
			}
			row[k] = strconv.Itoa(code)
		}
		return true
	}
	for _, c := range []struct {
		name string
		// learn and hold change a row that is learnt or held out, and drop it if they return false.
		learn, hold func(row []string, random *rand.Rand) bool
		copied      float64
		want        string
	}{
		{name: "as they are"},
		{name: "words in lower case, but for few", hold: func(row []string, random *rand.Rand) bool {
			if random.Float64() < .95 {
				row[marital] = strings.ToLower(row[marital])
			}
			return true
		}, want: ` of the records have a text in "marital_status" that no learnt record has`},
		{name: "a category with another name", hold: func(row []string, _ *rand.Rand) bool {
			row[marital] = strings.Replace(row[marital], "Never-married", "Single", 1)
			return true
		}, want: ` of the records have a text in "marital_status" that no learnt record has`},
		{name: "codes that were assigned separately", learn: func(row []string, _ *rand.Rand) bool { return encode(row, false) },
			hold: func(row []string, _ *rand.Rand) bool { return encode(row, true) }, want: `were they assigned separately for each file?`},
		{name: "copies, rounded", hold: func(row []string, _ *rand.Rand) bool {
			row[weight] = row[weight][:len(row[weight])-3] + "000"
			return true
		}, copied: .35, want: ` of the records are probably copies of learnt ones: far more than by chance, they equal one in every field but "fnlwgt" and "number"`},
		{name: "rounded alone", hold: func(row []string, _ *rand.Rand) bool {
			row[weight] = row[weight][:len(row[weight])-3] + "000"
			return true
		}},
		{name: "a wider label", hold: func(row []string, random *rand.Rand) bool {
			if random.Float64() < .4 {
				row[label] = ">50K"
			}
			return true
		}, want: ` of the labels in "label" are positive, compared with 2`},
		{name: "learnt from as many of each label", learn: func(row []string, random *rand.Rand) bool {
			return row[label] == ">50K" || random.Float64() < .3
		}, want: ` of the labels in "label" are positive, compared with `},
		{name: "women without an attribute", hold: func(row []string, random *rand.Rand) bool {
			if row[sex] == "Female" && random.Float64() < .6 {
				row[sex] = ""
			}
			return true
		}, want: `"attribute" is missing in `},
		{name: "two columns exchanged", hold: func(row []string, _ *rand.Rand) bool {
			row[age], row[hours] = row[hours], row[age]
			return true
		}, want: `"age" and "hours_per_week" seem to be swapped: `},
		{name: "older people", hold: func(row []string, random *rand.Rand) bool {
			return row[age] > "35" || random.Float64() < .1
		}, want: ` have another distribution than when they were learnt: are they about the same kind of people`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range realsets.Samples(t, "2") {
				random := rand.New(rand.NewPCG(seed, 31))
				for _, size := range []int{2500, 9000} {
					order := random.Perm(len(all))[:size]
					var learnt, held [][]string
					add := func(to [][]string, k int, change func([]string, *rand.Rand) bool) [][]string {
						row := append(append([]string(nil), all[k]...), fmt.Sprint(len(to)))
						if change != nil && !change(row, random) {
							return to
						}
						return append(to, row)
					}
					for i, k := range order {
						if i < size*7/10 {
							learnt = add(learnt, k, c.learn)
							continue
						}
						if random.Float64() < c.copied {
							k = order[random.IntN(size*7/10)]
						}
						held = add(held, k, c.hold)
					}
					said := differences(append(append([]string(nil), header...), "number"), learnt, held, ">50K")
					if c.want == "" && len(said) > 0 || c.want != "" && !strings.Contains(strings.Join(said, "\n"), c.want) {
						t.Errorf("sample %d of %d records: %q", seed, size, said)
					}
				}
			}
		})
	}
}
