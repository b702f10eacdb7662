package control

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestRecordsThatDoNotCountConcernTheirOwnComparisonAlone: where half of the labels are missing, equal opportunity counts half of the records, and demographic
// parity all of them, whichever is enforced first.
func TestRecordsThatDoNotCountConcernTheirOwnComparisonAlone(t *testing.T) {
	criteria := []fairness.Criterion{fairness.EqualOpportunity, fairness.DemographicParity}
	var of [2]map[fairness.Criterion]constraint
	var decided [2]map[fairness.Criterion]tracked
	for order := range of {
		s := stream{tau: []float64{.05, .05}, criteria: []fairness.Criterion{criteria[order], criteria[1-order]}, relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation1}, window: 300}
		r, _ := s.rates(t)
		r.enter(0)
		r.enter(1)
		for i := range 100 {
			sides := map[fairness.Criterion]fairness.Side{fairness.DemographicParity: fairness.Group, fairness.EqualOpportunity: fairness.Versus}
			if i%3 == 0 {
				sides[fairness.DemographicParity] = fairness.Versus
			}
			record := recordOf([]float64{1, 1, 1}, 1, true)
			record.Margins, record.Relative, record.Published = &linear.Margins{Average: []float64{1, 1, 1}, Iterate: []float64{1, 1, 1}}, 1, float64(1-i%2*2)
			if i%2 == 0 {
				record.Brings, record.Number = Itself, int64(i)+1
				sides[fairness.EqualOpportunity] = fairness.Uncounted
			}
			for _, criterion := range s.criteria {
				record.Sides = append(record.Sides, sides[criterion])
			}
			record.Row = &features.Row{}
			r.Push(record)
		}
		of[order], decided[order] = map[fairness.Criterion]constraint{}, map[fairness.Criterion]tracked{}
		for k, criterion := range s.criteria {
			of[order][criterion], decided[order][criterion] = r.constraints[k], r.tracked[k]
		}
	}
	for _, criterion := range criteria {
		if one, other := of[0][criterion].shares, of[1][criterion].shares; one != other {
			t.Errorf("%s: shares of %v and %v", criterion, one, other)
		}
		if one, other := decided[0][criterion], decided[1][criterion]; one != other {
			t.Errorf("%s: decisions tracked are %v and %v", criterion, one, other)
		}
	}
	if of[0][fairness.DemographicParity].missed != 0 || of[0][fairness.EqualOpportunity].missed != 50 {
		t.Errorf("%v and %v records did not count", of[0][fairness.DemographicParity].missed, of[0][fairness.EqualOpportunity].missed)
	}
}
