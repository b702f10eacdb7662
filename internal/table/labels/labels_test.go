package labels_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/labels"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTelling: a value that only one label has must be frequent, of nearly no other, and had by much of its label, of the rarer one less.
func TestTelling(t *testing.T) {
	for name, c := range map[string]struct {
		records, positive, having, others int
		found                             bool
	}{
		"half of one label":        {2000, 1000, 500, 0, true},
		"too little of the label":  {2000, 1001, 290, 0, false},
		"enough of the rarer":      {2000, 999, 290, 0, true},
		"a few others":             {2000, 1000, 500, 5, true},
		"more others":              {2000, 1000, 500, 6, false},
		"too few records":          {2000, 300, 99, 0, false},
		"what chance brings":       {2000, 1960, 900, 0, false},
		"more than chance brings":  {2000, 1940, 1900, 0, true},
		"nearly all of the rarest": {2000, 150, 140, 0, true},
	} {
		table := tabletest.Made(new(table.Table), c.records, func(i int, _ *rand.Rand) map[string]string {
			row := map[string]string{"a": "x", "label": "0"}
			if i < c.positive {
				row["label"] = "1"
			}
			if row["a"] = tabletest.At(i%2 == 0, "x"); i < c.having || i >= c.positive && i < c.positive+c.others {
				row["a"] = "y"
			}
			return row
		})
		level, positive, found := labels.Telling(table, "a")
		if level.Hash != record.Hash([]byte("y")) {
			found = false // the others have x
		}
		if found != c.found || found && (!positive || level.Rows != c.having+c.others) {
			t.Errorf("%s: %+v, %v, %v", name, level, positive, found)
		}
	}
}

// TestTellingOf: a value that gives one of two groups away, by the values of an attribute; rows of other groups do not count.
func TestTellingOf(t *testing.T) {
	table := tabletest.Made(new(table.Table), 2000, func(i int, _ *rand.Rand) map[string]string {
		row := map[string]string{"a": "no", "b": []string{"f", "m", "m", "other"}[i%4]}
		if row["b"] == "f" && i%8 == 0 || row["b"] == "other" {
			row["a"] = "yes"
		}
		return row
	})
	hashes := func(text string) []uint64 { return []uint64{record.Hash([]byte(text))} }
	level, first, found := labels.TellingOf(table, "a", "b", hashes("f"), hashes("m"))
	if !found || !first || level.Rows != 250 || level.Positive != 250 || level.Hash != record.Hash([]byte("yes")) {
		t.Errorf("%+v, %v, %v", level, first, found)
	}
	if _, first, found := labels.TellingOf(table, "a", "b", hashes("m"), hashes("f")); !found || first {
		t.Errorf("turned: %v, %v", first, found)
	}
	if _, _, found := labels.TellingOf(table, "a", "absent", hashes("f"), hashes("m")); found {
		t.Error("found without the attribute")
	}
}

// TestEnding: the latest rows have one label, more of them than chance brings.
func TestEnding(t *testing.T) {
	for name, c := range map[string]struct {
		share float64 // of positive labels before
		last  int     // of 1000 days, without a positive label
		found bool
	}{
		"a tenth": {.5, 100, true}, "too few": {.5, 15, false}, "a rare label": {.1, 100, false}, "a rare label for longer": {.1, 400, true}, "most of the time": {.5, 600, false},
	} {
		table := tabletest.Made(new(table.Table), 2000, func(i int, r *rand.Rand) map[string]string {
			day := r.IntN(1000)
			row := map[string]string{"a": fmt.Sprint(1_700_000_000 + 86_400*day), "label": "0"}
			if day < 1000-c.last && r.Float64() < c.share {
				row["label"] = "1"
			}
			return row
		})
		if run, positive, found := labels.Ending(table, "a"); found != c.found || found && (positive || run < 3*c.last/2) {
			t.Errorf("%s: %d rows, positive %v, %v", name, run, positive, found)
		}
	}
}

// TestTheBoundsOfAValueThatTells: how many rows have it, how many of them may be of the other label, and which share of the label it has.
func TestTheBoundsOfAValueThatTells(t *testing.T) {
	// A column whose value 1 has rows positive and others negative; the remaining rows of 1,000 are as labelled.
	made := func(positive, negative, restPositive, restNegative int) *table.Table {
		t := tabletest.Cells(map[string][]float64{"c": slices.Concat(tabletest.Times(-1, float64(positive+negative)), tabletest.Times(-2, float64(restPositive+restNegative)))})
		for r := range t.Kept {
			t.Kept[r].Labelled = true
			t.Kept[r].Positive = r < positive || r >= positive+negative && r < positive+negative+restPositive
		}
		return t
	}
	for name, c := range map[string]struct {
		table *table.Table
		rows  int
	}{
		"all of one label":        {made(150, 0, 150, 700), 150},
		"at least a hundred":      {made(100, 0, 100, 800), 100},
		"fewer than a hundred":    {made(99, 0, 100, 801), 0},
		"one of the other":        {made(149, 1, 150, 700), 150},
		"two of the other":        {made(148, 2, 150, 700), 0},
		"two of more":             {made(198, 2, 100, 700), 200},
		"a tenth of the rarer":    {made(100, 0, 300, 600), 100},
		"less than a tenth of it": {made(100, 0, 901, 1000), 0},
		"of the more frequent":    {made(300, 0, 700, 400), 300},
		"too few of these":        {made(299, 0, 701, 400), 0},
	} {
		level, positive, found := labels.Telling(c.table, "c")
		if found != (c.rows > 0) || found && (level.Rows != c.rows || !positive || level.Hash != 1) {
			t.Errorf("%s: %+v, %v, %v; want %d rows", name, level, positive, found, c.rows)
		}
	}
	if _, _, found := labels.Telling(made(150, 0, 150, 700), "none"); found {
		t.Error("a value of no column tells")
	}
	repeated := made(150, 0, 150, 700)
	for r := range 60 {
		repeated.Kept[r].Repeated = true
	}
	if _, _, found := labels.Telling(repeated, "c"); found {
		t.Error("copies count")
	}
}
