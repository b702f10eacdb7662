package record_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatFollowsARecordIsNoPartOfIt: a record is decoded as in memory of its own, whatever the memory holds behind it, and so is each beginning
// of a record, which is none.
func TestWhatFollowsARecordIsNoPartOfIt(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	line := func(i int) string {
		return fmt.Sprintf(`{"age":%d,"fnlwgt":"%d","job":"%s","sex":"%s","hours":"%d","income":"%s"}`,
			17+i%60, 100000+i*7919%90000, strings.Repeat("j", i%30), []string{"Male", "Female"}[i%2], i%99, []string{"<=50K", ">50K"}[i%3%2])
	}
	decode := func(d *record.Decoder, data []byte) string {
		var r record.Record
		if err := d.DecodeJSON(&r, data); err != nil {
			return err.Error()
		}
		words := fmt.Sprint(r.HasLabel, r.Positive, r.Weight, string(r.Attributes[0].Text), r.Attributes[0].Missing)
		for _, f := range r.Features {
			words += fmt.Sprint(" ", f.Name, " ", string(f.Text), " ", f.Missing, " ", f.Hash)
		}
		return words
	}
	alone, followed := schema.NewDecoder(), schema.NewDecoder()
	for i := range 400 {
		this := line(i)
		for _, behind := range []string{"\n" + line(i+1), "", `"}` + line(i+2), `,"income":">50K"}`, strings.Repeat(`"`, 90)} {
			cut := len(this)
			if i >= 40 && i%2 == 1 {
				cut = i * 31 % len(this)
			}
			memory := []byte(this[:cut] + behind)
			before := bytes.Clone(memory)
			want, got := decode(alone, append(make([]byte, 0, cut), this[:cut]...)[:cut:cut]), decode(followed, memory[:cut])
			if want != got {
				t.Fatalf("record %d of %d bytes, before %q: %s\nalone: %s", i, cut, behind, got, want)
			}
			if !bytes.Equal(memory, before) {
				t.Fatalf("record %d: the memory was written", i)
			}
		}
	}
}
