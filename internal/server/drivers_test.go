package server

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestDriversFindTheColumn: of two columns, one stands for the group, and it is what moves the groups apart.
func TestDriversFindTheColumn(t *testing.T) {
	config := model.Config{
		Learner:     model.DefaultLearner(),
		Record:      record.Config{Label: record.Label{Field: "hired", Positive: "yes"}},
		Constraints: []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Criterion: fairness.DemographicParity, Tau: 0.05}},
	}.WithDefaults()
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	d := drivers{print: func(dst, value []byte) ([]byte, error) { return append(dst, value[1:]...), nil }}
	decoder, random := schema.NewDecoder(), rand.New(rand.NewPCG(1, 2))
	var r record.Record
	for range 3000 {
		sex, height, hired := "f", "short", "no"
		if random.Float64() < 0.5 {
			sex = "m"
		}
		if (random.Float64() < 0.9) == (sex == "m") {
			height = "tall"
		}
		if random.Float64() < 0.3 || height == "tall" && random.Float64() < 0.4 {
			hired = "yes"
		}
		value := fmt.Appendf(nil, `{"sex":%q,"height":%q,"shoe":%q,"hired":%q}`, sex, height, fmt.Sprint("s", random.IntN(3)), hired)
		if err := decoder.DecodeJSON(&r, value); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&r)
		d.look(append([]byte{7}, value...))
	}
	if got := d.now(); got != nil {
		t.Errorf("before the first publication: %v", got)
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	d.published(doc)
	found := d.now()
	for end := time.Now().Add(5 * time.Minute); len(found) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		found = d.now()
	}
	if len(found) < 2 || found[0].Column != "height" || found[0].Constraint != "sex" || found[0].Group != "m" || !(found[0].Share > 0.5) {
		t.Errorf("%+v", found)
	}
	if broken := explain(&document.Document{Model: []byte("{}")}, "", nil); broken != nil {
		t.Errorf("of a document that cannot be read: %v", broken)
	}
}
