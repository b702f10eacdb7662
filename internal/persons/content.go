package persons

import (
	"math/bits"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// ContentOf is a hash by which copies of a record are noticed: of its features in whatever order, which are the decision and the score of another
// model, and of its groups. It is not 0.
func ContentOf(r *record.Record, levels []fairness.Level) uint64 {
	const odd = 0x9e3779b97f4a7c15
	content := uint64(len(r.Features))
	for i := range r.Features {
		x := r.Features[i].Hash * odd
		content += x ^ x>>32
	}
	for _, level := range levels {
		content = (bits.RotateLeft64(content, 27) ^ uint64(level)) * odd
	}
	return max(1, content)
}
