package onnx

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// readable writes a message of ONNX as text: nested fields by their numbers, texts, and tensors as numbers.
func readable(to *strings.Builder, indent string, data []byte) bool {
	var text strings.Builder
	for rest := data; len(rest) > 0; {
		number, kind, n := protowire.ConsumeTag(rest)
		if n < 0 || number > 64 {
			return false
		}
		rest = rest[n:]
		switch kind {
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(rest)
			if n < 0 {
				return false
			}
			fmt.Fprintf(&text, "%s%d: %d\n", indent, number, int64(v))
			rest = rest[n:]
		case protowire.BytesType:
			v, n := protowire.ConsumeBytes(rest)
			if n < 0 {
				return false
			}
			rest = rest[n:]
			printable := strings.IndexFunc(string(v), func(r rune) bool { return !unicode.IsPrint(r) }) < 0
			var below strings.Builder
			switch {
			case number == 9 && len(v)%8 == 0: // a tensor of numbers
				fmt.Fprintf(&text, "%s%d:", indent, number)
				for i := 0; i < len(v); i += 8 {
					bits, _ := protowire.ConsumeFixed64(v[i:])
					if n := int64(bits); n > -1<<32 && n < 1<<32 {
						fmt.Fprintf(&text, " %d", n)
					} else {
						fmt.Fprintf(&text, " %v", math.Float64frombits(bits))
					}
				}
				text.WriteString("\n")
			case !printable && readable(&below, indent+" ", v):
				fmt.Fprintf(&text, "%s%d:\n%s", indent, number, below.String())
			default:
				fmt.Fprintf(&text, "%s%d: %q\n", indent, number, v)
			}
		default:
			return false
		}
	}
	to.WriteString(text.String())
	return true
}

// TestGraphs compares the graph of every encoding with a file. What such graphs compute is compared with a runtime of ONNX by
// clients/python/tests/test_onnx.py. With UPDATE=1 in the environment it writes the files.
func TestGraphs(t *testing.T) {
	token := func(text string) uint64 { return record.Hash([]byte(text)) }
	bins := features.Binning{Edges: []float64{1, 2.5}, Coarse: []int32{0, 0, 1}, Single: []bool{false, false, false}}
	cross := features.CrossSlot(0)
	// crossed is a cross of texts and another column, of which one level is x or y beside the token.
	crossed := func(text string, token uint64, b features.Column, levels ...features.Level) features.Parts {
		b.Name = "b"
		key := cross.Key(cross.Key(record.Hash([]byte(text))) ^ token)
		return features.Parts{Columns: []features.Column{categorical("a"), b}, Crosses: [][]string{{"a", "b"}}, Size: 6,
			Levels: append(levels, features.Level{Slot: cross, Key: key, Weight: 2, Text: text + " & 7"})}
	}
	levelled, x := features.Column{Kind: features.Levelled}, features.Level{Weight: 1, Text: "x"}
	more := map[string]string{
		"missing numbers": `,"missing":["-9","NA","-0","007"]`, "no missing texts": `,"missing":[]`,
		"times": `,"times":[{"field":"at","parts":["hour","weekday"]}]`,
	}
	for name, parts := range map[string]features.Parts{
		"texts": {Columns: []features.Column{{Name: "a", Kind: features.Levelled, Missing: 1}, {Name: "b", Kind: features.Levelled}}, Size: 5,
			Levels: []features.Level{{Weight: 2, Text: "x"}, {Weight: 3, Text: "y"}, {Slot: features.ColumnSlot(1), Weight: 4, Text: "x"}}},
		"bins":         {Columns: []features.Column{{Name: "a", Kind: features.Binned, NumberLevels: true, Binning: bins, First: 1, FirstCoarse: 4, Missing: 6}}, Size: 8, Levels: []features.Level{{Weight: 7, Text: "39"}}},
		"linear":       {Columns: []features.Column{{Name: "a", Kind: features.Binned, Binning: bins, First: 1, Linear: 4, Low: 0, High: 9, Mean: 1.5, Scale: .25, SquareRoots: 1, Missing: 5}}, Size: 6},
		"knots":        {Columns: []features.Column{{Name: "a", Kind: features.Interpolated, Knots: []float64{-1, 0, 4}, First: 1, Missing: 4}}, Size: 5},
		"one knot":     {Columns: []features.Column{{Name: "a", Kind: features.Interpolated, Knots: []float64{2}, First: 1}}, Size: 2},
		"standardized": {Columns: []features.Column{{Name: "a", Kind: features.Scaled, First: 1, Mean: 3, Scale: .5, Missing: 2}}, Size: 3},
		"crosses": {Columns: []features.Column{categorical("a"), {Name: "b", Kind: features.Binned, NumberLevels: true, Binning: bins}}, Crosses: [][]string{{"a", "b"}, {"a", "absent"}}, Size: 4,
			Levels: []features.Level{{Weight: 1, Text: "x"}, {Slot: features.ColumnSlot(1), Weight: 2, Text: "39"}, {Slot: cross, Key: cross.Key(cross.Key(token("x")) ^ 3), Weight: 3, Text: "x & >= 1"}}},
		"cross of standardized": crossed("x", firstBinToken, features.Column{Kind: features.Scaled, First: 3, Mean: 3, Scale: .5}, x),
		"cross of knots":        crossed("x", firstBinToken+1, features.Column{Kind: features.Interpolated, Knots: []float64{-1, 0, 4}, First: 3}, x),
		"cross of one knot":     crossed("x", firstBinToken, features.Column{Kind: features.Interpolated, Knots: []float64{2}, First: 3}, x),
		"cross of missing":      crossed("x", missingToken, levelled, x, features.Level{Slot: features.ColumnSlot(1), Weight: 3, Text: "z"}),
		"cross of other texts":  crossed("y", record.Hash([]byte("7")), levelled, x),
		"cross of nothing":      {Columns: []features.Column{categorical("a"), categorical("b")}, Crosses: [][]string{{"a", "b"}}, Size: 2, Levels: []features.Level{x}},
		"missing numbers":       {Columns: []features.Column{{Name: "a", Kind: features.Scaled, First: 1, Mean: 3, Scale: .5, Missing: 2}, {Name: "b", Kind: features.Levelled, Missing: 3}}, Size: 4},
		"no missing texts": {Columns: []features.Column{categorical("a"), categorical("b")}, Crosses: [][]string{{"a", "b"}}, Size: 3,
			Levels: []features.Level{{Slot: cross, Key: cross.Key(cross.Key(0)), Weight: 1, Text: ""}}},
		"times": {Columns: []features.Column{{Name: "at.hour", Kind: features.Scaled, First: 1, Mean: 3, Scale: .5, Missing: 2}, {Name: "at.weekday", Kind: features.Levelled, Missing: 3}, {Name: "b", Kind: features.Levelled, Missing: 4}}, Size: 5},
	} {
		model, err := Model(publishedWith(t, more[name], parts))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var text strings.Builder
		if !readable(&text, "", model) {
			t.Fatalf("%s: no message", name)
		}
		file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txt")
		if os.Getenv("UPDATE") != "" {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if text.String() != string(want) {
			t.Errorf("%s differs; if it should, set UPDATE=1, and compare what the graph computes\n%s", file, text.String())
		}
	}
}
