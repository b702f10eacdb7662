package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// TestSmallCategories: with less than 2 % of the applicants one may be left out, and not with 2 %.
func TestSmallCategories(t *testing.T) {
	for _, of := range []int64{2, 1} {
		i := Impact{Level: .95}
		i.add(bySex, []Row{{Sex: "a", Applicants: 100 - of, Selected: 10}, {Sex: "b", Applicants: of, Selected: 1}})
		if rows := i.Tables[0].Rows; rows[0].MayBeLeftOut || rows[1].MayBeLeftOut != (of == 1) {
			t.Errorf("%d of 100: %+v", of, rows)
		}
		var text bytes.Buffer
		if err := WriteCSV(&text, &i); err != nil {
			t.Fatal(err)
		}
		yes := 0
		for line := range strings.Lines(text.String()) {
			if strings.HasSuffix(line, ",yes\n") {
				yes++
			}
		}
		if want := int(2 - of); yes != want {
			t.Errorf("%d lines may be left out, want %d:\n%s", yes, want, text.String())
		}
	}
}

type full struct{}

var errFull = errors.New("the disk is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestCSVThatCannotBeWritten, whether it is short or long.
func TestCSVThatCannotBeWritten(t *testing.T) {
	for _, rows := range []int{1, 10_000} {
		i := &Impact{Tables: []Table{{bySex, slices.Repeat([]Row{{Sex: "a"}}, rows)}}}
		if err := WriteCSV(full{}, i); !errors.Is(err, errFull) {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

// TestThePriceOfARegression is told in squared errors, and that of a classification in accuracy.
func TestThePriceOfARegression(t *testing.T) {
	var with, without document.Report
	with.Predictions, without.Predictions = &document.Predictions{MSE: fairness.Measure{Value: 3}}, &document.Predictions{MSE: fairness.Measure{Value: 2}}
	if words := price(&with, &without); !strings.HasPrefix(words, "With constraints, mean squared error is 3 ") || !strings.Contains(words, "Without them, it is 2 ") {
		t.Error(words)
	}
	with.Predictions, with.Decisions = nil, &document.Decisions{Accuracy: fairness.Measure{Value: .5}}
	without.Decisions = &document.Decisions{Accuracy: fairness.Measure{Value: .75}}
	if words := price(&with, &without); !strings.HasPrefix(words, "With constraints, accuracy is 0.5 ") || !strings.Contains(words, "Without them, it is 0.75 ") {
		t.Error(words)
	}
}

// TestNamesOfGroups: a value that is not known, one of the values that are not told, and a value.
func TestNamesOfGroups(t *testing.T) {
	g := &monitor.GroupReport{Attributes: []string{"a", "b", "c"}, Values: []string{"", "", "v"}, Levels: []fairness.Level{fairness.MissingLevel, 7, 8}}
	if name := groupName(g); !strings.Contains(name, "a=unknown") || !strings.Contains(name, "b=all other values") || !strings.Contains(name, "c=v") {
		t.Error(name)
	}
}

// TestListsOfACard are never null, begin with what its owners say, whose own lists stay as they were, and are about a model that can be read.
func TestListsOfACard(t *testing.T) {
	d := loans(t)
	d.Constraints, d.Measurements.UnconstrainedRecent = nil, nil
	card, err := NewCard(d, Evidence{}, Card{})
	if err != nil {
		t.Fatal(err)
	}
	if c := card.Considerations; c.Tradeoffs == nil || c.Ethical == nil || len(c.Tradeoffs)+len(c.Ethical) != 0 {
		t.Errorf("%+v", c)
	}
	var own Card
	own.Considerations.Ethical = append(make([]Risk, 0, 9), Risk{Name: "ours"})
	own.Considerations.Tradeoffs = append(make([]Said, 0, 9), Said{"ours"})
	spare, room := own.Considerations.Ethical[:9], own.Considerations.Tradeoffs[:9]
	if card, err = NewCard(loans(t), Evidence{}, own); err != nil || len(card.Considerations.Ethical) < 2 || card.Considerations.Ethical[0].Name != "ours" || card.Considerations.Tradeoffs[0].Description != "ours" {
		t.Errorf("%v: %+v", err, card.Considerations)
	}
	if spare[1] != (Risk{}) || room[1] != (Said{}) {
		t.Errorf("the lists of the owners hold %+v and %+v", spare, room)
	}
	d.Model = []byte(`{"columns":3}`)
	if card, err := NewCard(d, Evidence{}, Card{}); err == nil {
		t.Errorf("of a damaged model: %+v", card)
	}
}

// TestNumbersOfALine are decimal.
func TestNumbersOfALine(t *testing.T) {
	var text strings.Builder
	if err := WriteCSV(&text, &Impact{Tables: []Table{{Name: "sex", Rows: []Row{{Sex: "f", Applicants: 123, Selected: 45}}}}}); err != nil {
		t.Fatal(err)
	}
	if _, line, _ := strings.Cut(text.String(), "\n"); line != ",,,,sex,f,,123,,45,,,,,,,,\n" {
		t.Errorf("%q", line)
	}
}
