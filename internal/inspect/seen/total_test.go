package seen

import (
	"strings"
	"testing"
)

func TestTotals(t *testing.T) {
	for _, word := range totalWords {
		for _, text := range []string{word, strings.ToUpper(word), " " + word + ":", word + "."} {
			if !sayTotal([]byte(text)) {
				t.Errorf("%q", text)
			}
		}
	}
	for _, text := range []string{"", " ", ":", "tot", "1.5", "total of all others", "subtotals", "female"} {
		if sayTotal([]byte(text)) {
			t.Errorf("%q", text)
		}
	}
}
