package backfill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// history is generated records in files.
type history [][]record.Record

func (h history) Names() (names []string) {
	for i := range h {
		names = append(names, fmt.Sprintf("part-%02d.csv", i))
	}
	return names
}

func (h history) Keys() []string { return h.Names() }

func (h history) Read(ctx context.Context, file int, each func(int64, *record.Record)) error {
	for i := range h[file] {
		each(int64(i), &h[file][i])
	}
	return ctx.Err()
}

// generated returns records whose labels depend on a number and a word, and the word on the group: so decisions differ between groups.
func generated(files, records int) history {
	random := rand.New(rand.NewPCG(7, 7))
	words := []string{"red", "green", "blue", "white"}
	h := make(history, files)
	for i := range files * records {
		group, word := "a", random.IntN(4)
		if random.IntN(3) == 0 {
			group, word = "b", min(word, random.IntN(4))
		}
		number := random.NormFloat64()
		positive := number+float64(word)-1.5+2*random.NormFloat64() > 0
		r := record.Record{HasLabel: true, Positive: positive, Weight: float64(1 + i%3), Time: time.Unix(int64(1_000_000-i), 0).UTC(),
			Features:   []record.Field{field("number", strconv.FormatFloat(number, 'f', 3, 64)), field("word", words[word])},
			Attributes: []record.Value{{Text: []byte(group)}}}
		h[i%files] = append(h[i%files], r)
	}
	return h
}

func field(name, text string) record.Field {
	return record.Field{Name: name, ID: record.NoName, Text: []byte(text), Hash: record.Hash([]byte(text))}
}

func config(relaxation string) model.Config {
	c := model.Config{Learner: model.DefaultLearner(), Constraints: []model.Constraint{{Name: "group", Attribute: model.OneOrMore{"group"},
		Group: model.Values("a"), Versus: model.Values("b"), Criterion: fairness.DemographicParity, Tau: .05}}}
	c.Record.Label = record.Label{Field: "label", Positive: "yes"}
	c.Learner.Warmup, c.Learner.Window = 500, 1024
	if relaxation != "" {
		c.Constraints[0].Relaxation = relaxationOf(relaxation)
	}
	return c
}

// run is a backfill of a history.
func run(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
