package reserve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// words is a document that decides by one column, with a constraint.
func words(t *testing.T) *document.Document {
	t.Helper()
	slot := features.ColumnSlot(0)
	levels := []features.Level{{Slot: slot, Weight: 1, Key: slot.Key(record.Hash([]byte("yes"))), Text: "yes"}, {Slot: slot, Weight: 2, Key: slot.Key(record.Hash([]byte("no"))), Text: "no"}}
	d, err := document.New(document.Classification, features.Parts{Columns: []features.Column{{Name: "word", Kind: features.Levelled}}, Size: 3, Levels: levels}, []float64{0.5, 1, -1})
	if err != nil {
		t.Fatal(err)
	}
	d.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"y","positive":"1"}},"learner":{"level":0.9,"minimum_records":5},` +
		`"constraints":[{"name":"sex","attribute":"sex","group":"m","versus":"f","criterion":"demographic-parity","tau":0.1},{"name":"chance","attribute":"sex","group":"m","versus":"f","criterion":"equal-opportunity","tau":0.1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestTheNewestAreMeasured: a document is measured on exactly the records that are kept, which are the newest ones; on one that came without its label by its
// decision, and again by its label when that comes.
func TestTheNewestAreMeasured(t *testing.T) {
	d := words(t)
	const capacity = 50
	for _, n := range []int{1, capacity - 1, capacity, capacity + 1, 2 * capacity, 3*capacity + 7} {
		s := New(0.5, capacity)
		var all []func(e *document.Evaluation)
		for i := range n {
			brings := []control.Brings{control.Both, control.Itself, control.Label}[i*i%7%3]
			text := []string{"yes", "no", "other"}[i*i%11%3]
			field := record.Field{Name: "word", ID: record.NoName, Text: []byte(text), Hash: record.Hash([]byte(text))}
			if i%13 == 5 {
				field = record.Field{Name: "word", ID: record.NoName, Missing: true}
			}
			r := &record.Record{HasLabel: brings != control.Itself, Positive: i%3 == 0, Label: float64(i % 3), Weight: float64(1 + i%2), Features: []record.Field{field}, Attributes: []record.Value{{Text: []byte{"mf"[i/2%2]}}}}
			s.Add(r, brings)
			all = append(all, func(e *document.Evaluation) {
				if brings == control.Label {
					e.AddLate(r)
				} else {
					e.Add(r)
				}
			})
		}
		got, err := s.Measure(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, add := range all[max(0, n-capacity):] {
			add(want)
		}
		gotText, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if wantText, err := json.Marshal(want.Report()); err != nil || !bytes.Equal(gotText, wantText) {
			t.Errorf("%d records: %s\nwant %s (%v)", n, gotText, wantText, err)
		}
	}
}

// TestUnpackingStartsAnew: what was read from one packed record is not in the next; and a record may end with an empty text, but no name may be empty or
// longer than what is left.
func TestUnpackingStartsAnew(t *testing.T) {
	field := func(name, text string) record.Field {
		return record.Field{Name: name, ID: record.NoName, Text: []byte(text), Hash: record.Hash([]byte(text))}
	}
	var got record.Record
	names := map[string]string{}
	for _, features := range [][]record.Field{{field("a", "1"), field("b", "2"), field("c", "")}, {field("b", "3")}, {}} {
		packed := pack(nil, &record.Record{Weight: 1, Features: features}, control.Both)
		if _, ok := unpack(&got, packed, names); !ok || !slices.EqualFunc(got.Features, features, func(a, b record.Field) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%+v became %+v", features, got.Features)
		}
	}
	for text, want := range map[string]bool{"\x01a\x00": true, "\x01a\x01": true, "\x01a\x02": false, "\x01a": false, "\x02a": false, "\x03ab": false, "\x00\x00": false, "\x80": false, "\x01": false} {
		if _, ok := unpack(&got, append(pack(nil, &record.Record{Weight: 1}, control.Both), text...), names); ok != want {
			t.Errorf("%q is read: %v", text, ok)
		}
	}
	huge := binary.AppendUvarint(pack(nil, &record.Record{Weight: 1}, control.Both), 1<<63)
	if _, ok := unpack(&got, append(huge, "ab"...), names); ok {
		t.Error("a name longer than memory is read")
	}
}
