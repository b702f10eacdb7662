package score

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// TestCellsAreThoseOfALibrary: texts of what may need quotes are written as encoding/csv writes them.
func TestCellsAreThoseOfALibrary(t *testing.T) {
	t.Parallel()
	parts := []string{"", "a", ",", `"`, `""`, "\r", "\n", " ", "\u00a0", "\u3000", `\.`, "\xff", "é", "\t", "0.5", "#", "'"}
	random := rand.New(rand.NewPCG(28, 1))
	for range 20_000 {
		cells := make([]string, 2+random.IntN(3)) // encoding/csv writes one empty cell alone as ""
		var line []byte
		for i := range cells {
			for range random.IntN(4) {
				cells[i] += parts[random.IntN(len(parts))]
			}
			if i > 0 {
				line = append(line, ',')
			}
			line = appendCell(line, []byte(cells[i]))
		}
		var want bytes.Buffer
		w := csv.NewWriter(&want)
		if err := w.Write(cells); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		if got := string(line) + "\n"; got != want.String() {
			t.Fatalf("%q is %q, and %q by encoding/csv", cells, got, want.String())
		}
	}
}

// TestEachLineHasTheCellsOfTheHead, whatever else a line has.
func TestEachLineHasTheCellsOfTheHead(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		decides := i&1 != 0
		gives, explored := decides && i&2 != 0, decides && i&4 != 0
		var out bytes.Buffer
		w := newCSVLines(bufio.NewWriter(&out), nil, &document.Document{Version: 7, WeightsSHA256: "ab"}, decides, gives, explored)
		w.head()
		w.answered([]byte(`a "b"`), &scoring.Outcome{Score: 0.25, Margin: -1.5, Probability: 0.5, Positive: true, Propensity: 0.125})
		w.rejected(&record.Rejection{Reason: record.MalformedJSON})
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll() // which wants as many cells in each row
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d: %q, %v", i, rows, err)
		}
		want := map[string]string{"id": `a "b"`, "score": "0.25", "decision": "1", "rejected": "", "margin": "-1.5", "version": "7", "weights_sha256": "ab", "probability": "0.5", "explored": "0", "propensity": "0.125"}
		for at, name := range rows[0] {
			reason := ""
			if name == "rejected" {
				reason = string(record.MalformedJSON)
			}
			if rows[1][at] != want[name] || rows[2][at] != reason {
				t.Errorf("%d, %s: %q, and %q of a rejected record", i, name, rows[1][at], rows[2][at])
			}
		}
	}
}
