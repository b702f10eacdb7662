package statement

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestHarm: a label is bad for a person by its value, in one word or two, or by its name where the value says yes.
func TestHarm(t *testing.T) {
	for _, c := range []struct {
		field, positive string
		want            bool
	}{
		{"status", "charged_off", true}, {"status", "Charged Off", true}, {"status", "written-off", true}, {"status", "laid off", true}, {"status", "lapsed", true},
		{"status", "fully_paid", false}, {"status", "off", false}, {"status", "charged", false}, {"status", "not charged off", false},
		{"deactivated", "1", true}, {"arrest", "yes", true}, {"npa", "Y", true}, {"inadimplente", "sim", true}, {"zamitnuto", "ano", true}, {"status", "write-off", true}, {"default", "2", false},
		{"default", "1", true}, {"default", "no", false}, {"repaid", "yes", false}, {"no_default", "true", false},
	} {
		if got := isAdverse(record.Label{Field: c.field, Positive: record.Text(c.positive)}); got != c.want {
			t.Errorf("%s = %s: %v", c.field, c.positive, got)
		}
	}
}
