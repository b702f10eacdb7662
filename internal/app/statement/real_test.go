package statement

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect/realsets"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRealSets: of real records that nobody changed, in random parts of them and without some columns, nothing is asked, and nothing is said to change on the way.
func TestRealSets(t *testing.T) {
	for _, set := range realsets.Sets {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			header, rows := realsets.Read(t, set.Name)
			c := config.Default()
			c.Record.Label = record.Label{Field: "label", Positive: record.Text(set.Positive)}
			c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"attribute"}, Group: model.Values(set.Group), Versus: model.Values(set.Versus), Tau: .05}}
			checked := c.WithDefaults().Model()
			for seed := range realsets.Samples(t, "1") {
				random := rand.New(rand.NewPCG(seed, 11))
				for _, size := range []int{500, 2000, 8000} {
					if size > len(rows) {
						continue
					}
					left := map[string]bool{}
					for _, name := range header {
						left[name] = name != "label" && name != "attribute" && size < 8000 && random.Float64() < .2
					}
					var some []map[string]string
					for _, at := range random.Perm(len(rows))[:size] {
						row := map[string]string{}
						for k, name := range header {
							if !left[name] {
								row[name] = rows[at][k]
							}
						}
						some = append(some, row)
					}
					var text strings.Builder
					questions := of(t, checked, some).Write(&text)
					words := strings.ReplaceAll(text.String(), "\n  ", " ")
					if questions > 0 || strings.Contains(words, "- Parts:") || strings.Contains(words, "on the way, by more than chance") {
						t.Errorf("sample %d of %d records: %d questions\n%s", seed, size, questions, words)
					}
				}
			}
		})
	}
}
