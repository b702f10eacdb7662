package heldout

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/compare"
	"github.com/fairstream/fairstream/pkg/record"
)

// Held compares records that are held out with those that were learnt. The zero value has seen none.
type Held struct {
	learnt, held table.Table
	fields       []record.Field
}

// Learnt takes in a record that is learnt, whose attributes have the given names.
func (h *Held) Learnt(rec *record.Record, attributes []string) { h.add(&h.learnt, rec, attributes) }

// Hold takes in a record that is held out.
func (h *Held) Hold(rec *record.Record, attributes []string) { h.add(&h.held, rec, attributes) }

func (h *Held) add(to *table.Table, rec *record.Record, attributes []string) {
	if to.Passes() {
		return
	}
	h.fields = h.fields[:0]
	for a, value := range rec.Attributes {
		h.fields = append(h.fields, record.Field{Name: attributes[a], Text: value.Text, Hash: record.Hash(value.Text), Missing: value.Missing})
	}
	for f := range rec.Features {
		if !slices.Contains(attributes, rec.Features[f].Name) {
			h.fields = append(h.fields, rec.Features[f])
		}
	}
	to.Add(h.fields, rec.HasLabel, rec.Positive, false)
}

// Differences says how the records that are held out are unlike those that were learnt, in the columns that may be meant, and in their labels if the field
// of these is given. It names no value of a record.
func (h *Held) Differences(label string, may func(column string) bool) (said []string) {
	say := func(format string, arguments ...any) { said = append(said, fmt.Sprintf(format, arguments...)) }
	if was, is, differ := compare.Positives(&h.learnt, &h.held); differ && label != "" {
		say("%s of the labels in %q are positive, compared with %s of those that were learnt: are they about the same kind of people, and is the label defined alike? If one of the files was sampled by its label, rates and probabilities do not hold for the other: sample both alike",
			words.Share(is), label, words.Share(was))
	}
	var spread, codes []string
	told := map[string]bool{}
	for _, d := range compare.Unlike(&h.learnt, &h.held, may) {
		switch {
		case told[d.Column]:
		case d.Missing:
			say("%q is missing in %s of the records, and was missing in %s of those that were learnt: does it have another name or form here? Fill it in where the records are made", d.Column, words.Share(d.Is), words.Share(d.Was))
		case d.New:
			say("%s of the records have a text in %q that no learnt record has: is it written in the same words? Write it as it was learnt", words.Share(d.Is), d.Column)
		case d.With != "":
			told[d.With] = true
			say("%q and %q seem to be swapped: each has the values that the other had when it was learnt. Write each under its own name where the records are made", d.Column, d.With)
		case d.Codes:
			codes = append(codes, fmt.Sprintf("%q", d.Column))
		default:
			spread = append(spread, fmt.Sprintf("%q", d.Column))
		}
	}
	if len(codes) > 1 {
		say("the whole numbers in %s have another distribution than when they were learnt: if they are codes, were they assigned separately for each file? One code then has two meanings: assign the codes once, for both files", words.List(codes))
	} else {
		spread = append(codes, spread...)
	}
	if len(spread) > 0 {
		say("the values of %s have another distribution than when they were learnt: are they about the same kind of people, in the same units and words? The measurements hold only for records like these", words.List(spread))
	}
	if copies, own := compare.Copied(&h.learnt, &h.held, func(string) bool { return true }); copies > 0 {
		for i := range own {
			own[i] = fmt.Sprintf("%q", own[i])
		}
		say("about %s of the records are probably copies of learnt ones: far more than by chance, they equal one in every field but %s. Measurements on them do not hold for new records: hold others out, or use --folds 5", words.Share(copies), words.List(own))
	}
	return said
}
