package model_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// A state that is held is the state of its moment, although the learner goes on while another goroutine codes it.
func TestAHeldStateIsThatOfItsMoment(t *testing.T) {
	records := adultRecords(t)
	for _, mode := range allModes {
		for _, learnt := range []int{0, 10, 3000} {
			l := learn(t, adultConfig(mode), records[:learnt])
			want := l.AppendState([]byte("before"))
			appendState := l.Hold()
			got := make(chan []byte)
			go func() { got <- appendState([]byte("before")) }()
			for i := range 2000 {
				l.Learn(&records[3000+i])
			}
			if !bytes.Equal(<-got, want) {
				t.Errorf("%s after %d records: what was held is another state", mode, learnt)
			}
		}
	}
}

// BenchmarkPause measures for how long a learner cannot learn, medians of five: while Hold takes the state, while AppendState does all of it at
// once, and while a document is made.
//
//	go test -run '^$' -bench Pause -benchtime 1x ./pkg/model
func BenchmarkPause(b *testing.B) {
	for _, weights := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(weights), func(b *testing.B) {
			l := learnerOf(b, weights)
			for b.Loop() {
				b.ReportMetric(median(func() { l.Hold() }), "ms-hold")
				b.ReportMetric(median(func() { l.AppendState(nil) }), "ms-state")
				b.ReportMetric(median(func() { documentOf(b, l) }), "ms-document")
			}
			b.ReportMetric(float64(l.Weights()), "weights")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// median is how long the middle one of five runs takes, in milliseconds.
func median(run func()) float64 {
	var took []float64
	for range 5 {
		begin := time.Now()
		run()
		took = append(took, time.Since(begin).Seconds()*1e3)
	}
	slices.Sort(took)
	return took[2]
}

// learnerOf returns a learner that has learnt about so many weights, in twelve columns, and its windows are full.
func learnerOf(b *testing.B, weights int) *model.Learner {
	b.Helper()
	config := adultConfig(model.Adaptive)
	config.Record = record.Config{Label: record.Label{Field: "y", Positive: "1"}}
	config.Learner.Vocabulary.Levels = max(weights, 1000)
	schema, err := config.Schema()
	if err != nil {
		b.Fatal(err)
	}
	l, decoder, random := newLearner(b, config), schema.NewDecoder(), rand.New(rand.NewPCG(1, 2))
	var r record.Record
	for i := range max(60_000, weights/4) {
		line := fmt.Appendf(nil, `{"sex":%q,"y":"%d"`, [...]string{"Male", "Female"}[random.IntN(2)], random.IntN(2))
		for k := range 12 {
			value := (i/2 + k) % (weights/12 + 1) // each in turn
			if i < 3000 {
				value = random.IntN(50) // the columns are categorical
			} else if i%2 == 1 {
				value = random.IntN(weights/12 + 1)
			}
			line = fmt.Appendf(line, `,"f%d":"v%d"`, k, value)
		}
		if err := decoder.DecodeJSON(&r, append(line, '}')); err != nil {
			b.Fatal(err)
		}
		l.Learn(&r)
	}
	return l
}
