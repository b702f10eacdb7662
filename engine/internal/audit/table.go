package audit

import (
	"encoding/csv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Row is the decisions of a month about one comparison.
type Row struct {
	Month    string // all for all months, none for records without a time
	Estimate fairness.Estimate
}

// Rows are the comparisons of each month, and of all together. Intervals and shortages are those of the monitor.
func (j *Job) Rows(t *Tally) (rows []Row, err error) {
	config := j.Model.WithDefaults()
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	comparisons := grouper.Comparisons()
	options := fairness.Options{Level: config.Learner.Level, MinimumRecords: float64(config.Learner.MinimumRecords)}
	whole := &Counts{Comparisons: make([]fairness.PairCounts, len(comparisons))}
	add := func(name string, c *Counts) {
		for i, comparison := range comparisons {
			rows = append(rows, Row{name, comparison.Estimate(c.Comparisons[i], options)})
		}
	}
	for _, m := range slices.Sorted(maps.Keys(t.Months)) {
		name := m
		if name == "" {
			name = "none"
		}
		add(name, t.Months[m])
		whole.join(t.Months[m])
	}
	add("all", whole)
	return rows, nil
}

// Write writes rows as CSV. What is not estimable is empty.
func Write(to io.Writer, rows []Row) error {
	out := csv.NewWriter(to)
	lines := [][]string{{"month", "comparison", "criterion", "group", "versus", "n_group", "n_versus", "k_group", "k_versus", "rate_group", "rate_versus", "value", "lo", "hi", "impact_ratio", "status", "reason"}}
	for i := range rows {
		e := &rows[i].Estimate
		line := []string{rows[i].Month, e.Name, string(e.Criterion), e.Group, e.Versus, whole(e.NGroup), whole(e.NVersus)}
		if s := e.RateSides; s != nil {
			line = append(line, whole(s.KGroup), whole(s.KVersus), number(s.RateGroup), number(s.RateVersus), number(e.Value), number(e.Lo), number(e.Hi), number(s.ImpactRatio.Value))
		} else {
			line = append(line, "", "", "", "", number(e.Value), number(e.Lo), number(e.Hi), "")
		}
		lines = append(lines, append(line, string(e.Status), e.Reason))
	}
	return out.WriteAll(lines)
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
