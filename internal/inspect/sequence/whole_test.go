package sequence_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestSequencesAreTold: what is said of records whose times, order or labels change on the way, and of some that are as they should be.
func TestSequencesAreTold(t *testing.T) {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return start.Add(d).Format(time.RFC3339) }
	// work is a time of a working day, between nine and five.
	work := func(i int) time.Duration {
		return time.Duration(i)*24*time.Hour/20 - time.Duration(i)*24*time.Hour/20%(24*time.Hour) + 9*time.Hour + time.Duration(i*7919%480)*time.Minute
	}
	timed := func(of func(i int) string) func(i int, row map[string]any) {
		return func(i int, row map[string]any) { row["at"] = of(i) }
	}
	var text strings.Builder
	for _, c := range []struct {
		name   string
		n      int
		change func(i int, row map[string]any)
	}{
		{"plain", 1200, nil},
		{"times of working days", 1200, timed(func(i int) string { return at(work(i)) })},
		{"another zone in one place", 1200, func(i int, row map[string]any) {
			if row["at"] = at(work(i)); i%3 == 0 {
				row["place"], row["at"] = "far", at(work(i)+8*time.Hour)
			}
		}},
		{"another zone from some time on", 1200, timed(func(i int) string {
			if i >= 700 {
				return at(work(i) + 8*time.Hour)
			}
			return at(work(i))
		})},
		{"hours of a clock of twelve", 1200, timed(func(i int) string {
			d := time.Duration(i) * 24 * time.Hour / 20
			return at(d - d%(24*time.Hour) + time.Duration(60+i*7919%719)*time.Minute)
		})},
		{"a time that stands for none", 1200, timed(func(i int) string {
			if i%20 == 0 {
				return "1900-01-01T00:00:00Z"
			}
			return at(work(i))
		})},
		{"two times, in five records the other way round", 1200, func(i int, row map[string]any) {
			row["opened"], row["closed"] = at(work(i)), at(work(i)+24*time.Hour)
			if i%240 == 7 {
				row["opened"], row["closed"] = row["closed"], row["opened"]
			}
		}},
		{"two times, in four", 1200, func(i int, row map[string]any) {
			row["opened"], row["closed"] = at(work(i)), at(work(i)+24*time.Hour)
			if i%300 == 7 {
				row["opened"], row["closed"] = row["closed"], row["opened"]
			}
		}},
		{"two times, in three of a hundred", 1200, func(i int, row map[string]any) {
			row["a"], row["b"] = at(work(i)+24*time.Hour), at(work(i))
			if i < 36 {
				row["a"], row["b"] = row["b"], row["a"]
			}
		}},
		{"two times, in more", 1200, func(i int, row map[string]any) {
			row["a"], row["b"] = at(work(i)+24*time.Hour), at(work(i))
			if i < 37 {
				row["a"], row["b"] = row["b"], row["a"]
			}
		}},
		{"the newest first", 1200, timed(func(i int) string { return at(work(1200 - i)) })},
		{"files in the wrong order", 1200, timed(func(i int) string { return at(work((i + 600) % 1200)) })},
		{"sorted by a number", 1200, func(i int, row map[string]any) { row["x"] = i }},
		{"sorted by a number, of few", 199, func(i int, row map[string]any) { row["x"] = i }},
		{"one value settles", 1200, func(i int, row map[string]any) {
			row["kind"] = []string{"a", "b", "c", "d"}[i*7919%4]
			if row["kind"] == "d" {
				row["y"] = 1
			}
		}},
		{"one number settles", 1200, func(i int, row map[string]any) {
			row["kind"] = []int{1, 2, 3, 4}[i*7919%4]
			if row["kind"] == 4 {
				row["y"] = 0
			}
		}},
		{"the newest labels are not known yet", 1200, func(i int, row map[string]any) {
			if row["at"] = at(work(i)); i >= 1000 {
				row["y"] = 0
			}
		}},
		{"the newest labels are positive", 1200, func(i int, row map[string]any) {
			if row["at"] = at(work(i)); i >= 1000 {
				row["y"] = 1
			}
		}},
		{"labels turned round in one place", 1800, func(i int, row map[string]any) {
			if row["place"] = []string{"near", "far", "here"}[i*31%3]; row["place"] == "far" {
				row["y"] = 1 - row["y"].(int)
			}
		}},
		{"labels turned round at the end", 1800, func(i int, row map[string]any) {
			if i >= 1440 {
				row["y"] = 1 - row["y"].(int)
			}
		}},
		{"labels of other records at the end", 1800, func(i int, row map[string]any) {
			if i >= 1440 {
				row["y"] = i * 104729 % 3 % 2
			}
		}},
	} {
		fmt.Fprintf(&text, "== %s\n", c.name)
		config := inspecttest.With(func(m *model.Config) {
			m.Record.Label, m.Record.Ignore = record.Label{Field: "y", Positive: "1"}, []string{"at"}
			m.Constraints[0].Attribute, m.Constraints[0].Group, m.Constraints[0].Versus = model.OneOrMore{"sex"}, model.Values("m"), model.Values("f")
		})
		r, err := seen.New(config)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.n {
			z := i * 7919 % 997
			row := map[string]any{"sex": []string{"m", "f"}[i*31%7%2], "z": z, "y": map[bool]int{true: 1}[z+i*104729%301 > 650], "place": "near"}
			if c.change != nil {
				c.change(i, row)
			}
			raw, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Add(raw); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		s := find.New(r)
		for _, check := range []func(*find.Search){sequence.Endings, sequence.Ruled, sequence.Flipped, sequence.Sorted, sequence.Clocks, sequence.Backwards} {
			check(s)
		}
		for _, f := range s.Found {
			fmt.Fprintln(&text, map[bool]string{true: "Error: ", false: "Warning: "}[f.Fatal]+f.String())
		}
	}
	goldentest.Compare(t, "sequences.txt", text.String())
}
