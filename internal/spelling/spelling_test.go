package spelling_test

import (
	"testing"

	"github.com/fairstream/fairstream/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"input", "interval", "label"}
	for word, want := range map[string]string{"inptu": "input", "Label": "label", "lable": "label", "intervall": "interval", "x": "", "": "", "horizon": ""} {
		if got := spelling.Nearest(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestField(t *testing.T) {
	fields := []string{"id", "applicant.sex", "applicant.age", "income"}
	for word, want := range map[string]string{
		"sex": "applicant.sex", "Sex": "applicant.sex", "person.sex": "applicant.sex", "incme": "income", "applicant.sx": "applicant.sex",
		"applicant.gae": "applicant.age", "religion": "", "x": "", "": "", "person.icome": "income",
	} {
		if got := spelling.Field(word, fields); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// TestTheFirstOfTheNearest is meant, wherever it stands.
func TestTheFirstOfTheNearest(t *testing.T) {
	for _, names := range [][]string{{"cart", "care"}, {"care", "cart"}} {
		if got := spelling.Nearest("carx", names); got != names[0] {
			t.Errorf("of %q: %q", names, got)
		}
	}
}

func TestOneOff(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"label", "labels"}: true, {"labl", "label"}: true, {"label", "lapel"}: true, {"label", "label"}: false, {"label", "lable"}: false, {"sex", "sexe"}: false, {"abcd", "abce"}: false,
	} {
		if got := spelling.OneOff(words[0], words[1]); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
