package control

import "github.com/fairstream/fairstream/pkg/fairness"

// remember keeps a record in the windows that it belongs to. They first let go of their oldest records.
func (r *Rates) remember(record *Record, gradients []float64) {
	r.places = r.places[:0]
	if r.everyone != nil && record.Brings != Itself {
		r.place(r.everyone, record.labelled())
	}
	r.placeSides(record, r.measured, r.beside)
	r.placeSides(record, r.enforced, r.windows)
	slot, kept := int32(0), false
	if record.Brings != Both {
		r.memory.part()
		if record.Brings == Label {
			slot, kept = r.find(record.Number)
		}
	}
	if len(r.places) == 0 && !kept {
		return
	}
	for _, at := range r.places {
		at.window.yield()
	}
	if kept {
		r.memory.complete(slot, record, gradients, r.records)
	} else {
		slot = r.memory.add(record, gradients, r.records)
	}
	for _, at := range r.places {
		at.window.push(slot, at.weight)
	}
}

// find returns the slot of a record that came without its label, if a window holds it still.
func (r *Rates) find(number int64) (slot int32, found bool) {
	for _, windows := range [...][][2]*window{r.windows, r.beside} {
		for _, sides := range windows {
			for _, w := range sides {
				if slot, found = w.find(number); found {
					return slot, found
				}
			}
		}
	}
	return slot, found
}

// placeSides lists the windows of the sides that a record is on in some comparisons.
func (r *Rates) placeSides(record *Record, comparisons []int, windows [][2]*window) {
	for k, i := range comparisons {
		weight := record.Weight
		if r.labelled[i] {
			weight = record.labelled()
		}
		switch record.Sides[i] {
		case fairness.Group:
			r.place(windows[k][0], weight*record.factor(i))
		case fairness.Versus:
			r.place(windows[k][1], weight*record.factor(i))
		}
	}
}

// place lists a window. A weight below all that single precision holds contributes nothing.
func (r *Rates) place(w *window, weight float64) {
	if single := float32(weight); single > 0 {
		r.places = append(r.places, membership{w, single})
	}
}

// recall pushes remembered records of the sides that stay away.
func (r *Rates) recall(k int, side fairness.Side, scale float64) {
	c, m := &r.constraints[k], r.memory
	due := r.balances[k].observe(side, c.shares)
	for i, on := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		w := r.windows[k][i]
		for range min(due[i], w.steady*mostRecalled) {
			slot, weight := w.slot(r.balances[k].next(w))
			row := m.row(slot, &r.row)
			r.models.Margins(r.margins, row)
			g := scale * (min(weight*r.perWeight, c.most) * r.pushes[k].gradient(c, on, r.margins.Iterate[c.model]))
			r.models.Nudge(row, c.model, g)
			m.gradients[slot*m.models+c.model] += float32(g)
		}
	}
}
