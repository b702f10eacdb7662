package board

import "testing"

func TestChangesInWords(t *testing.T) {
	for _, c := range [][4]string{
		{"constraints[0].tau", "0.05", "0.15", "Comparison 1: the limit is now 0.15; before, it was 0.05."},
		{"constraints[2].enforce", "false", "true", "Comparison 3: enforce is now yes; before, it was no."},
		{"constraints[1]", "null", `{"name":"race"}`, "Comparison 2 is now set; before, it was not set."},
		{"learner.window", "10000", "8192", "Setting of the learner: the number of recent records is now 8,192; before, it was 10,000."},
		{"stream.publish.interval", `"10s"`, `"60s"`, "Setting of the job: publish, interval is now 60s; before, it was 10s."},
		{"record.missing", `["a"]`, `["b"]`, "Setting of how records are read: missing has another value now."},
		{"release.most_unknown", "0.5", "null", "Setting of the tests of versions: most unknown is no longer set; before, it was 0.5."},
		{"job", `"a"`, `"b"`, "Setting of the job: job is now b; before, it was a."},
	} {
		if got := ChangeWords(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}
