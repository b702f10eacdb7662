package fairness_test

import (
	"encoding/json"
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// From the attribute values of records to an estimate.
func Example() {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{
		Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05, Enforce: true,
		Group:  []fairness.Term{fairness.Is("sex", "Male")},
		Versus: []fairness.Term{fairness.Is("sex", "Female")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tally := fairness.NewTally(len(grouper.Comparisons()))
	sides := make([]fairness.Side, len(grouper.Comparisons()))
	levels := make([]fairness.Level, len(grouper.Attributes()))
	count := func(sex string, records, chosen int) {
		for i := range records {
			levels[0] = fairness.MissingLevel
			if sex != "" {
				levels[0] = grouper.Level(0, []byte(sex))
			}
			label, loss, weight := i%4 == 0, 0.5, 1.0
			grouper.Sides(sides, levels, label)
			tally.Add(label, i < chosen, loss, weight, sides)
		}
	}
	count("Male", 600, 240)
	count("Female", 400, 120)
	count("", 10, 5)

	e := tally.Estimates(grouper.Comparisons(), fairness.DefaultOptions())[0]
	fmt.Printf("%s against %s: %.3f (%.3f to %.3f), %s\n", e.Group, e.Versus, e.Value, e.Lo, e.Hi, e.Status)
	fmt.Printf("%d records of unknown %s\n", e.NUnknown, e.Name)
	// Output:
	// Male against Female: 0.100 (0.040 to 0.158), inconclusive
	// 10 records of unknown sex
}

// An intersection against everyone else, with too few records to say anything.
func ExampleComparison_Estimate() {
	comparison := fairness.Comparison{
		Name: "black women", Criterion: fairness.EqualOpportunity, Tau: 0.1,
		Group: []fairness.Term{fairness.Is("sex", "Female"), fairness.Is("race", "Black")},
		Rest:  true,
	}
	var counts fairness.PairCounts
	for i := range 12 {
		counts.Add(fairness.Group, i < 3, 1)
	}
	for i := range 300 {
		counts.Add(fairness.Versus, i < 100, 1)
	}
	e := comparison.Estimate(counts, fairness.DefaultOptions())
	text, err := json.Marshal(e)
	if err != nil {
		fmt.Println(err)
		return
	}
	var row struct {
		Value  *float64 `json:"value"`
		Status string   `json:"status"`
		Reason string   `json:"reason"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(row.Value == nil, row.Status)
	fmt.Println(row.Reason)
	// Output:
	// true not_estimable
	// Female & Black has 12 records with a positive label and needs 30
}

// Published as example (a) of table II in Newcombe (1998): 56/70 − 48/80.
func ExampleNewcombe() {
	lo, hi := fairness.Newcombe(56.0/70, 70, 48.0/80, 80, 0.95)
	fmt.Printf("%.4f to %.4f\n", lo, hi)
	// Output: 0.0524 to 0.3339
}

// A model that meets every constraint by choosing nobody.
func ExampleDetectCollapse() {
	var confusion fairness.Confusion
	for i := range 1000 {
		confusion.Add(i < 240, false, 1)
	}
	collapse := fairness.DetectCollapse(confusion, fairness.DefaultLevel, fairness.DefaultCollapseOptions())
	fmt.Println(collapse.State)
	fmt.Println(collapse.State.Words())
	// Output:
	// constant_decision
	// nearly every record gets the same decision
}

// The standard error behind a safety margin: at 200 and 100 records a difference
// of rates is uncertain by about 0.05.
func ExamplePairCounts_StandardError() {
	var counts fairness.PairCounts
	for i := range 200 {
		counts.Add(fairness.Group, i < 50, 1)
	}
	for i := range 100 {
		counts.Add(fairness.Versus, i < 20, 1)
	}
	fmt.Printf("%.3f with a standard error of %.3f\n", counts.Difference(), counts.StandardError())
	// Output: 0.050 with a standard error of 0.050
}

func ExampleWindow() {
	window := fairness.NewWindow[string](2)
	for _, record := range []string{"a", "b", "c"} {
		if displaced, full := window.Push(record); full {
			fmt.Println("displaced", displaced)
		}
	}
	for record := range window.All() {
		fmt.Println(record)
	}
	// Output:
	// displaced a
	// b
	// c
}
