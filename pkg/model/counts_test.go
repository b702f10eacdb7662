package model_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRareCountsArePublishedOnce: the weight of a rare count stands in a document as that of numbers, and not as that of the least one, too. Counts that
// never came say more of what the least one says, to a plain reader as well, and a learner that was saved goes on with them.
func TestRareCountsArePublishedOnce(t *testing.T) {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: model.DefaultLearner()}
	c.Learner.Mode = model.Unconstrained
	random := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	for range 3000 {
		y := random.IntN(2)
		fmt.Fprintf(&text, `{"y":"%d","x":%.2f`, y, random.NormFloat64()+float64(y))
		for word := range 50 {
			if y == word%2 && random.IntN(30) == 0 {
				fmt.Fprintf(&text, `,"word%d":%d`, word, 1+max(0, random.IntN(20)-18))
			}
		}
		text.WriteString("}\n")
	}
	records := decode(t, c, record.JSONLines, text.String())
	l := learn(t, c, records)
	again := restore(t, c, l.AppendState(nil))
	d := documentOf(t, l)
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var plain plainDocument
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	scorer, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	var margins [2][4]float64
	for word := range margins {
		for i, count := range []int{1, 4, 9, 1000} {
			r := decode(t, c, record.JSONLines, fmt.Sprintf(`{"y":"0","x":0,"word%d":%d}`+"\n", word, count))[0]
			margin := scorer.Margin(&r)
			for _, other := range []float64{plain.margin(texts(&r)), l.Margin(&r), again.Margin(&r)} {
				if math.Float64bits(margin) != math.Float64bits(other) {
					t.Fatalf("word %d, %d times: the margins are %v and %v", word, count, margin, other)
				}
			}
			margins[word][i] = margin
		}
		// The roots of the counts, of the last one the bound: 1, 2, 3, 5.
		m := &margins[word]
		if one := m[1] - m[0]; (one > 0) != (word == 1) || math.Abs(m[2]-m[1]-one) > 1e-9 || math.Abs(m[3]-m[2]-2*one) > 1e-9 {
			t.Errorf("word %d, which speaks for %d: margins %v", word, word, m)
		}
	}
	if strings.Contains(string(data), `"text":"1"`) || !strings.Contains(string(data), `"text":"2"`) {
		t.Error("a level is published twice, or those beside it are not")
	}
	for i := range records[:500] {
		l.Learn(&records[i])
		again.Learn(&records[i])
	}
	if documentOf(t, l).WeightsSHA256 != documentOf(t, again).WeightsSHA256 {
		t.Error("a learner that was saved has other weights")
	}
}
