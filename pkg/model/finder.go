package model

import (
	"cmp"
	"math"
	"slices"
)

// finder looks for crosses on the way. It samples records, with their residuals, and then looks at every pair of
// columns: the first half of the sample says which pair's combinations explain most beyond the columns
// themselves, and the second half, which had no say in that, has to bear it out. A pair that it bears out by
// searchDeviations standard deviations becomes a cross. What it explains is taken out of the residuals and the
// search goes on, until a pair is not borne out; then the next sample begins.
//
// So a stream without interactions has a chance of one in 4,000 per sample of a cross that means nothing,
// however many columns there are: one test is made (searchDeviations = 3.5, one-sided).
type finder struct {
	size    int        // of the sample when it is complete, 0 before the first record
	records int        // in the sample
	codes   [][]uint16 // by column and record: what the record contributes to crosses, 0 for nothing
	residuals
	levels      [][]uint8   // scratch, by column and record
	sorted      []uint16    // scratch
	table, best interaction // scratch
}

const (
	// A sample is twice as long as the one before, from firstSample to largestSample records.
	firstSample   = 4096
	largestSample = 16384
	// finderColumns is how many columns, the first ones, are looked at.
	finderColumns    = 64
	searchDeviations = 3.5
	boundDeviations  = 3.0
	shortlisted      = 32
	// leastFrequency of a level, in records of a sample.
	leastFrequency = 32
)

// wants says whether the finder looks at a column.
func (f *finder) wants(column int32) bool { return f != nil && column < finderColumns }

// found is how many crosses have been found.
func (e *encoder) found() int { return len(e.crosses) - len(e.config.Crosses) }

// sample takes the record that was just encoded into the finder's sample, and searches when that is complete.
func (e *encoder) sample(residual, variance, weight float64) {
	f := e.finder
	if f == nil || e.found() >= e.config.FindCrosses {
		return
	}
	f.open(min(len(e.columns), finderColumns))
	for column := range f.codes {
		f.codes[column][f.records] = 0
		if e.scratch.stamps[column] == e.scratch.record {
			f.codes[column][f.records] = uint16(levelKey(0, e.scratch.tokens[column])>>48) | 1
		}
	}
	f.residual[f.records], f.variance[f.records], f.weight[f.records] = residual, variance, weight
	f.records++
	if f.records < f.size {
		return
	}
	e.search()
	f.records, f.size = 0, min(2*f.size, largestSample)
	if e.found() >= e.config.FindCrosses {
		*f = finder{}
	}
}

// open makes room for the columns that there are.
func (f *finder) open(columns int) {
	if f.residual == nil {
		f.size = firstSample
		f.residuals = residuals{make([]float64, largestSample), make([]float64, largestSample), make([]float64, largestSample)}
		f.sorted = make([]uint16, largestSample)
	}
	for len(f.codes) < columns {
		f.codes = append(f.codes, make([]uint16, largestSample))
		f.levels = append(f.levels, make([]uint8, largestSample))
	}
}

// search turns what a complete sample shows into crosses.
func (e *encoder) search() {
	f := e.finder
	mean := 0.0
	r := f.part(0, f.size)
	for _, w := range r.weight {
		mean += w / float64(f.size)
	}
	for i := range r.weight {
		r.weight[i] /= mean
	}
	for column := range f.codes {
		f.list(column)
	}
	for i := range e.crosses {
		f.explain(&e.crosses[i], r)
	}
	half := f.size / 2
	first := f.part(0, half)
	for pairs := e.shortlist(first); e.found() < e.config.FindCrosses; {
		best := f.strongest(pairs, first)
		if best < 0 {
			return
		}
		a, b := pairs[best].a, pairs[best].b
		if f.best.evidence(f.levels[a][half:f.size], f.levels[b][half:f.size], f.part(half, f.size)) < searchDeviations {
			return
		}
		f.explain(e.addCross(a, b), r)
		pairs = slices.Delete(pairs, best, best+1)
	}
}

// explain takes out of the residuals what a cross explains. Those that are there already are still learning what
// it is, and columns akin to theirs would be found to interact.
func (f *finder) explain(c *cross, r residuals) {
	if len(c.parts) != 2 || min(c.parts[0], c.parts[1]) < 0 || int(max(c.parts[0], c.parts[1])) >= len(f.codes) {
		return
	}
	f.table.explain(f.levels[c.parts[0]][:len(r.residual)], f.levels[c.parts[1]][:len(r.residual)], r)
}

// pair is two columns and the lower bound of what their interaction explains: that a pair has few combinations
// must not put it ahead of one that explains more.
type pair struct {
	a, b  int
	bound float64
}

func (f *finder) bound(a, b int, r residuals) float64 {
	statistic, freedom := f.table.fit(f.levels[a][:len(r.residual)], f.levels[b][:len(r.residual)], r)
	if freedom == 0 {
		return math.Inf(-1)
	}
	return statistic - freedom - float64(boundDeviations*math.Sqrt(2*freedom))
}

// shortlist returns the pairs that explain most. Others need not be looked at again when a cross that was found
// has been taken out of the residuals: that leaves less to explain.
func (e *encoder) shortlist(r residuals) []pair {
	var pairs []pair
	for b := range e.finder.codes {
		for a := range b {
			if bound := e.finder.bound(a, b, r); !e.crossed(a, b) && !math.IsInf(bound, -1) {
				pairs = append(pairs, pair{a, b, bound})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.bound, a.bound) })
	return pairs[:min(len(pairs), shortlisted)]
}

// strongest finds the pair that explains most of what is left now, and leaves its table in best; -1 if no pair is
// left.
func (f *finder) strongest(pairs []pair, r residuals) int {
	best, most := -1, math.Inf(-1)
	for i, p := range pairs {
		if bound := f.bound(p.a, p.b, r); bound > most {
			best, most = i, bound
			f.best = f.table
		}
	}
	return best
}

// list numbers the most frequent codes of a column, and writes the number of every record's.
func (f *finder) list(column int) {
	codes := f.codes[column][:f.size]
	sorted := f.sorted[:copy(f.sorted, codes)]
	slices.Sort(sorted)
	type run struct {
		code  uint16
		count int
	}
	var listed []run
	for start := 0; start < len(sorted); {
		end := start + 1
		for end < len(sorted) && sorted[end] == sorted[start] {
			end++
		}
		if code := sorted[start]; code != 0 && end-start >= leastFrequency {
			listed = append(listed, run{code, end - start})
		}
		start = end
	}
	slices.SortStableFunc(listed, func(a, b run) int { return cmp.Compare(b.count, a.count) })
	listed = listed[:min(len(listed), pairLevels)]
	for i, code := range codes {
		f.levels[column][i] = unlisted
		for k := range listed {
			if listed[k].code == code {
				f.levels[column][i] = uint8(k)
				break
			}
		}
	}
}
