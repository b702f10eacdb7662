package features

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// Once nothing is new, neither half of the encoder allocates, with every kind of column.
func TestEncodeAllocatesNothing(t *testing.T) {
	l := learnt(20000)
	random := rand.New(rand.NewPCG(3, 3))
	var records []record.Record
	for range 500 {
		records = append(records, record.Record{Features: everyRecord(random)})
	}
	var row Row
	for name, encode := range map[string]func(r *record.Record){
		"Learning": func(r *record.Record) { l.Encode(&row, r); l.Reveal(0, .25, 1) },
		"Frozen":   func(r *record.Record) { l.Frozen.Encode(&row, r) },
	} {
		pass := func() {
			for i := range records {
				encode(&records[i])
			}
		}
		if n := testing.AllocsPerRun(3, pass); n > 0 {
			t.Errorf("%s: %v allocations in %d records", name, n, len(records))
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	l := learnt(20000)
	random := rand.New(rand.NewPCG(3, 3))
	var records []record.Record
	for range 1000 {
		records = append(records, record.Record{Features: everyRecord(random)})
	}
	var row Row
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.Encode(&row, &records[i%len(records)])
		l.Reveal(.1, .25, 1)
	}
}
