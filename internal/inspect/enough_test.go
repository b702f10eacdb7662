package inspect

import "testing"

// Of records with up to 250 fields as many are looked at as there may be, 1,000 at least; of wider ones fewer, down to 500.
func TestWideRecordsAreFewer(t *testing.T) {
	for fields, want := range map[int]int{1: 250_000, 250: 1000, 400: 625, 500: 500, 5000: 500} {
		records := 0
		for !Enough(records, records*fields) {
			records++
		}
		if records != want {
			t.Errorf("of records with %d fields, %d are looked at, want %d", fields, records, want)
		}
	}
}
