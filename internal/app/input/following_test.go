package input

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// Rows of several sources come in the order of the sources, and each is said to be of its own file.
func TestSourcesInOrder(t *testing.T) {
	one, two := inMemory("n\n1\n2\n", record.CSV), inMemory("n\n3\n4\n", record.CSV)
	one.Name, two.Name = "one.csv", "two.csv"
	reader, err := InOrder(one, two).Open(record.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	var places []place
	for err = reader.Next(); err == nil; err = reader.Next() {
		rows, places = append(rows, string(reader.Raw())), append(places, placeOf(reader))
	}
	if err != io.EOF || !slices.Equal(rows, []string{"1", "2", "3", "4"}) {
		t.Errorf("rows %q, %v", rows, err)
	}
	if want := []place{{"one.csv", 2}, {"one.csv", 3}, {"two.csv", 2}, {"two.csv", 3}}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	if read, _ := reader.Progress(); read != 12 {
		t.Errorf("%d of 12 bytes were read", read)
	}
}

func TestSourcesWithOtherColumnsAreRefused(t *testing.T) {
	for text, want := range map[string]string{"a\n1\n": `no column "b"`, "a,b,c\n1,2,3\n": `a column "c"`, "b,a\n1,2\n": "another order"} {
		reader, err := InOrder(inMemory("a,b\n1,2\n", record.CSV), inMemory(text, record.CSV)).Open(record.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = reader.Next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Each row is in one of the two parts, and the part that is held out is spread evenly.
func TestSplit(t *testing.T) {
	learnt, held := Split(Source{}, .25)
	var rows []int
	for row := range 12 {
		if learnt.Takes(row) == held.Takes(row) {
			t.Errorf("row %d is in both parts or in none", row)
		}
		if held.Takes(row) {
			rows = append(rows, row)
		}
	}
	if !slices.Equal(rows, []int{3, 7, 11}) {
		t.Errorf("rows %v are held out", rows)
	}
}
