package persons

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestContentOf tells records with other fields or groups apart, and not those whose fields come in another order.
func TestContentOf(t *testing.T) {
	made := func(texts ...string) *record.Record {
		r := &record.Record{}
		for _, text := range texts {
			r.Features = append(r.Features, record.Field{Text: []byte(text), Hash: record.Hash([]byte(text))})
		}
		return r
	}
	groups := []fairness.Level{2, 0}
	want := ContentOf(made("a", "17"), groups)
	if got := ContentOf(made("17", "a"), groups); got != want {
		t.Errorf("in another order: %x, want %x", got, want)
	}
	for name, got := range map[string]uint64{"another field": ContentOf(made("a", "18"), groups), "a field more": ContentOf(made("a", "17", ""), groups),
		"a field twice": ContentOf(made("a", "a"), groups), "groups in another order": ContentOf(made("a", "17"), []fairness.Level{0, 2}),
		"another group": ContentOf(made("a", "17"), []fairness.Level{2, 1}), "a group less": ContentOf(made("a", "17"), groups[:1])} {
		if got == want {
			t.Errorf("%s: the same content", name)
		}
	}
	if got := ContentOf(&record.Record{}, nil); got != 1 {
		t.Errorf("nothing has the content %d; 0 stands for none", got)
	}
	// Snapshots have contents, so they must not change.
	if one, three := ContentOf(made("a"), nil), ContentOf(made("a", "17"), []fairness.Level{1, 2, 3}); one != 0x4e1cd95a144fe668 || three != 0x8586938d1f340d9f {
		t.Errorf("%#x and %#x", one, three)
	}
}
