package model

import "math"

// The encoder's part of a state.

func (e *encoder) write(w *writer) {
	w.uint(uint64(e.size))
	w.int(e.ignored)
	w.uint(uint64(len(e.columns)))
	for i := range e.columns {
		e.columns[i].write(w)
	}
	found := e.crosses[len(e.config.Crosses):]
	w.uint(uint64(len(found)))
	for i := range found {
		w.uint(uint64(found[i].parts[0]))
		w.uint(uint64(found[i].parts[1]))
	}
	w.uint(uint64(e.words.base))
	w.uint(uint64(len(e.words.levels)))
	for _, l := range e.words.levels {
		w.int(int64(l.column))
		w.uint(uint64(l.index))
		w.uint(l.key)
		w.text(l.text)
	}
	e.candidates.write(w)
	e.writeSample(w)
}

func (e *encoder) read(r *reader) {
	size := r.uint()
	if size < 1 || size > math.MaxInt32 {
		r.fail()
		return
	}
	e.size = int32(size)
	e.ignored = r.int()
	for range r.length(4) {
		c := readColumn(r, int(e.size))
		c.declared = e.config.Columns[c.name]
		if _, twice := e.byName[c.name]; twice || r.err != nil {
			r.fail()
			return
		}
		e.addColumn(c)
	}
	for range r.length(2) {
		a, b := r.index(len(e.columns)), r.index(len(e.columns))
		if r.err != nil || a == b || e.found() >= e.config.FindCrosses {
			r.fail()
			return
		}
		e.addCross(a, b)
	}
	e.words.base = int32(r.index(int(e.size)))
	if e.words.base != 0 && int64(e.words.base)+int64(e.words.buckets) > int64(e.size) {
		r.fail()
	}
	for range r.length(4) {
		l := level{column: int32(r.int()), index: int32(r.index(int(e.size))), key: r.uint(), text: r.text()}
		if r.err != nil || l.index == 0 || int(l.column) >= len(e.columns) || int(l.column) < -len(e.crosses) || e.words.find(l.key) != 0 {
			r.fail()
			return
		}
		e.words.add(l)
	}
	e.candidates.read(r)
	e.readSample(r)
}

// writeSample writes the records that the finder has sampled so far.
func (e *encoder) writeSample(w *writer) {
	f := e.finder
	if f == nil {
		return
	}
	w.uint(uint64(f.size))
	w.uint(uint64(f.records))
	w.uint(uint64(len(f.codes)))
	for _, codes := range f.codes {
		for _, code := range codes[:f.records] {
			w.uint(uint64(code))
		}
	}
	for _, numbers := range [...][]float64{f.residual, f.variance, f.weight} {
		for i := range f.records {
			w.float(numbers[i])
		}
	}
}

func (e *encoder) readSample(r *reader) {
	f := e.finder
	if f == nil {
		return
	}
	size, records := r.index(largestSample+1), r.index(largestSample)
	columns := r.index(min(len(e.columns), finderColumns) + 1)
	if r.err != nil || size == 0 && (records > 0 || columns > 0) || size > 0 && (records >= size || size < firstSample) || records*(columns+24) > len(r.data) {
		r.fail()
		return
	}
	if size == 0 {
		return
	}
	f.open(columns)
	f.size, f.records = size, records
	for _, codes := range f.codes {
		for i := range records {
			codes[i] = uint16(r.index(math.MaxUint16 + 1))
		}
	}
	for i := range records {
		f.residual[i] = r.float()
	}
	for i := range records {
		f.variance[i] = r.sum()
	}
	for i := range records {
		f.weight[i] = r.sum()
	}
}
