package seen

import (
	"strings"
	"testing"
)

// TestWordsOfSums: with dots and spaces around them, and of less than twenty bytes.
func TestWordsOfSums(t *testing.T) {
	for text, want := range map[string]bool{
		"total": true, "Total:": true, " TOTAL .": true, "Zwischensumme": true, "totally": false, "": false, " .:": false, "xtotal": false,
		"total" + strings.Repeat(" ", 14): true, "total" + strings.Repeat(" ", 15): false,
	} {
		if got := sayTotal([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
