// Command learn is a module of its own that learns with pkg/model: loans, whose decisions may differ by 0.05 between two groups.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("m"), model.Values("f")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, 0.05
	config := model.Config{
		Record:      record.Config{Label: record.Label{Field: "repaid", Positive: "yes"}},
		Constraints: []model.Constraint{constraint},
	}
	schema, err := config.Schema()
	if err != nil {
		log.Fatal(err)
	}
	learner, err := model.New(config)
	if err != nil {
		log.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var loan record.Record
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		if err := decoder.DecodeJSON(&loan, application(random)); err != nil {
			log.Fatal(err)
		}
		learner.Learn(&loan)
	}
	document, err := learner.Document()
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range document.Constraints {
		fmt.Printf("%s: %+.2f [%+.2f, %+.2f], %s\n", c.Name, c.Value, c.Lo, c.Hi, c.Status)
	}
	decider, err := document.Decider()
	if err != nil {
		log.Fatal(err)
	}
	decision, err := decider.DecideJSON([]byte(`{"sex":"f","income":55}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("an income of 55: %v\n", decision.Positive)
}

// application is one record: men earn more, and who earns more repays more often.
func application(random *rand.Rand) []byte {
	sex, income, repaid := "f", 30+10*random.NormFloat64(), "no"
	if random.IntN(2) == 0 {
		sex, income = "m", income+10
	}
	if income+15*random.NormFloat64() > 38 {
		repaid = "yes"
	}
	return fmt.Appendf(nil, `{"sex":%q,"income":%.0f,"repaid":%q}`, sex, income, repaid)
}
