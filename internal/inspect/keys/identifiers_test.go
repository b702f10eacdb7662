package keys_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestLabelsBeforeTheirRecords are told of from one in a hundred records on: a few come from records that were there before the first.
func TestLabelsBeforeTheirRecords(t *testing.T) {
	for early, told := range map[int]bool{0: false, 5: false, 6: true, 600: true} {
		config := inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.Key = nil, "id" })
		records, err := seen.New(config)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 600 {
			if err := records.Add([]byte(inspecttest.QuotedIncome(i))); err != nil {
				t.Fatal(err)
			}
		}
		records.Early = early
		search := find.New(records)
		keys.Identifiers(search)
		want := fmt.Sprintf("the labels of %d records came before them", early)
		if got := fmt.Sprint(search.Found); strings.Contains(got, want) != told {
			t.Errorf("%d: %s", early, got)
		}
	}
}

// TestLabelsAfterTheirAge are told of from one in ten labels on, with an age that would be enough.
func TestLabelsAfterTheirAge(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		late, labels int
		age          time.Duration
		want         string
	}{
		"none":     {0, 600, 30 * day, ""},
		"few":      {59, 600, 30 * day, ""},
		"many":     {60, 600, 30 * day, "60 of 600 labels come more than 30 days after their records, which no longer wait then, so these labels are not learnt (unmatched_label): set the longest time after which an outcome is known; 95 % of these labels come within 180 days"},
		"all":      {600, 600, 180 * time.Hour, "600 of 600 labels come more than 7.5 days after"},
		"no age":   {600, 600, 0, ""},
		"too few":  {find.Enough - 1, find.Enough - 1, day, ""},
		"no times": {0, 0, day, ""},
	} {
		records, err := seen.New(inspecttest.With(inspecttest.Ignoring))
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.labels {
			delay := day / 2
			if i < c.late {
				delay = 180 * day
			}
			records.Delays = append(records.Delays, delay)
		}
		records.Age = c.age
		search := find.New(records)
		keys.Identifiers(search)
		if got := fmt.Sprint(search.Found); strings.Contains(got, "stream.labels.age") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
