package keys_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// person is the i-th of some records: half of each group, of whom every third has a positive label.
func person(i int) map[string]any {
	return map[string]any{"sex": []string{"m", "f"}[i%2], "y": i / 2 % 3 % 2, "age": 20 + i%13}
}

// A bound is a number of records with a configuration, at which something is just told of, or just not.
type bound struct {
	name    string
	records int
	config  func(c *model.Config)
	change  func(i int, row map[string]any) // nil: none
	of      func(r *seen.Records)
}

// TestKeysAtTheirBounds: what each check of the keys says where it just says something, and where it just does not.
func TestKeysAtTheirBounds(t *testing.T) {
	const day = 24 * time.Hour
	constraint := func(change func(c *model.Constraint)) func(c *model.Config) {
		return func(c *model.Config) { change(&c.Constraints[0]) }
	}
	set := func(name string, value func(i int) any) func(int, map[string]any) {
		return func(i int, row map[string]any) { row[name] = value(i) }
	}
	without := func(name string, is func(i int) bool) func(int, map[string]any) {
		return func(i int, row map[string]any) {
			if is(i) {
				delete(row, name)
			}
		}
	}
	label := func(positive func(i int) bool) func(int, map[string]any) {
		return set("y", func(i int) any { return map[bool]int{true: 1}[positive(i)] })
	}
	delays := func(late, all int) func(r *seen.Records) {
		return func(r *seen.Records) {
			r.Age = day
			for i := range all {
				r.Delays = append(r.Delays, day+map[bool]time.Duration{true: day}[i < late])
			}
		}
	}
	forty, fifty := 40., 50.
	var text strings.Builder
	for _, b := range []bound{
		{name: "nothing odd", records: 600},
		{name: "tau of half", records: 600, config: constraint(func(c *model.Constraint) { c.Tau = .5 })},
		{name: "tau below half", records: 600, config: constraint(func(c *model.Constraint) { c.Tau = .499 })},
		{name: "a ratio of half", records: 600, config: constraint(func(c *model.Constraint) { c.Criterion, c.Tau = fairness.ImpactRatio, .5 })},
		{name: "a ratio below half", records: 600, config: constraint(func(c *model.Constraint) { c.Criterion, c.Tau = fairness.ImpactRatio, .499 })},
		{name: "thirteen numbers", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age"}, model.Values("20"), model.Values("21")
		})},
		{name: "twelve numbers", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age"}, model.Values("20"), model.Values("21")
		}), change: set("age", func(i int) any { return 20 + i%12 })},
		{name: "of two attributes", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age", "sex"}, model.Values("20", "m"), model.Values("21", "f")
		})},
		{name: "rest with unknown", records: 600, config: constraint(func(c *model.Constraint) { c.Versus = model.Values("rest") }), change: func(i int, row map[string]any) {
			if i%4 == 1 {
				row["sex"] = "unknown"
			}
		}},
		{name: "rest of twelve numbers", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age"}, model.Values("20"), model.Values("rest")
		}), change: set("age", func(i int) any { return []any{20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 99}[i%12] })},
		{name: "rest of numbers", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age"}, model.Values("20"), model.Values("rest")
		}), change: set("age", func(i int) any { return []any{20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 99}[i%13] })},
		{name: "rest of two attributes", records: 600, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"age", "sex"}, model.Values("20", "m"), model.Values("rest")
		})},
		{name: "an attribute with the name of a label", records: 600, config: constraint(func(c *model.Constraint) { c.Attribute = model.OneOrMore{"approved"} }),
			change: func(i int, row map[string]any) { row["approved"] = row["sex"]; delete(row, "sex") }},
		{name: "a label with the name of an attribute", records: 600, config: func(c *model.Config) {
			c.Record.Label.Field = "gender"
		}, change: func(i int, row map[string]any) { row["gender"] = row["y"]; delete(row, "y") }},
		{name: "an attribute as a feature", records: 600, config: func(c *model.Config) { c.Record.Features = []string{"age", "sex"} }},
		{name: "crosses and columns", records: 600, config: func(c *model.Config) {
			c.Learner.Crosses = [][]string{{"age", "size"}}
			c.Learner.Columns = map[string]features.ColumnConfig{"zeal": {}, "age": {}, "area": {}}
		}},
		{name: "names in one text", records: 600, config: func(c *model.Config) { c.Record.Ignore = []string{"age, sex", "age; size", "age,", "'age'|[sex]"} }},
		{name: "thirty on each side", records: 60},
		{name: "thirty on one side", records: 59},
		{name: "no enforced constraint", records: 59, config: func(c *model.Config) { off := false; c.Constraints[0].Enforce = &off }},
		{name: "an attribute that none has", records: 300, change: func(_ int, row map[string]any) { row["sex"] = nil }},
		{name: "ranges of texts", records: 300, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"sex"}, model.Group{{Range: &fairness.Range{Below: &forty}}}, model.Group{{Range: &fairness.Range{From: &forty}}}
		})},
		{name: "a range of the other side", records: 300, config: constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"sex", "age"}, model.Group{{Values: []string{"m"}}, {Range: &fairness.Range{Below: &forty}}}, model.Group{{Values: []string{"f"}}, {Range: &fairness.Range{From: &fifty}}}
		}), change: func(_ int, row map[string]any) { row["age"] = "x" + fmt.Sprint(row["age"]) }},
		{name: "a group that counts as missing", records: 300, config: func(c *model.Config) {
			c.Record.Missing = []record.Text{"f"}
		}, change: set("sex", func(i int) any { return []string{"m", "f", "d"}[i%3] })},
		{name: "everybody", records: 300, config: constraint(func(c *model.Constraint) { c.Versus = model.Values("All") })},
		{name: "one label, by chance", records: 300, change: label(func(i int) bool { return i%2 == 0 && i < 46 || i%2 == 1 && i%4 == 1 })},
		{name: "one label of a group", records: 300, change: label(func(i int) bool { return i%2 == 0 || i%4 == 1 })},
		{name: "no label of a group", records: 300, change: label(func(i int) bool { return i%4 == 1 })},
		{name: "one in a hundred", records: 600, change: label(func(i int) bool { return i%100 == 0 })},
		{name: "less than one in a hundred", records: 600, change: label(func(i int) bool { return i%101 == 0 && i < 500 })},
		{name: "more than 99 in a hundred", records: 600, change: label(func(i int) bool { return i%101 != 0 || i > 500 })},
		{name: "labels that are null", records: 300, change: func(_ int, row map[string]any) { row["y"] = nil }},
		{name: "a third is rejected", records: 600, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return []int{-1, 1, 1}[i/2%3] })},
		{name: "more are rejected", records: 602, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return []int{-1, 1, 1}[i/2%3] })},
		{name: "bad times", records: 300, config: func(c *model.Config) { c.Record.Time.Field = "at" }, change: set("at", func(int) any { return "yesterday" })},
		{name: "bad times of labels", records: 300, config: func(c *model.Config) { c.Record.Time.Field, c.Record.Label.Time = "began", "at" }, change: set("at", func(int) any { return "yesterday" })},
		{name: "bad times of fields", records: 300, config: func(c *model.Config) { c.Record.Times = []record.Times{{Field: "age2"}, {Field: "at"}} }, change: set("at", func(int) any { return "yesterday" })},
		{name: "bad weights", records: 300, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(int) any { return "x" })},
		{name: "the header again", records: 300, config: func(c *model.Config) { c.Record.Label.Positive = "yes" }, change: func(i int, row map[string]any) {
			row["y"] = map[bool]string{true: "yes", false: "no"}[i/2%3 == 0]
			if i%100 == 50 {
				row["y"] = "y"
			}
		}},
		{name: "the header and another", records: 300, config: func(c *model.Config) { c.Record.Label.Positive = "yes" }, change: func(i int, row map[string]any) {
			row["y"] = []string{"yes", "no", "pending"}[i/2%3]
			if i%100 == 50 {
				row["y"] = "y"
			}
		}},
		{name: "the header as the positive value", records: 300, config: func(c *model.Config) { c.Record.Label = record.Label{Field: "paid", Positive: "1"} }, change: func(i int, row map[string]any) {
			row["paid"] = fmt.Sprint(i / 2 % 3 % 2)
			if delete(row, "y"); i%100 == 50 {
				row["paid"] = "paid"
			}
		}},
		{name: "two values", records: 300, config: func(c *model.Config) { c.Record.Label.Positive = "yes" }, change: set("y", func(i int) any { return []string{"yes", "no"}[i/2%3%2] })},
		{name: "99 unknown", records: 298, change: without("sex", func(i int) bool { return i < 99 })},
		{name: "100 unknown, as the others", records: 500, change: without("sex", func(i int) bool { return i < 100 })},
		{name: "100 unknown and 100 known, apart by a fifth", records: 200, change: func(i int, row map[string]any) {
			if row["y"] = 0; i < 100 {
				delete(row, "sex")
				row["y"] = map[bool]int{true: 1}[i < 50]
			} else if i < 125 {
				row["y"] = 1
			}
		}},
		{name: "100 unknown and 99 known", records: 199, change: func(i int, row map[string]any) {
			if row["y"] = 0; i < 100 {
				delete(row, "sex")
				row["y"] = map[bool]int{true: 1}[i < 50]
			}
		}},
		{name: "half unknown", records: 600, change: without("sex", func(i int) bool { return i/6%2 == 0 })},
		{name: "more than half unknown", records: 606, change: without("sex", func(i int) bool { return i/6%2 == 0 })},
		{name: "half without a stratum", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: func(i int, row map[string]any) {
			if i/6%2 == 0 {
				row["part"] = []string{"a", "b"}[i/12%2]
			}
		}},
		{name: "most without a stratum", records: 606, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: func(i int, row map[string]any) {
			if i/6%2 == 1 {
				row["part"] = []string{"a", "b"}[i/12%2]
			}
		}},
		{name: "a third without a stratum", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return map[bool]any{true: "a"}[i >= 200] })},
		{name: "more than a third without a stratum", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return map[bool]any{true: "a"}[i >= 201] })},
		{name: "some without a stratum, and some alone in one", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: func(i int, row map[string]any) {
			if row["part"] = "a"; i < 120 {
				delete(row, "part")
			} else if i < 240 {
				row["part"] = []string{"b", "c"}[i%2]
			}
		}},
		{name: "too many strata of both groups", records: 2000, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return fmt.Sprint("p", i/2%700) })},
		{name: "too many strata", records: 2000, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return fmt.Sprint("p", i%700) })},
		{name: "lopsided strata", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return []string{"a", "b", "c", "c"}[i%4] })},
		{name: "lopsided strata of few", records: 199, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return []string{"a", "b"}[i%2] })},
		{name: "a key of a fifth", records: 600, config: func(c *model.Config) { c.Record.Key = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%120) })},
		{name: "a key of less than a fifth", records: 600, config: func(c *model.Config) { c.Record.Key = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%119) })},
		{name: "a key of few records", records: 199, config: func(c *model.Config) { c.Record.Key = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%3) })},
		{name: "a key with labels", records: 600, config: func(c *model.Config) { c.Record.Key = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%200) }), of: func(r *seen.Records) { r.Labels = 401 }},
		{name: "identifiers of nine tenths", records: 1000, config: func(c *model.Config) { c.Record.ID = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%900) })},
		{name: "identifiers of less", records: 1000, config: func(c *model.Config) { c.Record.ID = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%899) })},
		{name: "late by its age", records: 600, of: delays(20, 200)},
		{name: "late of few", records: 600, of: delays(20, 199)},
		{name: "fewer are late", records: 600, of: delays(19, 200)},
		{name: "persons", records: 600, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%200) })},
		{name: "persons are named", records: 600, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%200) }), of: func(r *seen.Records) { r.Cluster = "person_id" }},
		{name: "persons of few records", records: 199, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%100) })},
		{name: "persons of fifty records", records: 600, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%12) })},
		{name: "persons of more", records: 660, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%12) })},
		{name: "persons that are learnt", records: 600, change: set("person_id", func(i int) any { return 1000 + i*7%100 })},
		{name: "few persons that are learnt", records: 600, change: set("person_id", func(i int) any { return 1000 + i*7%99 })},
		{name: "weights of a quarter", records: 600, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return map[bool]int{true: 1}[i%4 == 0] })},
		{name: "weights of less", records: 604, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return map[bool]int{true: 1}[i%4 == 3 && i > 8] })},
		{name: "weights of few", records: 199, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return map[bool]int{true: 1}[i%9 == 0] })},
		{name: "an amount as the weight", records: 600, config: func(c *model.Config) { c.Record.Weight = "amount" }, change: set("amount", func(i int) any { return 100 + i%seen.LeastScores })},
		{name: "few amounts as the weight", records: 600, config: func(c *model.Config) { c.Record.Weight = "amount" }, change: set("amount", func(i int) any { return 100 + i%(seen.LeastScores-1) })},
		{name: "an amount of few records", records: 199, config: func(c *model.Config) { c.Record.Weight = "amount" }, change: set("amount", func(i int) any { return 100 + i })},
		{name: "no records", records: 0},
		{name: "a key of 200 records", records: 200, config: func(c *model.Config) { c.Record.Key = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%3) })},
		{name: "identifiers of 200 records", records: 200, config: func(c *model.Config) { c.Record.ID = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%100) })},
		{name: "identifiers of few records", records: 199, config: func(c *model.Config) { c.Record.ID = "id" }, change: set("id", func(i int) any { return fmt.Sprint("k", i%100) })},
		{name: "persons of 200 records", records: 200, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%100) })},
		{name: "persons of fifty of 200 records", records: 200, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%4) })},
		{name: "persons of 66 of 200 records", records: 200, config: func(c *model.Config) { c.Record.Ignore = []string{"person_id"} }, change: set("person_id", func(i int) any { return fmt.Sprint("p", i%3) })},
		{name: "weights of 200 records", records: 200, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(i int) any { return map[bool]int{true: 1}[i%9 == 0] })},
		{name: "weights of nothing", records: 600, config: func(c *model.Config) { c.Record.Weight = "w" }, change: set("w", func(int) any { return 0 })},
		{name: "an amount of 200 records", records: 200, config: func(c *model.Config) { c.Record.Weight = "amount" }, change: set("amount", func(i int) any { return 100 + i%120 })},
		{name: "lopsided strata of 200", records: 200, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: set("part", func(i int) any { return []string{"a", "b"}[i%2] })},
		{name: "a third without a stratum, and some alone in one", records: 600, config: constraint(func(c *model.Constraint) { c.Strata = "part" }), change: func(i int, row map[string]any) {
			if row["part"] = "a"; i < 200 {
				delete(row, "part")
			} else if i < 260 {
				row["part"] = []string{"b", "c"}[i%2]
			}
		}},
		{name: "bad times of the first field", records: 300, config: func(c *model.Config) { c.Record.Times = []record.Times{{Field: "at"}, {Field: "age2"}} }, change: set("at", func(int) any { return "yesterday" })},
		{name: "the header more often than the other value", records: 300, config: func(c *model.Config) { c.Record.Label = record.Label{Field: "paid", Positive: "1"} }, change: func(i int, row map[string]any) {
			delete(row, "y")
			row["paid"] = []string{"1", "paid", "paid", "0"}[i/2%4]
		}},
		{name: "very many labels", records: 600, config: func(c *model.Config) { c.Record.Label.Positive = "v0" }, change: set("y", func(i int) any { return fmt.Sprint("v", i/3) })},
		{name: "unknown by a fifth", records: 200, change: func(i int, row map[string]any) {
			if row["y"] = map[bool]int{true: 1}[i%10 < 3]; i < 100 {
				delete(row, "sex")
				row["y"] = map[bool]int{true: 1}[i%2 == 0]
			}
		}},
		{name: "unknown, and nothing positive", records: 300, change: func(i int, row map[string]any) {
			if row["y"] = 0; i < 100 {
				delete(row, "sex")
			}
		}},
		{name: "codes of a tenth", records: 1000, change: func(i int, row map[string]any) {
			if i%10 == 0 {
				row["sex"] = fmt.Sprint(1 + i/10%2)
			}
		}},
		{name: "codes of less", records: 1000, change: func(i int, row map[string]any) {
			if i%10 == 0 && i > 0 {
				row["sex"] = fmt.Sprint(1 + i/10%2)
			}
		}},
		{name: "one code", records: 1000, change: func(i int, row map[string]any) {
			if i%5 == 0 {
				row["sex"] = "1"
			}
		}},
	} {
		fmt.Fprintf(&text, "== %s\n", b.name)
		for _, f := range b.found(t) {
			fmt.Fprintln(&text, map[bool]string{true: "Error: ", false: "Warning: "}[f.Fatal]+f.String())
		}
	}
	goldentest.Compare(t, "bounds.txt", text.String())
}

// found is what all checks of the keys say, each in the place that it has among them.
func (b bound) found(t *testing.T) []find.Finding {
	t.Helper()
	c := inspecttest.With(func(c *model.Config) {
		c.Record.Label = record.Label{Field: "y", Positive: "1"}
		c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"sex"}, model.Values("m"), model.Values("f")
	})
	if b.config != nil {
		b.config(&c)
	}
	r, err := seen.New(c)
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	for i := range b.records {
		row := person(i)
		if b.change != nil {
			b.change(i, row)
		}
		raw, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Add(raw) // what is rejected is counted
	}
	if b.of != nil {
		b.of(r)
	}
	s := find.New(r)
	for _, check := range []func(*find.Search){keys.Labels, keys.Further, keys.Turned, keys.Unbounded, keys.Bounds, keys.Twice, keys.Groups, keys.Fields, keys.Resembling, keys.Spellings, keys.Single, keys.Rests, keys.Roles,
		keys.Lopsided, keys.Unknown, keys.Identifiers, keys.Persons, keys.Weights, keys.Weighting} {
		check(s)
	}
	return s.Found
}
