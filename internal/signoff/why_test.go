package signoff

import "testing"

// TestReasonsInWords: versions as people call them, and the few sentences that are meant for those who give commands in other words.
func TestReasonsInWords(t *testing.T) {
	for reason, want := range map[string]string{
		"it passed every test":                                      "it passed every test that decides",
		"version 3/40000 left its limit beside version 2/999":       "version 40,000 left its limit beside version 999",
		"the stable version has changed: the evidence begins again": "the version in use changed, so counting starts again",
		"version 3/99999999999999999999 is no version":              "version 99999999999999999999 is no version", "a conversion 3/4": "a conversion 3/4", "": "",
	} {
		if got := WhyWords(reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}
