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
	w.uint(uint64(e.words.base))
	w.uint(uint64(len(e.words.levels)))
	for _, l := range e.words.levels {
		w.int(int64(l.column))
		w.uint(uint64(l.index))
		w.uint(l.key)
		w.text(l.text)
	}
	e.candidates.write(w)
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
}
