package draft

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
)

// TestOddTexts: texts among numbers are proposed as missing, but for the positive label and those with digits, which are values.
func TestOddTexts(t *testing.T) {
	d := Draft{Positive: "yes", columns: []profile.Column{
		{Name: "a", Kind: profile.Spoilt, Odd: []profile.Value{{Text: "k.A.", Count: 3}, {Text: "2A", Count: 9}, {Text: "yes", Count: 1}}},
		{Name: "b", Kind: profile.Spoilt, Odd: []profile.Value{{Text: "k.A.", Count: 5}}},
		{Name: "c", Kind: profile.Category, Odd: []profile.Value{{Text: "-", Count: 5}}},
	}}
	if odd := d.oddTexts(); !slices.Equal(odd, []string{"k.A."}) {
		t.Errorf("%q", odd)
	}
}
