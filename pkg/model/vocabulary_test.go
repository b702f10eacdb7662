package model

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// The open addressing agrees with a map, through every doubling.
func TestVocabularyIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	v := newVocabulary(VocabularyConfig{Levels: 5000, Buckets: 8})
	known := map[uint64]int32{}
	for i := int32(1); !v.full(); i++ {
		key := random.Uint64()
		if i%3 == 0 {
			key &= 7 // neighbours in the table
		}
		if known[key] != 0 {
			continue
		}
		v.add(level{index: i, key: key})
		known[key] = i
	}
	for key, index := range known {
		if got := v.find(key); got != index {
			t.Fatalf("key %x has weight %d, not %d", key, got, index)
		}
	}
	for range 10000 {
		if key := random.Uint64(); v.find(key) != known[key] {
			t.Fatalf("an unknown key has weight %d", v.find(key))
		}
	}
	if len(v.levels) != 5000 || 2*len(v.levels) > len(v.slots) {
		t.Errorf("%d levels in %d slots", len(v.levels), len(v.slots))
	}
}

// Levels get weights of their own up to the limit, over all columns; the rest share the buckets.
func TestVocabularyLimit(t *testing.T) {
	e := testEncoder(t, func(c *LearnerConfig) { c.Vocabulary.Levels, c.Vocabulary.Buckets = 10, 4 })
	rows := map[string]string{}
	for i := range 10 {
		rows[fmt.Sprint("v", i)] = encoded(e, true, fields("a", fmt.Sprint("v", i)))
	}
	if e.words.base != 0 {
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
	for place := range uint64(300) {
		for hash := range uint64(300) {
			key := levelKey(place, hash)
			if other, twice := seen[key]; twice {
				t.Fatalf("%d/%d has the key of %s", place, hash, other)
			}
			seen[key] = fmt.Sprint(place, "/", hash)
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
		if len(l.text) > longestText+len("…") || !utf8.ValidString(l.text) || !strings.HasSuffix(l.text, "é…") {
			t.Errorf("a level is remembered as %q", l.text)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("x", longestText)} {
		if got := shorten([]byte(text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// The keys are part of published documents: they must never change. The numbers are those of an independent
// program in Python, written from the descriptions of MurmurHash3 and SplitMix64.
func TestKeysAreForGood(t *testing.T) {
	if got := record.Hash([]byte("Married-civ-spouse")); got != 0x11120d9f437bfb14 {
		t.Errorf("hash %#x", got)
	}
	if got := levelKey(3, record.Hash([]byte("Married-civ-spouse"))); got != 0x97926eaa907627b2 {
		t.Errorf("key %#x", got)
	}
	if got := levelKey(crossPlace+1, 5); got != 0x30412e4cf6bca15c {
		t.Errorf("key of a cross %#x", got)
	}
}
