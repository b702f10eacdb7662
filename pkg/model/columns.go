package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Declares says whether the configuration asks for a field as a feature by its own name: in record.features,
// learner.columns or learner.crosses. Such a column is never left out.
func (c Config) Declares(field string) bool {
	_, typed := c.Learner.Columns[field]
	return typed || slices.Contains(c.Record.Features, field) ||
		slices.ContainsFunc(c.Learner.Crosses, func(cross []string) bool { return slices.Contains(cross, field) })
}

// absent lists the attributes that no record held back has. The configuration probably misspells them, and then a field
// of which the name is near holds what must not be a feature.
func (l *Learner) absent(first []held) (absent []string) {
	for i, name := range l.config.Attributes() {
		if !slices.ContainsFunc(first, func(h held) bool { return h.levels[i] != fairness.MissingLevel }) {
			absent = append(absent, name)
		}
	}
	return absent
}

// noFeatures lists the columns of the records held back that are no features beyond doubt, such as identifiers: the rule
// is in internal/profile.
func (l *Learner) noFeatures(first []held) (names []string) {
	var seen profile.Profile
	for i := range first {
		seen.Add(&record.Record{Features: first[i].fields})
	}
	for _, column := range seen.NoFeatures() {
		if !l.config.Declares(column.Name) {
			names = append(names, column.Name)
		}
	}
	return names
}

// unlistedValues is the condition that an attribute has more values than are told apart.
func (l *Learner) unlistedValues() []document.Condition {
	attributes := l.grouper.Found().Refused
	if len(attributes) == 0 {
		return nil
	}
	return []document.Condition{{Code: document.GroupsIgnored, Detail: fmt.Sprintf(
		"%s: more values than the %d groups of a constraint of each, or the %d strata: later ones are not compared; list the groups that matter, or use a field with fewer values",
		strings.Join(attributes, ", "), fairness.MostEach, fairness.MostFound)}}
}

// columnConditions are what a person should know of the columns: which are left out, and for which there is no room.
func (l *Learner) columnConditions() (found []document.Condition) {
	add := func(code document.ConditionCode, format string, arguments ...any) {
		found = append(found, document.Condition{Code: code, Detail: fmt.Sprintf(format, arguments...)})
	}
	if left := l.encoder.LeftOut(); len(left) > 0 {
		add(document.ColumnsLeftOut, "%s left out, because nearly every record has a new value (an identifier, a time or free text): list such columns in record.ignore; record.times makes numbers of a time; to use another, declare its type under learner.columns",
			listed(left))
	}
	if column, levels := l.encoder.Crowding(); column != "" {
		add(document.VocabularyFull, "the vocabulary is full, and %q has %d of its %d values: list the column in record.ignore, or raise learner.vocabulary.levels; later values share learner.vocabulary.buckets",
			column, levels, l.config.Learner.Vocabulary.Levels)
	}
	if values := l.encoder.Ignored(); values > 0 {
		add(document.ColumnsIgnored, "%d values were not learnt, because their columns are beyond the first %d: raise learner.vocabulary.columns, or list columns without information in record.ignore",
			values, l.config.Learner.Vocabulary.Columns)
	}
	return found
}

// enoughPerWeight is how many records there should be for each weight in use. With fewer, one pass loses up to 0.02 of accuracy
// to a batch regression, and twice as many records raise it by up to 0.04: docs/learner.md, section "Records with many
// columns".
const enoughPerWeight = 15

// crowdedWeights is the condition that there are few records for the weights in use.
func (l *Learner) crowdedWeights() []document.Condition {
	weights, records := l.method.inUse()
	if records >= enoughPerWeight*weights {
		return nil
	}
	remedy := "accuracy grows with more records; until then, list columns without information in record.ignore"
	if forgetting := l.config.Learner.Forgetting; records >= float64(forgetting) {
		remedy = fmt.Sprintf("raise learner.forgetting, which is %d, or list columns without information in record.ignore", forgetting)
	}
	return []document.Condition{{Code: document.FewRecordsPerWeight, Detail: fmt.Sprintf(
		"%.0f weights are in use, and there are %.1f records for each, fewer than %d: %s", weights, records/weights, enoughPerWeight, remedy)}}
}

// listed names columns in words; of many only the first.
func listed(names []string) string {
	const most = 8
	quoted := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	words := strings.Join(quoted, ", ")
	switch more := len(names) - most; {
	case more > 0:
		return fmt.Sprintf("%s and %d more columns are", words, more)
	case len(names) == 1:
		return words + " is"
	}
	return words + " are"
}
