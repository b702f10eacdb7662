package features

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// Levels get weights of their own up to the limit, over all columns; the rest share the buckets.
func TestVocabularyLimit(t *testing.T) {
	e := testEncoder(t, func(c *Config) { c.Vocabulary.Levels, c.Vocabulary.Buckets = 10, 4 })
	rows := map[string]string{}
	for i := range 10 {
		rows[fmt.Sprint("v", i)] = encoded(e, true, fields("a", fmt.Sprint("v", i)))
	}
	if e.words.shared != 0 {
		t.Error("there are buckets before they are needed")
	}
	if got := encoded(e, false, fields("a", "unseen")); got != "0:1" {
		t.Errorf("without buckets an unseen level is %s, not nothing", got)
	}
	size := e.size
	distinct := map[string]bool{}
	for i := range 1000 {
		distinct[encoded(e, true, fields("b", fmt.Sprint("v", i)))] = true
	}
	if e.size != size+4 || len(distinct) != 4 {
		t.Errorf("1,000 levels beyond the limit took %d weights and became %d rows, should be 4", e.size-size, len(distinct))
	}
	for value, row := range rows {
		if again := encoded(e, true, fields("a", value)); again != row {
			t.Errorf("%s was %s and is %s", value, row, again)
		}
	}
	if got := encoded(e, false, fields("a", "unseen")); !distinct[got] {
		t.Errorf("an unseen level is %s and should be a bucket", got)
	}
}

// The same text is another level in another column.
func TestLevelsOfColumnsAreApart(t *testing.T) {
	e := testEncoder(t, nil)
	a, b := encoded(e, true, fields("a", "yes")), encoded(e, true, fields("b", "yes"))
	if a == b {
		t.Errorf("yes in a and in b are both %s", a)
	}
	seen := map[uint64]string{}
	for i := range 300 {
		for hash := range uint64(300) {
			for _, slot := range []Slot{ColumnSlot(i), CrossSlot(i)} {
				key := slot.Key(hash)
				if other, twice := seen[key]; twice {
					t.Fatalf("%v/%d has the key of %s", slot, hash, other)
				}
				seen[key] = fmt.Sprint(slot, "/", hash)
			}
		}
	}
}

// A long text is told apart by all of it, and remembered by its beginning.
func TestLongTexts(t *testing.T) {
	e := testEncoder(t, nil)
	long := strings.Repeat("é", 5000)
	one, two := encoded(e, true, fields("a", long+"1")), encoded(e, true, fields("a", long+"2"))
	if one == two {
		t.Error("long texts that end differently are one level")
	}
	for _, l := range e.words.levels {
		if len(l.Text) > longestText+len("…") || !utf8.ValidString(l.Text) || !strings.HasSuffix(l.Text, "é…") {
			t.Errorf("a level is remembered as %q", l.Text)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("x", longestText)} {
		if got := shorten([]byte(text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// How many levels a column has is counted as they come: those of crosses are of no column.
func TestLevelsAreCounted(t *testing.T) {
	var v vocabulary
	for i, slot := range []Slot{ColumnSlot(2), CrossSlot(0), ColumnSlot(0), ColumnSlot(2), CrossSlot(4)} {
		v.add(Level{Slot: slot, Weight: int32(i + 1), Key: uint64(i)})
	}
	if got := fmt.Sprint(v.counts(4)); got != "[1 0 2 0]" {
		t.Errorf("the columns have %s levels", got)
	}
	if len(v.columns) != 3 {
		t.Errorf("levels of %d columns are counted, and the last that has some is the third", len(v.columns))
	}
}

// The keys are part of published documents: they must never change. The numbers are those of an independent
// program in Python, written from the descriptions of MurmurHash3 and SplitMix64.
func TestKeysAreForGood(t *testing.T) {
	if got := record.Hash([]byte("Married-civ-spouse")); got != 0x11120d9f437bfb14 {
		t.Errorf("hash %#x", got)
	}
	if got := ColumnSlot(3).Key(record.Hash([]byte("Married-civ-spouse"))); got != 0x97926eaa907627b2 {
		t.Errorf("key %#x", got)
	}
	if got := CrossSlot(1).Key(5); got != 0x30412e4cf6bca15c {
		t.Errorf("key of a cross %#x", got)
	}
}
