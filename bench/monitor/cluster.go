package main

import (
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// clustered is what a monitor says of a stream of people.
type clustered struct {
	totals, equal bool    // it once said violated
	alarm         int     // the first record with an alarm for a promise of 5,000, or the records of the stream
	warned        float64 // share of the looks with the condition of repeated records
}

// watched monitors one stream, which ends at so many records. Each record has an identifier of its own, and the Kafka key of the person.
func (s study) watched(from people, seed uint64, cluster string, records int, runLength float64) (c clustered) {
	about := comparison
	about.Group, about.Versus = []fairness.Term{fairness.Is("side", "group")}, []fairness.Term{fairness.Is("side", "versus")}
	grouper, err := fairness.NewGrouper([]fairness.Comparison{about})
	if err != nil {
		panic(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: "study"}, Grouper: grouper, Look: 16, RunLength: runLength, Cluster: cluster})
	if err != nil {
		panic(err)
	}
	levels := map[fairness.Side][]fairness.Level{fairness.Group: {grouper.Level(0, []byte("group"))}, fairness.Versus: {grouper.Level(0, []byte("versus"))}}
	random, next := rand.New(rand.NewPCG(seed, 6)), from.persons()
	looks := 0
	for record := range records {
		side, positive, person := next(random)
		d := monitor.Decision{Levels: levels[side], Positive: positive, Person: person, Identity: person}
		m.Observe(&d)
		if c.alarm == 0 && m.Alarmed(0) {
			c.alarm = record + 1
		}
		if record%16 != 15 {
			continue
		}
		looks++
		seen := m.Seen(0)
		c.totals = c.totals || comparison.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: level}).Status == fairness.Violated
		c.equal = c.equal || m.Verdict(0) == fairness.Violated
		if m.Repeats().Found {
			c.warned++
		}
	}
	c.warned /= float64(max(1, looks))
	if c.alarm == 0 {
		c.alarm = records
	}
	return c
}

// writeCluster prints what the key of a person does to the verdict, to alarms and to the condition.
func (s study) writeCluster(p *printer) {
	p.say("\n| records of a person | share of the group | monitor.cluster | ever violated: totals | at equal time | looks with `repeated_records` | measured run length for a promise of 5,000 |\n|---|---|---|---|---|---|---|\n")
	for _, from := range []people{{1, 0, .5}, {1, 0, .1}, {4, .3, .5}, {4, .3, .1}, {5, 1, .5}, {5, 1, .1}, {20, 1, .5}} {
		for _, cluster := range []string{"", "person"} {
			var totals, equal int
			warned := 0.0
			for _, c := range parallel(s.runs, func(i int) clustered { return s.watched(from, uint64(i), cluster, s.records, runLength) }) {
				if c.totals {
					totals++
				}
				if c.equal {
					equal++
				}
				warned += c.warned / float64(s.runs)
			}
			length, runs := 0, max(10, s.runs/4)
			for _, c := range parallel(runs, func(i int) clustered { return s.watched(from, uint64(i), cluster, 5*s.records, 5000) }) {
				length += c.alarm
			}
			all, paired := s.cell(totals, s.runs), s.cell(equal, s.runs)
			p.say("| %d, %v alike | %v | %s | %.3f (≤ %.3f) | %.3f (≤ %.3f) | %.4f | %.0f |\n", from.records, from.alike, from.share, cluster,
				all.value, all.hi, paired.value, paired.hi, warned, float64(length)/float64(runs))
		}
	}
}
