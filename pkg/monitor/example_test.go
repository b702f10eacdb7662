package monitor_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Another model decides positively about 30 % of the men and, from record 10,000 on, about 10 % of the women.
func Example() {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05,
		Group: []fairness.Term{fairness.Is("sex", "female")}, Versus: []fairness.Term{fairness.Is("sex", "male")}}})
	if err != nil {
		panic(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: "scores", Kind: monitor.External}, Grouper: grouper})
	if err != nil {
		panic(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	female, male := grouper.Level(0, []byte("female")), grouper.Level(0, []byte("male"))
	for i := range 20_000 {
		d := monitor.Decision{Levels: []fairness.Level{male}}
		rate := 0.3
		if random.IntN(10) < 3 {
			d.Levels[0] = female
			if i >= 10_000 {
				rate = 0.1
			}
		}
		d.Positive = random.Float64() < rate
		m.Observe(&d)
	}
	for _, e := range m.Events(0) {
		switch {
		case e.Record <= 10_000: // the verdict was inconclusive, then met
		case e.Kind == monitor.AlarmRaised:
			fmt.Println(e.Record, "an alarm")
		case e.Kind == monitor.VerdictChanged:
			fmt.Println(e.Record, e.To)
		}
	}
	s := m.Report().Comparisons[0].Sequence
	fmt.Printf("%+.3f [%+.3f, %+.3f] over %d decisions: %s\n", s.Value, s.Lo, s.Hi, s.NGroup+s.NVersus, s.Status)
	// Output:
	// 10436 an alarm
	// 10752 inconclusive
	// 14720 violated
	// -0.108 [-0.130, -0.086] over 19575 decisions: violated
}
