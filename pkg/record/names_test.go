package record_test

import (
	"fmt"
	"strconv"
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

// TestFloodOfNames feeds more names than a process remembers: memory stays bounded and records
// stay whole.
func TestFloodOfNames(t *testing.T) {
	schema, err := record.NewSchema(validConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	const each = 1000
	for first := 0; first < 3*record.MaxNames; first += each {
		data := []byte(`{"income":"x"`)
		for i := first; i < first+each; i++ {
			data = fmt.Appendf(data, `,"field%d":%d`, i, i)
		}
		if err := decoder.DecodeJSON(&rec, append(data, '}')); err != nil {
			t.Fatal(err)
		}
		if len(rec.Features) != each {
			t.Fatalf("%d features, want %d", len(rec.Features), each)
		}
		for k, f := range rec.Features {
			i := first + k
			id := int32(i)
			if i >= record.MaxNames {
				id = record.NoName
			}
			if f.Name != fmt.Sprint("field", i) || string(f.Text) != strconv.Itoa(i) || f.ID != id {
				t.Fatalf("feature %d is %+v", i, f)
			}
		}
	}
	if n := schema.Names().Len(); n != record.MaxNames {
		t.Errorf("%d names are kept, want %d", n, record.MaxNames)
	}
}
