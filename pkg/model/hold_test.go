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
			state := l.Hold()
			got := make(chan []byte)
			go func() { got <- append([]byte("before"), bytes.Join(state(), nil)...) }()
			for i := range 2000 {
				l.Learn(&records[3000+i])
			}
			if !bytes.Equal(<-got, want) {
				t.Errorf("%s after %d records: what was held is another state", mode, learnt)
			}
		}
	}
}

// A document that is made of a draft is that of its moment, although the learner goes on while another goroutine makes it: also where the learner
// writes over the records that the document is measured on.
func TestADraftIsOfItsMoment(t *testing.T) {
	records := adultRecords(t)
	for _, mode := range allModes {
		for _, learnt := range []int{0, 10, 3000} {
			config := adultConfig(mode)
			config.Evaluation.Share, config.Learner.Window = .5, 500
			l := learn(t, config, records[:learnt])
			want, err := documentOf(t, l).Encode()
			if err != nil {
				t.Fatal(err)
			}
			draft, err := l.Draft()
			if err != nil {
				t.Fatal(err)
			}
			got := make(chan []byte)
			go func() {
				d, err := draft.Document()
				if err != nil {
					t.Error(err)
				}
				data, err := d.Encode()
				if err != nil {
					t.Error(err)
				}
				got <- data
			}()
			for i := range 2000 {
				l.Learn(&records[3000+i])
			}
			if !bytes.Equal(<-got, want) {
				t.Errorf("%s after %d records: what was drafted is another document", mode, learnt)
			}
		}
	}
}

// A draft gives all columns, and of many levels some: the first ones, and others from the whole list.
func TestLevelsOfADraft(t *testing.T) {
	draft, err := learn(t, adultConfig(model.Adaptive), adultRecords(t)[:3000]).Draft()
	if err != nil {
		t.Fatal(err)
	}
	count := func(most int) (levels int) {
		columns, texts := draft.Levels(most)
		if len(columns) != len(texts) || !slices.Contains(columns, "education") {
			t.Errorf("columns %v", columns)
		}
		for _, of := range texts {
			levels += len(of)
		}
		return levels
	}
	all := count(1 << 20)
	if again := count(all); again != all || all < 60 {
		t.Errorf("%d levels of at most %d", again, all)
	}
	for _, most := range []int{2, 10, 40} {
		if some := count(most); some > most+1 || some < most/2 {
			t.Errorf("%d levels of at most %d", some, most)
		}
	}
}

// BenchmarkPause measures for how long a learner cannot learn, medians of five: while Hold takes the state and Draft what a document needs, and how long
// AppendState and Document take, which do all of it at once.
//
//	go test -run '^$' -bench Pause -benchtime 1x ./pkg/model
func BenchmarkPause(b *testing.B) {
	for _, weights := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(weights), func(b *testing.B) {
			l := learnerOf(b, weights)
			for b.Loop() {
				b.ReportMetric(median(func() { l.Hold() }), "ms-hold")
				b.ReportMetric(median(func() { l.AppendState(nil) }), "ms-state")
				b.ReportMetric(median(func() {
					if _, err := l.Draft(); err != nil {
						b.Fatal(err)
					}
				}), "ms-draft")
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
