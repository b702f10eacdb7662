package input

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestLabelsInRowsOfTheirOwn: a file of events has labels that come after their records. No row of it can be learnt, and the error says what to do;
// beside rows that have both, such a label is rejected, and a row with a label and no feature is taken where no key joins rows.
func TestLabelsInRowsOfTheirOwn(t *testing.T) {
	for _, test := range []struct {
		name, rows, key string
		taken           int
		rejected        int
		problem         string
	}{
		{"events", `{"id":"a","n":1}` + "\n" + `{"id":"b","n":2}` + "\n" + `{"id":"a","y":1}` + "\n" + `{"id":"b","y":0}` + "\n", "id", 2, 2, "in 2 rows there is only a label. Labels in rows of their own are joined by record.key on a topic only"},
		{"some of both", `{"id":"a","n":1,"y":1}` + "\n" + `{"id":"b","n":2}` + "\n" + `{"id":"b","y":0}` + "\n", "id", 2, 1, ""},
		{"no key", `{"n":1,"y":1}` + "\n" + `{"y":0}` + "\n", "", 2, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			schema, err := record.NewSchema(record.Config{Key: test.key, Label: record.Label{Field: "y", Positive: "1"}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			taken, rejected := 0, 0
			p := &Pass{Source: inMemory(test.rows, record.JSONLines), Schema: schema.LabelOptional(), Labelled: true,
				Each: func(*record.Record) { taken++ },
				Reject: func(r *record.Rejection) {
					if rejected++; r.Reason != labelAlone || !strings.Contains(r.Error(), "in one row first") {
						t.Errorf("rejected: %v", r)
					}
				}}
			if err := p.Open(); err != nil {
				t.Fatal(err)
			}
			err = p.Run(t.Context())
			if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
				t.Errorf("error %v, want %q", err, test.problem)
			}
			if taken != test.taken || rejected != test.rejected {
				t.Errorf("%d taken, %d rejected", taken, rejected)
			}
		})
	}
}
