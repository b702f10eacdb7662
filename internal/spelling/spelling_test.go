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
		"applicant.gae": "applicant.age", "religion": "", "x": "", "": "",
	} {
		if got := spelling.Field(word, fields); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
