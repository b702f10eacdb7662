package model_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// loans are decisions of a bank on 400 applicants.
func loans() (model.Config, string) {
	config := model.Config{
		Record:  record.Config{Label: record.Label{Field: "repaid", Positive: "yes"}},
		Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{
			Name: "age", Attribute: model.OneOrMore{"age"}, Group: model.Values("old"), Versus: model.Values("young"),
			Criterion: fairness.DemographicParity, Tau: .1,
		}},
	}
	config.Learner.Warmup = 100
	var lines strings.Builder
	for i := range 400 {
		age, income, repaid := "young", 20+(i*7)%30, "no"
		if i%2 == 0 {
			age, income = "old", income+10
		}
		if income+(i*13)%20 > 45 {
			repaid = "yes"
		}
		fmt.Fprintf(&lines, `{"age":%q,"income":%d,"job":"j%d","repaid":%q}`+"\n", age, income, i%3, repaid)
	}
	return config, lines.String()
}

// Records are learnt one by one; what would be published now can be asked for at any time.
func Example_learn() {
	config, lines := loans()
	schema, err := config.Schema()
	if err != nil {
		log.Fatal(err)
	}
	learner, err := model.New(config)
	if err != nil {
		log.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var applicant record.Record
	for line := range strings.Lines(lines) {
		if err := decoder.DecodeJSON(&applicant, []byte(line)); err != nil {
			fmt.Println("rejected:", err)
			continue
		}
		learner.Learn(&applicant)
	}
	d, err := learner.Document()
	if err != nil {
		log.Fatal(err)
	}
	data, err := d.Encode() // what goes to the model topic
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("version %d, a hash of %d digits, JSON: %t\n", d.Version, len(d.WeightsSHA256), data[0] == '{')
	for _, row := range d.Constraints {
		fmt.Printf("%s: %s against %s, %d and %d records\n", row.Criterion, row.Group, row.Versus, row.NGroup, row.NVersus)
	}
	// Output:
	// version 400, a hash of 64 digits, JSON: true
	// demographic-parity: old against young, 200 and 200 records
}

// A document decides with nothing else needed, and explains its weights.
func ExampleDocument_Scorer() {
	config, lines := loans()
	published, err := publish(config, lines)
	if err != nil {
		log.Fatal(err)
	}
	d, err := document.Parse(published)
	if err != nil {
		log.Fatal(err)
	}
	schema, err := d.Schema()
	if err != nil {
		log.Fatal(err)
	}
	classifier, err := d.Classifier()
	if err != nil {
		log.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var applicant record.Record
	for _, line := range []string{`{"income":60,"job":"j1"}`, `{"income":21,"job":"j1"}`, `{"income":"12","job":"j1","hobby":"chess"}`} {
		if err := decoder.DecodeJSON(&applicant, []byte(line)); err != nil {
			log.Fatal(err)
		}
		fmt.Println(line, "->", classifier.Decide(&applicant).Positive)
	}
	// Output:
	// {"income":60,"job":"j1"} -> true
	// {"income":21,"job":"j1"} -> false
	// {"income":"12","job":"j1","hobby":"chess"} -> false
}

// publish learns lines and returns the document's JSON.
func publish(config model.Config, lines string) ([]byte, error) {
	schema, err := config.Schema()
	if err != nil {
		return nil, err
	}
	learner, err := model.New(config)
	if err != nil {
		return nil, err
	}
	decoder := schema.NewDecoder()
	var applicant record.Record
	for line := range strings.Lines(lines) {
		if err := decoder.DecodeJSON(&applicant, []byte(line)); err != nil {
			return nil, err
		}
		learner.Learn(&applicant)
	}
	d, err := learner.Document()
	if err != nil {
		return nil, err
	}
	return d.Encode()
}

// A learner that is restored goes on as if it had never stopped.
func ExampleRestore() {
	config, _ := loans()
	learner, err := model.New(config)
	if err != nil {
		log.Fatal(err)
	}
	state := learner.AppendState(nil)
	config.Constraints[0].Tau = .05 // may change on the way
	if _, err := model.Restore(config, state); err != nil {
		log.Fatal(err)
	}
	config.Learner.Mode = model.Unconstrained // may not
	_, err = model.Restore(config, state)
	fmt.Println(err)
	// Output:
	// model: the state was learnt with another learner.mode: set it back, or start over with `fairstream state reset`
}
