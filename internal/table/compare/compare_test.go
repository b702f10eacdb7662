package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/compare"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// made are two tables of a column "a": 2,000 and 1,000 records, whose values, empty ones included, two functions give.
func made(first, second func(i int, r *rand.Rand) string) (a, b *table.Table) {
	of := func(records int, value func(i int, r *rand.Rand) string) *table.Table {
		return tabletest.Made(new(table.Table), records, func(i int, r *rand.Rand) map[string]string {
			return map[string]string{"a": value(i, r), "b": "x"}
		})
	}
	return of(2000, first), of(1000, second)
}

// TestUnlike: what of a column is otherwise in other records, if it is large and no chance.
func TestUnlike(t *testing.T) {
	number := func(low, high float64) func(int, *rand.Rand) string {
		return func(_ int, r *rand.Rand) string { return fmt.Sprintf("%.3f", low+(high-low)*r.Float64()) }
	}
	text := func(n int, form string) func(int, *rand.Rand) string {
		return func(_ int, r *rand.Rand) string { return fmt.Sprintf(form, r.IntN(n)) }
	}
	some := func(share float64, of func(int, *rand.Rand) string) func(int, *rand.Rand) string {
		return func(i int, r *rand.Rand) string { return tabletest.At(r.Float64() < share, of(i, r)) }
	}
	either := func(share float64, a, b func(int, *rand.Rand) string) func(int, *rand.Rand) string {
		return func(i int, r *rand.Rand) string {
			if r.Float64() < share {
				return a(i, r)
			}
			return b(i, r)
		}
	}
	code := func(least, n int) func(int, *rand.Rand) string {
		return func(_ int, r *rand.Rand) string { return fmt.Sprint(least + r.IntN(n)) }
	}
	uneven := func(_ int, r *rand.Rand) string { return fmt.Sprint(1 + min(r.IntN(8), r.IntN(8), r.IntN(8))) }
	for name, c := range map[string]struct {
		first, second func(int, *rand.Rand) string
		want          string // of column a
	}{
		"the same numbers":             {number(0, 1), number(0, 1), ""},
		"the same texts":               {text(5, "p%d"), text(5, "p%d"), ""},
		"a few are missing":            {number(0, 1), some(.93, number(0, 1)), ""},
		"many are missing":             {number(0, 1), some(.85, number(0, 1)), "missing"},
		"many were missing":            {some(.5, number(0, 1)), number(0, 1), "missing"},
		"all are missing":              {number(0, 1), some(0, number(0, 1)), "missing"},
		"numbers of another kind":      {number(0, 1), number(.3, 1.3), "spread"},
		"numbers that moved a little":  {number(0, 1), number(.05, 1.05), ""},
		"texts that became frequent":   {text(5, "p%d"), either(.6, text(1, "p%d"), text(5, "p%d")), "spread"},
		"texts that are somewhat more": {text(5, "p%d"), either(.1, text(1, "p%d"), text(5, "p%d")), ""},
		"texts that nobody had":        {text(5, "p%d"), either(.1, text(2, "q%d"), text(5, "p%d")), "new"},
		"few texts that nobody had":    {text(5, "p%d"), either(.02, text(2, "q%d"), text(5, "p%d")), ""},
		"texts that are always new":    {text(1e9, "p%d"), text(1e9, "p%d"), ""},
		"reassigned codes":             {code(1, 8), uneven, "codes"},
		"whole numbers, from 3 on":     {code(3, 8), func(i int, r *rand.Rand) string { return fmt.Sprint(3 + min(r.IntN(8), r.IntN(8), r.IntN(8))) }, "spread"},
		"numbers beside some texts":    {either(.97, number(0, 1), text(5, "p%d")), either(.97, number(.3, 1.3), text(5, "p%d")), "spread"},
	} {
		a, b := made(c.first, c.second)
		got := ""
		for _, d := range compare.Unlike(a, b, func(name string) bool { return name == "a" }) {
			switch {
			case d.Column != "a" || d.With != "":
				got += fmt.Sprintf("%+v", d)
			case d.Missing:
				got += "missing"
				if math.Abs(d.Was-missing(a)) > 1e-9 || math.Abs(d.Is-missing(b)) > 1e-9 {
					t.Errorf("%s: %v, then %v are missing", name, d.Was, d.Is)
				}
			case d.New:
				if got += "new"; math.Abs(d.Is-.1) > .03 {
					t.Errorf("%s: %v are new", name, d.Is)
				}
			case d.Codes:
				got += "codes"
			default:
				got += "spread"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	a, b := made(number(0, 1), number(5, 6))
	if found := compare.Unlike(a, b, func(string) bool { return false }); found != nil {
		t.Errorf("of no column that is meant: %+v", found)
	}
	few := tabletest.Made(new(table.Table), 199, func(_ int, r *rand.Rand) map[string]string {
		return map[string]string{"a": fmt.Sprint(5 + r.Float64())}
	})
	if found := compare.Unlike(a, few, tabletest.Anything); found != nil {
		t.Errorf("of few records: %+v", found)
	}
}

func missing(t *table.Table) float64 { return 1 - float64(t.Column("a").Values())/float64(t.Rows()) }

// TestExchanged: two columns of which each is as the other was.
func TestExchanged(t *testing.T) {
	pair := func(records int, first, second float64) *table.Table {
		return tabletest.Made(new(table.Table), records, func(_ int, r *rand.Rand) map[string]string {
			return map[string]string{"a": fmt.Sprint(first + r.Float64()), "b": fmt.Sprint(second + r.Float64()), "c": fmt.Sprint(r.Float64())}
		})
	}
	found := compare.Unlike(pair(2000, 0, 5), pair(1000, 5, 0), tabletest.Anything)
	if len(found) != 2 || found[0].Column != "a" || found[0].With != "b" || found[1].With != "a" {
		t.Errorf("%+v", found)
	}
	for _, d := range compare.Unlike(pair(2000, 0, 5), pair(1000, 5, 3), tabletest.Anything) {
		if d.With != "" {
			t.Errorf("b is not what a was: %+v", d)
		}
	}
}

// TestPositives: a share of positive labels that is another one.
func TestPositives(t *testing.T) {
	of := func(records, positive int) *table.Table {
		return tabletest.Made(new(table.Table), records, func(i int, _ *rand.Rand) map[string]string {
			return map[string]string{"a": "x", "label": fmt.Sprint(map[bool]int{true: 1}[i < positive])}
		})
	}
	for name, c := range map[string]struct {
		was, is int // of 2000, of 1000
		want    bool
	}{
		"the same": {600, 300, false}, "somewhat more": {600, 405, false}, "a ninth more": {600, 412, true}, "a ninth less": {600, 188, true},
		"small, three times": {40, 70, true}, "small, twice": {40, 40, false}, "by chance": {2, 6, false}, "large": {1960, 920, true},
	} {
		was, is, differ := compare.Positives(of(2000, c.was), of(1000, c.is))
		if differ != c.want || math.Abs(was-float64(c.was)/2000) > 1e-12 || math.Abs(is-float64(c.is)/1000) > 1e-12 {
			t.Errorf("%s: from %v to %v, %v", name, was, is, differ)
		}
	}
	if _, _, differ := compare.Positives(of(2000, 100), of(199, 150)); differ {
		t.Error("of few records")
	}
	if _, _, differ := compare.Positives(of(2000, 100), of(200, 150)); !differ {
		t.Error("of as many as it takes")
	}
}

// TestCopied: the share of other records that are copies, though a column with a value of its own differs.
func TestCopied(t *testing.T) {
	fields := func(n uint64) map[string]string {
		r := rand.New(rand.NewPCG(n, 9))
		return map[string]string{"b": fmt.Sprint(r.IntN(100)), "c": fmt.Sprint(r.IntN(100)), "d": fmt.Sprint(r.IntN(100)), "label": fmt.Sprint(r.IntN(2))}
	}
	own := 0
	of := func(records int, number func(i int) uint64, less ...string) *table.Table {
		return tabletest.Made(new(table.Table), records, func(i int, _ *rand.Rand) map[string]string {
			row := fields(number(i))
			for _, name := range less {
				delete(row, name)
			}
			own++
			row["a"] = fmt.Sprint("own", own)
			return row
		})
	}
	first := func(i int) uint64 { return uint64(i) }
	for name, c := range map[string]struct {
		number func(i int) uint64
		want   float64
	}{
		"none": {func(i int) uint64 { return uint64(1e6 + i) }, 0}, "half": {func(i int) uint64 { return uint64(i%2*(1e6) + i) }, .5}, "all": {first, 1},
		"a fifth": {func(i int) uint64 { return uint64(min(i%5, 1)*1e6 + i) }, .2}, "one in twenty": {func(i int) uint64 { return uint64(min(i%20, 1)*1e6 + i) }, 0},
	} {
		share, names := compare.Copied(of(2000, first), of(1000, c.number), tabletest.Anything)
		if math.Abs(share-c.want) > .01 || c.want > 0 && fmt.Sprint(names) != "[a]" {
			t.Errorf("%s: %v, own %v", name, share, names)
		}
	}
	if share, _ := compare.Copied(of(2000, first, "c", "d"), of(1000, first, "c", "d"), tabletest.Anything); share > 0 {
		t.Errorf("one column and the label show copies: %v", share)
	}
	if share, _ := compare.Copied(of(2000, first), of(1000, first), func(name string) bool { return name != "a" }); share > 0 {
		t.Errorf("without a column of its own: %v", share)
	}
	if share, _ := compare.Copied(of(2000, first), of(199, first), tabletest.Anything); share > 0 {
		t.Errorf("of few records: %v", share)
	}
	// Of 16,000 records the table keeps some, and of the copies as few are found.
	if share, _ := compare.Copied(of(16_000, first), of(1000, first), tabletest.Anything); math.Abs(share-1) > .15 {
		t.Errorf("of a part of the records: %v", share)
	}
}
