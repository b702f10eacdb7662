package main

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

func grouper() *fairness.Grouper {
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: tau, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		panic(err)
	}
	return g
}

var sound = release.Integrity{GoldenRows: 8, GoldenEqual: 8, Bytes: 1000}

func ver(n int) release.Version { return release.Version{Term: 1, Version: int64(n), SHA256: fmt.Sprint(n)} }

func trial(l *law, seed uint64, first, v version, conf release.Config) (release.StepKind, int) {
	m, err := release.New(conf, grouper())
	if err != nil {
		panic(err)
	}
	s := newStream(l, seed)
	s.versions[ver(1)], s.versions[ver(2)] = first, v
	if err := m.Command(release.Command{ID: "x", Action: release.Promote, Version: ver(1), Actor: "a", Reason: "b"}); err != nil {
		panic(err)
	}
	m.Offer(ver(2), sound)
	m.Steps()
	for n := range 100_100 {
		m.Observe(s.next(m.Wanted()))
		if m.HasSteps() {
			for _, st := range m.Steps() {
				if st.Kind == release.Promoted || st.Kind == release.Rejected {
					return st.Kind, n + 1
				}
			}
		}
	}
	return "", 0
}

func main() {
	l := newLaw()
	w := l.worse(0.01)
	fmt.Println("centre", l.centre, "loss", l.logLoss(noise), "noise worse", w, l.logLoss(w))
	for _, c := range []struct {
		name string
		v    version
	}{{"good +.04", version{noise, 0.04}}, {"good -.04", version{noise, -0.04}}, {"bad .10", version{noise, 0.10}}, {"bad -.10", version{noise, -0.10}}, {"bad loss", version{w, 0.03}}} {
		var prom, at40 int
		var lens []int
		const runs = 60
		for i := range runs {
			k, n := trial(l, uint64(i), version{noise, 0.04}, c.v, release.Config{})
			if k == release.Promoted {
				prom++
				if n <= 40000 {
					at40++
				}
			}
			lens = append(lens, n)
		}
		fmt.Println(c.name, "promoted", prom, "by 40k", at40, "of", runs, "median", median(lens))
	}
}
