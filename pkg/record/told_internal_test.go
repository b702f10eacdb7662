package record

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestWordsOfARejection: each part is told if it is known, and the first byte is byte 0.
func TestWordsOfARejection(t *testing.T) {
	for want, r := range map[string]Rejection{
		"bad_label":           {Reason: "bad_label", Offset: -1},
		"bad_label at byte 0": {Reason: "bad_label"},
		`data/a.csv, line 7: bad_label in field "y" at byte 12: it is empty; look there`: {File: "data/a.csv", Line: 7, Reason: "bad_label", Field: "y", Offset: 12, Detail: "it is empty", file: "look there"},
		`bad_label in field "a\"b"`: {Reason: "bad_label", Field: `a"b`, Offset: -1, file: "look there"},
		"line 1: bad_label":         {Line: 1, Reason: "bad_label", Offset: -1},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWhereABadValueIs: the byte at which its text begins, which is not known where texts may be copies, because of a backslash.
func TestWhereABadValueIs(t *testing.T) {
	schema, err := NewSchema(Config{Label: Label{Field: "y", Positive: "1"}, Weight: "w"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, known := range map[string]bool{
		`{"y":"1","w":"heavy"}`: true, `{"w":"heavy","y":"1"}`: true, `{"a":{"b":"c"},"y":"1","w":"heavy"}`: true, `{"a":"\n","y":"1","w":"heavy"}`: false, `{"a":{"b":"\n"},"y":"1","w":"heavy"}`: false,
	} {
		want := -1
		if known {
			want = strings.Index(text, `"heavy"`)
		}
		var r Record
		var rejection *Rejection
		if err := schema.NewDecoder().DecodeJSON(&r, []byte(text)); !errors.As(err, &rejection) || rejection.Field != "w" || rejection.Offset != want {
			t.Errorf("%s: %v, want byte %d", text, err, want)
		}
	}
}

// TestEscapesTakeNoMemory of records before: texts without their escapes stand where those of the record before stood.
func TestEscapesTakeNoMemory(t *testing.T) {
	schema, err := NewSchema(Config{Label: Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := schema.NewDecoder()
	var r Record
	for i := range 1000 {
		text := fmt.Sprintf(`{"y":"1","a":"x\n%d","b":"%s\t"}`, i, strings.Repeat("y", 100))
		if err := d.DecodeJSON(&r, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("x\n%d", i); string(r.Features[0].Text) != want || len(r.unescaped) > 256 {
			t.Fatalf("record %d: %q of %d bytes, want %q", i, r.Features[0].Text, len(r.unescaped), want)
		}
	}
}

// TestWhatCountsWithoutALabel: what is said, and without a word records whose label may come later, by a key.
func TestWhatCountsWithoutALabel(t *testing.T) {
	for _, c := range []struct {
		unlabelled Unlabelled
		key        string
		want       bool
	}{{"", "", false}, {"", "k", true}, {Count, "", true}, {Count, "k", true}, {Reject, "", false}, {Reject, "k", false}} {
		if got := (&Config{Unlabelled: c.unlabelled, Key: c.key}).Counts(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
