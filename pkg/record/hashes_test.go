package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestHashes: they are those of the features, however many there are, and of no other slice of features.
func TestHashes(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for _, columns := range []int{1, 40, 3, 0, 200, 16, 17} {
		fields := []string{`"y":1`}
		for c := range columns {
			fields = append(fields, fmt.Sprintf(`"x%d":%s`, c, []string{`"a"`, "null", fmt.Sprint(c)}[c%3]))
		}
		if err := decoder.DecodeJSON(&r, []byte("{"+strings.Join(fields, ",")+"}")); err != nil {
			t.Fatal(err)
		}
		var want []uint64
		for i := range r.Features {
			want = append(want, r.Features[i].Hash)
		}
		if got := r.Hashes(); !slices.Equal(got, want) || len(got) != columns {
			t.Errorf("%d columns: %v, want %v", columns, got, want)
		}
		other := r
		other.Features = slices.Clone(r.Features)
		if other.Hashes() != nil {
			t.Errorf("%d columns: a copy of the features has the hashes of the first", columns)
		}
		if other.Features = r.Features[:columns/2]; columns > 0 && other.Hashes() != nil {
			t.Errorf("%d columns: a part of the features has the hashes of all", columns)
		}
	}
}
