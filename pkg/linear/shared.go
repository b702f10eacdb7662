package linear

// How well the columns of few levels tell labels, together.
//
// The fixed point of prior.go takes the weights of a group to be the likeliest ones, and each to be found as if the others were known. That is wrong of
// thousands of fields that are there or not, in one pass over a few records for each: their weights are on their way, and each of them is found in what all the
// others leave unexplained. So the precision that these columns share comes from how well they predict. Before a record is learnt, a is the part of its margin
// that is theirs, and its slope is by what a would have to be multiplied to tell the labels best:
//
//	slope = 1 + Σ (y − p) a / (1 + Σ p (1 − p) a²)
//
// It is near 0 where these columns know nothing, below 1 where they say too much and above 1 where they say too little. The 1 in it stands for a slope of 1 give or
// take 1, which is all that is known without records. A weight that is drawn to 0 by 1 − known stands for one of w/known, of which the slope is the true part, and
// the precision is that of such weights:
//
//	1/precision = mean of (slope w / known)²,  known = mean of known_j
//
// Before the first choice it is not known which columns have few levels, and the slope is taken to be 1.

const (
	// leastSlope bounds slopes away from 0: with it, precisions grow at most sixteenfold.
	leastSlope = .25
	// leastShared is how many weights these columns have to have together. What few weights say is little beside what others say, and chance its slope.
	leastShared = 32
)

// shared is what the part of the margins that the columns with few levels share has shown since the last choice of the precisions.
type shared struct {
	// precision is that of these columns, 0 before the first choice and of fewer weights. A weight is one of theirs if it has this very precision, which
	// another one has by chance only at the bounds, where it hardly counts.
	precision float64
	told      float64 // Σ (y − p) a, in units of the labels
	squared   float64 // Σ a² times the curvature of the loss
}

// slope is that of the part, at a variance of the labels.
func (s *shared) slope(noise float64) float64 {
	if slope := 1 + s.told/(noise+s.squared); slope > leastSlope {
		return slope
	}
	return leastSlope // also where weights have diverged
}

// add takes in the part of a record's margin, with the gradient of the loss at the margin before the record is learnt, and the curvature.
func (s *shared) add(part, gradient, curvature, weight float64) {
	s.told -= float64(float64(weight*gradient) * part)
	s.squared += float64(float64(weight*curvature) * float64(part*part))
}
