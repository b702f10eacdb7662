package appraise

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Margins are told apart to 1/finest, up to ±farthest. Equal ones are ties.
const (
	finest   = 128
	farthest = 32
	places   = 2*finest*farthest + 1
)

// Ranking counts margins by label, for the area under the ROC curve.
type Ranking struct {
	weights [2][]float64 // by label, of the records at each place
	squares [2]float64   // sum of the squares of the weights
	records [2]int64
}

// Counted says whether records of both labels were added.
func (r *Ranking) Counted() bool { return r.records[0] > 0 && r.records[1] > 0 }

// Add counts one record. Its weight must be above 0.
func (r *Ranking) Add(positive bool, margin, weight float64) {
	label := 0
	if positive {
		label = 1
	}
	if r.weights[label] == nil {
		r.weights[label] = make([]float64, places)
	}
	at := math.Round(min(farthest, max(-farthest, margin))*finest) + finest*farthest
	r.weights[label][int(at)] += weight
	r.squares[label] += weight * weight
	r.records[label]++
}

func (r *Ranking) combine(other *Ranking) {
	for label := range r.weights {
		if other.weights[label] == nil {
			continue
		}
		if r.weights[label] == nil {
			r.weights[label] = make([]float64, places)
		}
		for at, w := range other.weights[label] {
			r.weights[label][at] += w
		}
		r.squares[label] += other.squares[label]
		r.records[label] += other.records[label]
	}
}

// AUC is the area under the ROC curve: the share of pairs of a positive and a negative record in which the positive one
// has the higher margin, ties counted half. The interval is that of DeLong, DeLong and Clarke-Pearson (Biometrics 44,
// 1988, pp. 837-845), on the scale of log odds, which keeps it within [0, 1]. Value, Lo and Hi are NaN without records of
// both labels.
func (r *Ranking) AUC(level float64) fairness.Measure {
	m := fairness.Measure{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level, Records: r.records[0] + r.records[1], Method: "delong"}
	if r.records[0] == 0 || r.records[1] == 0 {
		return m
	}
	var total, effective [2]float64
	for label := range total {
		for _, w := range r.weights[label] {
			total[label] += w
		}
		effective[label] = total[label] * total[label] / r.squares[label]
	}
	m.Effective = effective[0] + effective[1]
	// A placement is the share of the other label that a record lies on the right side of.
	var below, sum [2]float64
	var variance [2]float64
	for pass := range 2 {
		below = [2]float64{}
		for at := range places {
			w := [2]float64{r.weights[0][at], r.weights[1][at]}
			placement := [2]float64{
				1 - (below[1]+w[1]/2)/total[1], // of a negative record: the positive ones above it
				(below[0] + w[0]/2) / total[0],
			}
			for label := range w {
				if pass == 0 {
					sum[label] += w[label] * placement[label]
				} else {
					off := placement[label] - m.Value
					variance[label] += w[label] / total[label] * off * off
				}
				below[label] += w[label]
			}
		}
		m.Value = sum[1] / total[1]
	}
	if effective[0] <= 1 || effective[1] <= 1 {
		return m
	}
	se := math.Sqrt(variance[0]/(effective[0]-1) + variance[1]/(effective[1]-1))
	if m.Value <= 0 || m.Value >= 1 || se == 0 {
		// Complete separation has no variance to go by: the rule of three for the rarer label.
		reach := 3 / min(effective[0], effective[1])
		m.Lo, m.Hi = max(0, m.Value-reach), min(1, m.Value+reach)
		return m
	}
	logit := math.Log(m.Value / (1 - m.Value))
	half := fairness.NormalQuantile((1+level)/2) * se / (m.Value * (1 - m.Value))
	m.Lo, m.Hi = 1/(1+math.Exp(half-logit)), 1/(1+math.Exp(-half-logit))
	return m
}
