package replay

import (
	"regexp"
	"strings"
	"testing"
)

// TestRecordsWithoutLabels: with record.unlabelled they count where no label is needed, and the report says how many. A label that no record has
// is an error, at the end of a short file and after 10,000 records of a long one.
func TestRecordsWithoutLabels(t *testing.T) {
	label := regexp.MustCompile(`(?m)^(\d+,[MF],[nsw],)\d,`)
	some, rows := "", strings.SplitAfter(strings.ReplaceAll(madeRecords(3000), "too,few\n", ""), "\n")
	for i, row := range rows {
		if i%3 == 1 {
			row = label.ReplaceAllString(row, "$1,")
		}
		some += row
	}
	short := label.ReplaceAllString(strings.ReplaceAll(madeRecords(200), "too,few\n", ""), "$1,")
	long := strings.ReplaceAll(madeRecords(12_000), "too,few\n", "")
	inDirectory(t, map[string]string{"some.csv": some, "short.csv": short, "long.csv": long})
	counting := strings.Replace(oneConstraint, "ignore:", "unlabelled: count, ignore:", 1)

	got := replayed(t, Settings{Inputs: []string{"some.csv"}}, nil, counting, nil, nil, nil)
	for _, want := range []string{"Learnt 1,980 records", "rejected 0.", "\n990 records more have no label, and count in constraints that need none.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got := replayed(t, Settings{Inputs: []string{"some.csv"}}, nil, oneConstraint, nil, nil, nil); !strings.Contains(got, "rejected 990.") || strings.Contains(got, "more have no label") {
		t.Errorf("without record.unlabelled:\n%s", got)
	}
	if got := replayed(t, Settings{Inputs: []string{"short.csv"}}, nil, counting, nil, nil, nil); !strings.Contains(got, `--- error`) || !strings.Contains(got, `"paid"`) {
		t.Errorf("no record has a label:\n%s", got)
	}
	positive := regexp.MustCompile(`(?m)^(\d+,[MF],[nsw],)0,`).ReplaceAllString(some, "${1}1,")
	inDirectory(t, map[string]string{"some.csv": some, "long.csv": long, "positive.csv": positive})
	if got := replayed(t, Settings{Inputs: []string{"positive.csv"}}, nil, counting, nil, nil, nil); !strings.Contains(got, "every record is positive") {
		t.Errorf("every label is positive:\n%s", got)
	}
	misspelt := strings.Replace(counting, "field: paid", "field: paidd", 1)
	for _, file := range []string{"some.csv", "long.csv"} {
		if got := replayed(t, Settings{Inputs: []string{file}}, nil, misspelt, nil, nil, nil); !strings.Contains(got, `--- error`) || !strings.Contains(got, `did you mean "paid"?`) {
			t.Errorf("%s, misspelt:\n%s", file, got)
		}
	}
}
