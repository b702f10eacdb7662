package record_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestNamesFromManyGoroutines(t *testing.T) {
	names := record.NewNames()
	const goroutines, each = 8, 1000
	ids := make([][]int32, goroutines)
	var wait sync.WaitGroup
	for g := range goroutines {
		wait.Go(func() {
			ids[g] = make([]int32, each)
			for i := range each {
				at := (i*7 + g*131) % each // each goroutine in an order of its own
				ids[g][at] = names.ID(fmt.Sprint("field", at))
			}
		})
	}
	wait.Wait()
	if names.Len() != each {
		t.Errorf("%d names, want %d", names.Len(), each)
	}
	for i := range each {
		for g := range goroutines {
			if ids[g][i] != ids[0][i] {
				t.Fatalf("field%d has the ids %d and %d", i, ids[0][i], ids[g][i])
			}
		}
		if name := names.Name(ids[0][i]); name != fmt.Sprint("field", i) {
			t.Fatalf("id %d is of %q, want field%d", ids[0][i], name, i)
		}
	}
}

func TestNamesAreBounded(t *testing.T) {
	names := record.NewNames()
	for i := range record.MaxNames {
		if id := names.ID(fmt.Sprint(i)); id != int32(i) {
			t.Fatalf("name %d has id %d", i, id)
		}
	}
	if id := names.ID("one more"); id != record.NoName {
		t.Errorf("one more name has id %d, want none", id)
	}
	if id := names.ID("7"); id != 7 {
		t.Errorf("a known name has id %d, want 7", id)
	}
	for _, id := range []int32{record.NoName, record.MaxNames} {
		if name := names.Name(id); name != "" {
			t.Errorf("id %d is of %q, want none", id, name)
		}
	}
}

// TestNewNamesInEveryRecord feeds more names than a process remembers: memory stays bounded and
// records stay whole.
func TestNewNamesInEveryRecord(t *testing.T) {
	schema, err := record.NewSchema(validConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	for i := range 3 * record.MaxNames {
		name := fmt.Sprint("field", i)
		if err := decoder.DecodeJSON(&rec, []byte(`{"`+name+`":1,"income":"x"}`)); err != nil {
			t.Fatal(err)
		}
		f := rec.Features[0]
		if len(rec.Features) != 1 || f.Name != name || string(f.Text) != "1" {
			t.Fatalf("record %d has the features %v", i, rec.Features)
		}
		if known := i < record.MaxNames; known != (f.ID == int32(i)) || !known && f.ID != record.NoName {
			t.Fatalf("name %d has id %d", i, f.ID)
		}
	}
	if n := schema.Names().Len(); n != record.MaxNames {
		t.Errorf("%d names are kept, want %d", n, record.MaxNames)
	}
}
