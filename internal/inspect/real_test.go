package inspect_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRealSets: of real records that nobody changed, and of random parts of them, nothing is said that is not true.
func TestRealSets(t *testing.T) {
	for _, set := range realsets.Sets {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			header, rows := realsets.Read(t, set.Name)
			c := config.Default()
			c.Record.Label = record.Label{Field: "label", Positive: record.Text(set.Positive)}
			c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"attribute"}, Group: model.Values(set.Group), Versus: model.Values(set.Versus), Tau: .05}}
			checked := c.WithDefaults().Model()
			for seed := range realsets.Samples(t, "2") {
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
						if !isWise(f, set.Wise) {
							t.Errorf("sample %d of %d records: %s", seed, size, f)
						}
					}
				}
			}
		})
	}
}

func isWise(f find.Finding, wise []string) bool {
	for _, text := range wise {
		if strings.Contains(f.String(), text) {
			return true
		}
	}
	return false
}
