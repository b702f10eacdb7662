package release_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// A version becomes stable once the records after its freeze show that its groups are treated alike, and that it is useful.
func Example() {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05, Enforce: true, Rest: true,
		Group: []fairness.Term{fairness.Is("sex", "female")}}})
	if err != nil {
		panic(err)
	}
	machine, err := release.New(release.Config{}, grouper)
	if err != nil {
		panic(err)
	}
	machine.Offer(release.Version{Term: 1, Version: 2000, SHA256: "5d41"}, release.Integrity{GoldenRows: 8, GoldenEqual: 8, Bytes: 4096})

	random := rand.New(rand.NewPCG(1, 1))
	female := grouper.Level(0, []byte("female"))
	for number := int64(1); number <= 10_000; number++ {
		probability := random.Float64()
		record := release.Record{Number: number, Levels: []fairness.Level{fairness.OtherLevel}, Labelled: true, Label: random.Float64() < probability}
		if random.Float64() < 0.3 {
			record.Levels[0] = female
		}
		for range machine.Wanted() { // the candidate, which knows the probability
			record.Decisions = append(record.Decisions, release.Decision{Known: true, Positive: probability > 0.5, Score: probability})
		}
		machine.Observe(&record)
		for _, step := range machine.Steps() {
			fmt.Printf("%s %s %q\n", step.Kind, step.Version, step.Reason)
		}
	}
	fmt.Println("stable:", machine.Aliases().Stable)

	// Output:
	// frozen 1/2000 ""
	// promoted 1/2000 "it passed every test"
	// stable: 1/2000
}
