package model_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// hoursConfig predicts the hours per week of the Adult records, with men and women bounded.
func hoursConfig(tau float64) model.Config {
	c := adultConfig(model.Adaptive)
	c.Record.Label = record.Label{Field: "hours_per_week"}
	c.Learner.Task = model.Regression
	c.Constraints[0].Tau, c.Constraints[0].Threshold = tau, 0
	return c
}

// hoursRecords are the Adult records with that label.
func hoursRecords(tb testing.TB) (learnt, heldOut []record.Record) {
	tb.Helper()
	text, err := adultText()
	if err != nil {
		tb.Fatal(err)
	}
	for i, r := range readRecords(tb, hoursConfig(1), text) {
		if adult.IsHeldOut(i) {
			heldOut = append(heldOut, r)
		} else {
			learnt = append(learnt, r)
		}
	}
	return learnt, heldOut
}

// batch is the solution of the constrained least-squares problem on all records at once, on the columns of
// a document: the normal equations, and the point on the line along which the multiplier moves the weights
// at which the difference of the means is the bound.
type batch struct {
	scorer *document.Scorer
	weight []float64
}

func newBatch(t *testing.T, d *document.Document, records []record.Record, bound float64) *batch {
	t.Helper()
	scorer, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for i := range records {
		for _, j := range scorer.Encode(&records[i]).Index {
			size = max(size, int(j)+1)
		}
	}
	normal := mat.NewSymDense(size, nil)
	right, gap := mat.NewVecDense(size, nil), mat.NewVecDense(size, nil)
	sides := map[string]float64{"Male": 0, "Female": 0}
	side := func(r *record.Record) string { return string(r.Attributes[0].Text) }
	for i := range records {
		sides[side(&records[i])]++
	}
	for i := range records {
		r := &records[i]
		row := scorer.Encode(r)
		share := 1 / sides[side(r)]
		if side(r) == "Female" {
			share = -share
		}
		for a, j := range row.Index {
			right.SetVec(int(j), right.AtVec(int(j))+row.At(a)*r.Label)
			gap.SetVec(int(j), gap.AtVec(int(j))+row.At(a)*share)
			for b, k := range row.Index {
				if k >= j {
					normal.SetSym(int(j), int(k), normal.At(int(j), int(k))+row.At(a)*row.At(b))
				}
			}
		}
	}
	for j := range size {
		normal.SetSym(j, j, normal.At(j, j)+1) // bins and coarse bins repeat each other
	}
	var factors mat.Cholesky
	if !factors.Factorize(normal) {
		t.Fatal("the normal equations are singular")
	}
	var weight, direction mat.VecDense
	if err := factors.SolveVecTo(&weight, right); err != nil {
		t.Fatal(err)
	}
	if err := factors.SolveVecTo(&direction, gap); err != nil {
		t.Fatal(err)
	}
	if found := mat.Dot(gap, &weight); math.Abs(found) > bound {
		weight.AddScaledVec(&weight, (math.Copysign(bound, found)-found)/mat.Dot(gap, &direction), &direction)
	}
	return &batch{scorer, weight.RawVector().Data}
}

func (b *batch) measure(records []record.Record) (mse, difference float64) {
	var sums, counts [2]float64
	for i := range records {
		r := &records[i]
		row, p := b.scorer.Encode(r), 0.0
		for a, j := range row.Index {
			if int(j) < len(b.weight) {
				p += b.weight[j] * row.At(a)
			}
		}
		mse += (p - r.Label) * (p - r.Label) / float64(len(records))
		side := 0
		if string(r.Attributes[0].Text) == "Female" {
			side = 1
		}
		sums[side] += p
		counts[side]++
	}
	return mse, sums[0]/counts[0] - sums[1]/counts[1]
}

func evaluate(t *testing.T, d *document.Document, records []record.Record) document.Report {
	t.Helper()
	e, err := document.NewEvaluation(d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		e.Add(&records[i])
	}
	return e.Report()
}

// columnNorm is the standard deviation of what the c-th column adds to predictions.
func columnNorm(t *testing.T, d *document.Document, records []record.Record, c int) float64 {
	t.Helper()
	scorer, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	with, sum, squares := clone(&records[0]), 0.0, 0.0
	for i := range records {
		with.Features[c] = records[i].Features[c] // all else is that of the first record
		p := scorer.Margin(&with)
		sum += p
		squares += p * p
	}
	n := float64(len(records))
	return math.Sqrt(max(0, squares/n-sum/n*sum/n))
}
