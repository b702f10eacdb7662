package onnx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// published is a document of an encoder, each weight another number.
func published(t *testing.T, parts features.Parts) *document.Document {
	t.Helper()
	return publishedWith(t, "", parts)
}

// publishedWith has more of the section record.
func publishedWith(t *testing.T, more string, parts features.Parts) *document.Document {
	t.Helper()
	for i := range parts.Levels {
		l := &parts.Levels[i]
		if l.Key == 0 {
			l.Key = l.Slot.Key(record.Hash([]byte(l.Text)))
		}
	}
	encoder, err := features.NewFrozen(parts)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, parts.Size)
	for i := range weights {
		weights[i] = 1 + float64(i)/8
	}
	d, err := document.New(document.Classification, encoder.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	config := `{"record":{"label":{"field":"y","positive":"1"}` + more + `},"learner":{"level":0.9,"minimum_records":5,"window":256},"constraints":[]}`
	if d.Config, err = document.NewConfig([]byte(config)); err != nil {
		t.Fatal(err)
	}
	if d.Probability, err = document.NewProbability(encoder.Parts(), weights); err != nil {
		t.Fatal(err)
	}
	return d
}

func categorical(name string) features.Column {
	return features.Column{Name: name, Kind: features.Levelled}
}

func binned(name string) features.Column {
	return features.Column{Name: name, Kind: features.Binned, NumberLevels: true,
		Binning: features.Binning{Edges: []float64{1}, Coarse: []int32{0, 1}, Single: []bool{false, false}}}
}

// TestRefusals: what a graph cannot express is refused by name, with the key that avoids it.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		parts features.Parts
		want  []string
	}{
		"no columns": {features.Parts{Size: 1}, []string{"no columns yet"}},
		"buckets": {features.Parts{Columns: []features.Column{categorical("a")}, Shared: 1, Buckets: 4, Size: 5},
			[]string{"share weights by hash", "learner.vocabulary.levels"}},
		"a long text": {features.Parts{Columns: []features.Column{categorical("a")}, Levels: []features.Level{{Weight: 1, Key: 7, Text: "long…"}}, Size: 2},
			[]string{`column "a"`, "64 bytes", "record.ignore"}},
		"a text among numbers": {features.Parts{Columns: []features.Column{binned("a")}, Levels: []features.Level{{Weight: 1, Text: "many"}}, Size: 2},
			[]string{`column "a"`, "record.missing", "learner.columns.a.type"}},
		"a number in an odd way": {features.Parts{Columns: []features.Column{binned("a")}, Levels: []features.Level{{Weight: 1, Text: "039"}}, Size: 2},
			[]string{`column "a"`, "learner.columns.a.type"}},
		"a number in two ways": {features.Parts{Columns: []features.Column{binned("a")},
			Levels: []features.Level{{Weight: 1, Text: "1e+06"}, {Weight: 2, Text: "1000000"}}, Size: 3},
			[]string{`column "a"`, "two weights", "learner.columns.a.type"}},
		"a combination that is not spelt out": {features.Parts{Columns: []features.Column{categorical("a"), categorical("b")}, Crosses: [][]string{{"a", "b"}},
			Levels: []features.Level{{Slot: features.CrossSlot(0), Key: 99, Weight: 1, Text: "x & y"}}, Size: 2},
			[]string{"cross of a, b", "1 of its 1", "learner.crosses"}},
		"one of three combinations that is spelt out": {features.Parts{Columns: []features.Column{categorical("a"), categorical("b")}, Crosses: [][]string{{"a", "b"}}, Levels: []features.Level{
			{Slot: features.CrossSlot(0), Key: features.CrossSlot(0).Key(features.CrossSlot(0).Key(record.Hash([]byte("x"))) ^ record.Hash([]byte("y"))), Weight: 1, Text: "x & y"},
			{Slot: features.CrossSlot(0), Key: 98, Weight: 2, Text: "x & z"}, {Slot: features.CrossSlot(0), Key: 99, Weight: 3, Text: "x & y & z"}}, Size: 4},
			[]string{"cross of a, b", "2 of its 3"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Model(published(t, test.parts))
			if err == nil {
				t.Fatal("it was exported")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
		})
	}
}

// TestModel: the message can be read to its end, has the metadata, and is the same each time. test_onnx.py compares its margins.
func TestModel(t *testing.T) {
	token := func(text string) uint64 { return record.Hash([]byte(text)) }
	slot := features.CrossSlot(0)
	combined := slot.Key(slot.Key(token("x")) ^ 3)
	d := published(t, features.Parts{Columns: []features.Column{categorical("a"), binned("b")}, Crosses: [][]string{{"a", "b"}, {"a", "absent"}},
		Levels: []features.Level{
			{Weight: 1, Text: "x"}, {Slot: features.ColumnSlot(1), Weight: 2, Text: "39"},
			{Slot: slot, Key: combined, Weight: 3, Text: "x & >= 1"},
		}, Size: 4})
	first, err := Model(d)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Model(d)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two exports differ: %v", err)
	}
	fields := map[protowire.Number]int{}
	for rest := first; len(rest) > 0; {
		number, kind, n := protowire.ConsumeTag(rest)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		size := protowire.ConsumeFieldValue(number, kind, rest[n:])
		if size < 0 {
			t.Fatal(protowire.ParseError(size))
		}
		fields[number]++
		rest = rest[n+size:]
	}
	if want := map[protowire.Number]int{1: 1, 2: 1, 4: 1, 5: 1, 7: 1, 8: 2, 14: 4}; fmt.Sprint(fields) != fmt.Sprint(want) {
		t.Errorf("fields of the model: %v, want %v", fields, want)
	}
	if hash, _ := json.Marshal(d.WeightsSHA256); !bytes.Contains(first, bytes.Trim(hash, `"`)) {
		t.Error("the hash of the weights is not in the model")
	}
}

// TestCombinations: how many are searched for, and how large the table of a cross may become.
func TestCombinations(t *testing.T) {
	of := func(n int) []uint64 { return make([]uint64, n) }
	if _, err := combinations(features.CrossSlot(0), [][]uint64{of(5000), of(4001)}, nil); err == nil || err.Error() != "it has more than 20000000 combinations" {
		t.Error(err)
	}
	for n, want := range map[int]bool{mostCells - 1: true, mostCells: false} {
		e := &exporter{weights: [][]float64{{1, 2}}}
		if err := e.addCombinations([]string{"a"}, []value{"a"}, [][]uint64{of(n)}, []combination{{[]int{n - 1}, 1}}); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "the cross of a needs a table of more than 4000000 cells") {
			t.Errorf("%d tokens: %v", n, err)
		}
	}
}
