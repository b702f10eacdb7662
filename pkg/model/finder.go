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
	for e.found() < e.config.FindCrosses {
		a, b := e.strongest(f.part(0, half))
		if a < 0 || f.best.evidence(f.levels[a][half:f.size], f.levels[b][half:f.size], f.part(half, f.size)) < searchDeviations {
			return
		}
		f.explain(e.addCross(a, b), r)
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

// strongest finds the pair of columns whose interaction explains most, by the lower bound of it: that a pair has
// few combinations must not put it ahead of one that explains more. It leaves the pair's table in best; first is
// -1 if there is no pair left.
func (e *encoder) strongest(r residuals) (first, second int) {
	f := e.finder
	first, most := -1, math.Inf(-1)
	for b := range f.codes {
		for a := range b {
			if e.crossed(a, b) {
				continue
			}
			statistic, freedom := f.table.fit(f.levels[a][:len(r.residual)], f.levels[b][:len(r.residual)], r)
			if bound := statistic - freedom - float64(boundDeviations*math.Sqrt(2*freedom)); freedom > 0 && bound > most {
				first, second, most = a, b, bound
				f.best = f.table
			}
		}
	}
	return first, second
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
