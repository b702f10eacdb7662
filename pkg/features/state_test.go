package features

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// everyKind has a column of every kind, levels beyond the limit, a cross and candidates under test.
func everyKind() Config {
	return Config{
		Columns: map[string]ColumnConfig{
			"knots": {Type: Numeric, Encoding: PiecewiseLinear}, "scaled": {Type: Numeric, Encoding: Standardized}, "words": {Type: Categorical}},
		Crosses:    [][]string{{"bins", "words"}},
		Vocabulary: VocabularyConfig{Levels: 24, Buckets: 4, Columns: 6},
	}
}

func everyRecord(random *rand.Rand) []record.Field {
	number := func(n int) string { return fmt.Sprint(random.IntN(n)) }
	pairs := []string{"bins", number(60), "knots", number(90), "scaled", number(40), "words", "w" + number(30)}
	if random.IntN(4) == 0 {
		pairs[2*random.IntN(4)+1] = "?"
	}
	if random.IntN(9) == 0 {
		pairs = append(pairs, "late", number(5), "later", "l"+number(3), "never", "x")
	}
	return fields(pairs...)
}

// learnt returns an encoder after some records, with labels that call for some candidates.
func learnt(records int) *Learning { return learntWith(everyKind(), records) }

func learntWith(settings Config, records int) *Learning {
	random := rand.New(rand.NewPCG(21, 4))
	l := NewLearning(settings)
	var row Row
	for i := range records {
		r := everyRecord(random)
		if i < 100 {
			l.Observe(r)
			if i == 99 {
				l.Infer()
			}
			continue
		}
		l.Encode(&row, &record.Record{Features: r})
		l.Reveal(random.Float64()-.2, .25, 1)
	}
	return l
}

func write(l *Learning) []byte {
	s := codec.NewWriter(nil)
	l.Fields(s)
	return s.Bytes()
}

func read(data []byte) (*Learning, error) {
	l := NewLearning(everyKind())
	s := codec.NewReader(data)
	l.Fields(s)
	return l, s.End()
}

// An encoder that was saved and read, at any time, encodes and learns as the one that went on.
func TestSavedEncodersGoOn(t *testing.T) {
	for _, records := range []int{0, 50, 101, 400, 3000} {
		first := learnt(records)
		saved := write(first)
		second, err := read(saved)
		if err != nil {
			t.Fatalf("after %d records: %v", records, err)
		}
		if !bytes.Equal(write(second), saved) {
			t.Errorf("after %d records: what was read is written differently", records)
		}
		first.Infer()
		second.Infer()
		random := rand.New(rand.NewPCG(5, uint64(records)))
		for i := range 2000 {
			r, residual := everyRecord(random), random.Float64()-.2
			if a, b := encoded(first, true, r), encoded(second, true, r); a != b {
				t.Fatalf("record %d after %d is %s, and %s once saved and read", i, records, a, b)
			}
			first.Reveal(residual, .25, 1)
			second.Reveal(residual, .25, 1)
		}
		if !bytes.Equal(write(first), write(second)) {
			t.Errorf("after %d records and 2,000 more the states differ", records)
		}
	}
}

// Every cut of a state is refused; damage is refused, or leads to an encoder that works.
func TestDamagedEncoders(t *testing.T) {
	saved := write(learnt(2000))
	for n := 0; n < len(saved); n += 1 + len(saved)/500 {
		if _, err := read(saved[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are taken", n, len(saved))
		}
	}
	random := rand.New(rand.NewPCG(8, 8))
	taken := 0
	for range 2000 {
		damaged := bytes.Clone(saved)
		damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		if tryEncoder(damaged) {
			taken++
		}
	}
	if taken == 0 {
		t.Error("no damaged state was taken: the test looks at nothing")
	}
}

// tryEncoder uses an encoder as a program would, and says whether its state was taken.
func tryEncoder(state []byte) bool {
	l, err := read(state)
	if err != nil {
		return false
	}
	random := rand.New(rand.NewPCG(9, 9))
	var row Row
	for range 30 {
		l.Encode(&row, &record.Record{Features: everyRecord(random)})
		l.Reveal(.5, .25, 1)
		for _, j := range row.Index {
			if j < 0 || j >= l.Size() {
				panic("an index without a weight")
			}
		}
	}
	l.Groups(func(group int, from, to int32) {
		if group < 0 || group >= l.GroupCount() || from < 0 || to > l.Size() {
			panic("a group without weights")
		}
	})
	l.Owners(nil)
	write(l)
	return true
}

func FuzzEncoderState(f *testing.F) {
	f.Add(write(learnt(0)))
	f.Add(write(learnt(60)))
	f.Add(write(learnt(600)))
	f.Fuzz(func(_ *testing.T, state []byte) { tryEncoder(state) })
}
