package backfill

// leastSeen is how many rows of a file have to be seen before their rejections stop a backfill.
const leastSeen = 10

// rejectLimit is stream.reject_limit: the share of rejected rows among so many that stops a backfill.
type rejectLimit struct {
	share  float64
	window int
}

// rejects counts the rows of a file, in blocks of the window of the limit.
type rejects struct {
	limit          rejectLimit
	seen, rejected int64
	block, bad     int    // of the present block
	sum            uint64 // of all rows as they were read
}

// take takes in a row, and says whether a block has more rejected rows than the limit allows.
func (r *rejects) take(rejected bool) bool {
	r.seen++
	r.block++
	if rejected {
		r.rejected++
		r.bad++
	}
	if r.block < r.limit.window {
		return false
	}
	over := float64(r.bad) > r.limit.share*float64(r.block)
	r.block, r.bad = 0, 0
	return over
}

// tooMany says whether all rows together have more, if there are at least so many.
func (r *rejects) tooMany(least int64) bool {
	return r.seen >= least && float64(r.rejected) > r.limit.share*float64(r.seen)
}
