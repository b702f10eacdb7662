package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// looks are the numbers of records after which the intervals of documents are compared with the truth.
var looks = []int{2_500, 5_000, 10_000, 20_000, 40_000}

// coverageHead names the columns. The truth is the difference of the document's weights on all records of the set, of which
// the stream is drawn with replacement. "Bias" and "error" are of the document's difference; all in standard deviations of
// the labels.
const coverageHead = "| data | tau | records | streams | interval covers | SE | half-width | bias | root mean square error | within tau |\n|---|---|---|---|---|---|---|---|---|---|\n"

// claim is what a document says of its difference, and what is true.
type claim struct{ value, half, truth, tau float64 }

// cover draws streams, and prints how often the intervals of their documents contain the truth.
func (o options) cover(d dataset, records []record.Record, tau float64) (rows string, err error) {
	claims, problems := make([][]claim, o.streams), make([]error, o.streams)
	places := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for at := range places {
				claims[at], problems[at] = o.follow(d, records, tau, at)
			}
		})
	}
	for at := range claims {
		places <- at
	}
	close(places)
	workers.Wait()
	for at, count := range looks {
		covered, within, half, bias, square := 0.0, 0, 0.0, 0.0, 0.0
		for _, of := range claims {
			if problems[0] != nil {
				break
			}
			c := of[at]
			off := c.value - c.truth
			if math.Abs(off) <= c.half {
				covered++
			}
			if math.Abs(c.truth) <= c.tau {
				within++
			}
			half, bias, square = half+c.half, bias+off, square+off*off
		}
		n := float64(o.streams)
		rows += fmt.Sprintf("| %s | %v | %d | %d | %.3f | %.3f | %.4f | %+.4f | %.4f | %d |\n", d.name, tau, count, o.streams, covered/n,
			math.Sqrt(covered/n*(1-covered/n)/n), half/n, bias/n, math.Sqrt(square/n), within)
	}
	return rows, errors.Join(problems...)
}

func (o options) follow(d dataset, records []record.Record, tau float64, stream int) (claims []claim, err error) {
	unit := spread(records)
	config := d.config(o, tau*unit)
	learner, err := model.New(config)
	if err != nil {
		return nil, err
	}
	all := make([]*record.Record, len(records))
	for i := range records {
		all[i] = &records[i]
	}
	random := rand.New(rand.NewPCG(o.seed, uint64(stream)))
	learnt := 0
	for _, count := range looks {
		for ; learnt < count; learnt++ {
			learner.Learn(all[random.IntN(len(all))])
		}
		doc, err := learner.Document()
		if err != nil {
			return nil, err
		}
		truth, err := evaluate(doc, all)
		if err != nil {
			return nil, err
		}
		e := doc.Constraints[0]
		claims = append(claims, claim{e.Value / unit, (e.Hi - e.Lo) / 2 / unit, truth.Constraints[0].Value / unit, tau})
	}
	return claims, nil
}
