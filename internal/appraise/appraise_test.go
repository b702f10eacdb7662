package appraise_test

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestAUCCountsPairs: the area is the share of pairs in the right order, ties counted half, weights multiplied.
func TestAUCCountsPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		type scored struct {
			positive       bool
			margin, weight float64
		}
		var all []scored
		var ranking appraise.Ranking
		for range 2 + random.IntN(60) {
			s := scored{random.IntN(3) == 0, float64(random.IntN(9)-4) / 2, float64(1 + random.IntN(3))}
			all = append(all, s)
			ranking.Add(s.positive, s.margin, s.weight)
		}
		right, pairs := 0., 0.
		for _, p := range all {
			for _, n := range all {
				if p.positive && !n.positive {
					pairs += p.weight * n.weight
					switch {
					case p.margin > n.margin:
						right += p.weight * n.weight
					case p.margin == n.margin:
						right += p.weight * n.weight / 2
					}
				}
			}
		}
		got := ranking.AUC(.95)
		if pairs == 0 {
			if !math.IsNaN(got.Value) || ranking.Counted() {
				t.Errorf("%v of one label", got)
			}
			continue
		}
		if math.Abs(got.Value-right/pairs) > 1e-12 || got.Lo > got.Value || got.Hi < got.Value {
			t.Errorf("%+v, want %v", got, right/pairs)
		}
	}
}

// TestAUCInterval covers the true area of normal margins in 95 % of the samples: Φ(δ/√2) for means δ apart.
func TestAUCInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, apart := range []float64{.5, 1.5, 2.5} {
		truth := .5 * math.Erfc(-apart/2)
		const samples = 1500
		covered := 0
		for range samples {
			var ranking appraise.Ranking
			for i := range 240 {
				positive := i%4 == 0
				margin := random.NormFloat64()
				if positive {
					margin += apart
				}
				ranking.Add(positive, margin, 1)
			}
			if m := ranking.AUC(.95); m.Lo <= truth && truth <= m.Hi {
				covered++
			}
		}
		if share := float64(covered) / samples; share < .93 || share > .97 {
			t.Errorf("means %v apart: covered in %v", apart, share)
		}
	}
}

// learnt returns a document of Adult weights, and the records.
func learnt(t *testing.T) (*document.Document, []record.Record) {
	t.Helper()
	constraint := adult.DefaultConstraint()
	config := model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(), Constraints: []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{constraint.Attribute}, Group: document.Values(constraint.Group),
		Versus: document.Values(constraint.Versus), Criterion: fairness.EqualizedOdds, Tau: .05}}}
	config.Learner.Crosses = [][]string{{"education", "occupation"}}
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var records []record.Record
	for len(records) < 6000 {
		if err := reader.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		if err := reader.Decode(decoder, &rec); err != nil {
			t.Fatal(err)
		}
		for i := range rec.Features {
			rec.Features[i].Text = slices.Clone(rec.Features[i].Text)
		}
		for i := range rec.Attributes {
			rec.Attributes[i].Text = slices.Clone(rec.Attributes[i].Text)
		}
		records = append(records, rec)
	}
	for i := range records[:5000] {
		learner.Learn(&records[i])
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc, records
}

// TestColumnsAddUp: the contributions and the intercept are the margin, and the columns' differences are that of the
// mean margins; two appraisals combined are one of all records; each pair comes once.
func TestColumnsAddUp(t *testing.T) {
	doc, records := learnt(t)
	scorer, err := doc.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	contributions, err := doc.Contributions()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := appraise.New(doc, true)
	if err != nil {
		t.Fatal(err)
	}
	var halves [2]*appraise.Appraisal
	for i := range halves {
		if halves[i], err = appraise.New(doc, true); err != nil {
			t.Fatal(err)
		}
	}
	if len(whole.Pairs) != 1 {
		t.Fatalf("%d pairs, want one for both parts of equalized odds", len(whole.Pairs))
	}
	observe, err := whole.Observer(doc)
	if err != nil {
		t.Fatal(err)
	}
	var parts [2]func(*record.Record, float64)
	for i, half := range halves {
		if parts[i], err = half.Observer(doc); err != nil {
			t.Fatal(err)
		}
	}
	intercept := math.NaN()
	var sums, counts [2]float64
	for i := range records[5000:] {
		rec := &records[5000+i]
		margin := scorer.Margin(rec)
		rest := margin
		contributions.Of(rec, func(_ int, x float64) { rest -= x })
		if i == 0 {
			intercept = rest
		}
		if math.Abs(rest-intercept) > 1e-9 {
			t.Fatalf("record %d: %v is left of the margin, and the intercept is %v", i, rest, intercept)
		}
		side := 0
		if string(rec.Attributes[0].Text) == "Female" {
			side = 1
		}
		sums[side] += margin
		counts[side]++
		observe(rec, margin)
		parts[i%2](rec, margin)
	}
	want := sums[0]/counts[0] - sums[1]/counts[1]
	total := 0.
	for _, c := range whole.Columns() {
		total += c.Differences[0]
		if c.Share <= 0 || c.Share > 1+1e-12 || c.Importance < 0 {
			t.Errorf("%+v", c)
		}
	}
	if math.Abs(total-want) > 1e-9 {
		t.Errorf("the columns' differences add up to %v, want %v", total, want)
	}
	halves[0].Combine(halves[1])
	if a, b := halves[0].Ranking.AUC(.95), whole.Ranking.AUC(.95); math.Abs(a.Value-b.Value) > 1e-12 || a.Records != b.Records {
		t.Errorf("AUC %+v, want %+v", a, b)
	}
	if halves[0].Pairs[0].Group.Confusion != whole.Pairs[0].Group.Confusion || halves[0].Records != whole.Records {
		t.Error("the halves are not the whole")
	}
	for i, c := range halves[0].Columns() {
		if w := whole.Columns()[i]; c.Name != w.Name || math.Abs(c.Importance-w.Importance) > 1e-9 || math.Abs(c.Differences[0]-w.Differences[0]) > 1e-9 {
			t.Errorf("%+v, want %+v", c, w)
		}
	}
	g := whole.Pairs[0].Group
	binned := int64(0)
	for _, b := range g.Calibration {
		binned += b.Records
		if r := b.Rate(.95); b.Records > 0 && !(r.Lo <= r.Value && r.Value <= r.Hi && b.MeanScore() >= 0 && b.MeanScore() <= 1) {
			t.Errorf("%+v %+v", b, r)
		}
	}
	if binned != g.Confusion.Records || float64(binned) != counts[0] {
		t.Errorf("%d in the bins, %d in the group, want %v", binned, g.Confusion.Records, counts[0])
	}
	c := g.Confusion
	if got := g.TruePositives(.95).Value; math.Abs(got-c.TruePositive/(c.TruePositive+c.FalseNegative)) > 1e-12 {
		t.Errorf("true positive rate %v of %+v", got, c)
	}
	if got := g.Precision(.95).Value; math.Abs(got-c.TruePositive/(c.TruePositive+c.FalsePositive)) > 1e-12 {
		t.Errorf("precision %v of %+v", got, c)
	}
	text := goldentest.Print("appraisal", whole) + goldentest.Print("columns", whole.Columns()) + goldentest.Print("AUC", whole.Ranking.AUC(.95)) +
		goldentest.Print("ratio", whole.Pairs[0].ImpactRatio(.95))
	for _, g := range []*appraise.Group{&whole.Pairs[0].Group, &whole.Pairs[0].Versus} {
		text += goldentest.Print(g.Label, []any{g.MeanScore(), g.CalibrationError(), g.Selected(.95), g.TruePositives(.95), g.FalsePositives(.95), g.Precision(.95), g.Calibration[2].Rate(.9), g.Calibration[2].MeanScore()})
	}
	goldentest.Compare(t, "whole.txt", text)
}

// TestCalibrationError: the mean distance of score and share of positive labels over tenths of the score, by weight.
func TestCalibrationError(t *testing.T) {
	doc, records := learnt(t)
	for _, free := range []bool{false, true} {
		a, err := appraise.New(doc, false)
		if err != nil {
			t.Fatal(err)
		}
		observe, err := a.Observer(doc)
		if err != nil {
			t.Fatal(err)
		}
		decides, err := doc.Classifier()
		if err != nil {
			t.Fatal(err)
		}
		var off [10]float64
		sum, women := 0.0, 0.0
		for i := range records[5000:] {
			rec := &records[5000+i]
			decision := decides.Decide(rec)
			score, margin := decision.Score, decision.Margin
			if free {
				score = decision.Probability
				margin = math.Log(score / (1 - score))
			}
			observe(rec, margin)
			if string(rec.Attributes[0].Text) != "Female" {
				continue
			}
			bin := min(9, int(score*10))
			off[bin] += score
			if rec.Positive {
				off[bin]--
			}
			sum, women = sum+score, women+1
		}
		want := 0.0
		for bin := range off {
			want += math.Abs(off[bin]) / women
		}
		g := &a.Pairs[0].Versus
		if math.Abs(g.MeanScore()-sum/women) > 1e-9 || math.Abs(g.CalibrationError()-want) > 1e-3 || want == 0 {
			t.Errorf("free %v: mean score %v and calibration error %v, want %v and %v", free, g.MeanScore(), g.CalibrationError(), sum/women, want)
		}
	}
	if none := new(appraise.Group); !math.IsNaN(none.MeanScore()) || !math.IsNaN(none.CalibrationError()) {
		t.Error("a group without records is calibrated")
	}
}
