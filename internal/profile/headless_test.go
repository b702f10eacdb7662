package profile

import (
	"strings"
	"testing"
)

// TestHeadless: names that are values of a record, and not the numbers of columns.
func TestHeadless(t *testing.T) {
	for names, want := range map[string]bool{
		"L1 2025-01-06 female 18 21652.11 west no": true,
		"age income sex repaid":                    false,
		"0 1 2 3 4":                                false,
		"1 2 3 4 label":                            false,
		"id 2019 2020 2021 a b c d e f g h i":      false,
		"39 a b c d e f":                           false,
	} {
		if got := Headless(strings.Fields(names)); got != want {
			t.Errorf("%s: %v", names, got)
		}
	}
}
