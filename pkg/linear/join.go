package linear

import "slices"

// Models that join and leave.
//
// A constrained model costs its share of every step. So it is learnt only while its constraint needs it: it joins as a copy of
// the free one, and others move up when it leaves. Both touch every weight.

// Join adds a model, which is equal to the free one, and its sums, which are empty. It returns the model's index.
func (m *Models) Join() int {
	model, old := m.count, m.stride
	m.have(model + 1)
	weights := len(m.values) / old
	m.values = slices.Grow(m.values, weights*(m.stride-old))[:weights*m.stride]
	head, sums := modelsAt+2*model, m.settings.Sums*(model-1)
	for j := weights - 1; j >= 0; j-- { // the last first: nothing is overwritten before it is read
		from, to := m.values[j*old:(j+1)*old], m.values[j*m.stride:(j+1)*m.stride]
		iterate, lag := from[modelsAt], from[modelsAt+1]
		copy(to[head+2:], from[head:head+sums])
		copy(to, from[:head])
		to[head], to[head+1] = iterate, lag
		clear(to[head+2+sums:])
	}
	for i := range m.sums {
		s := &m.sums[i]
		s.iterate, s.lag = append(s.iterate, s.iterate[0]), append(s.lag, s.lag[0])
	}
	for range m.settings.Sums {
		m.sums = append(m.sums, newSum(m.settings.Window, m.count))
	}
	for i := range m.norms {
		m.norms[i] = append(m.norms[i], m.norms[i][0])
	}
	return model
}

// Leave removes a constrained model and its sums. Later models move up.
func (m *Models) Leave(model int) {
	old, sums := m.stride, m.settings.Sums
	gone, last := modelsAt+2*model, modelsAt+2*m.count+sums*(model-1)
	weights := len(m.values) / old
	m.have(m.count - 1)
	for j := range weights {
		from, to := m.values[j*old:(j+1)*old], m.values[j*m.stride:(j+1)*m.stride]
		n := copy(to, from[:gone])
		n += copy(to[n:], from[gone+2:last])
		copy(to[n:], from[last+sums:])
	}
	m.values = m.values[:weights*m.stride]
	m.sums = slices.Delete(m.sums, sums*(model-1), sums*model)
	for i := range m.sums {
		s := &m.sums[i]
		s.iterate, s.lag = slices.Delete(s.iterate, model, model+1), slices.Delete(s.lag, model, model+1)
	}
	for i := range m.norms {
		m.norms[i] = slices.Delete(m.norms[i], model, model+1)
	}
}

// Settle moves the average of a constrained model to where its iterate is, as seen from the free model's: what the iterate has
// learnt of late then counts in full.
func (m *Models) Settle(model int) {
	for of := range slices.Chunk(m.values, m.stride) {
		of[modelsAt+2*model+1] = of[modelsAt+1]
	}
	for i := range m.sums {
		m.sums[i].lag[model] = m.sums[i].lag[0]
	}
}

// Reflect mirrors a model at the first one. It touches every weight.
func (m *Models) Reflect(model int) {
	for at := 0; at < len(m.values); at += m.stride {
		for half := range 2 {
			free, other := &m.values[at+modelsAt+half], &m.values[at+modelsAt+2*model+half]
			*other = 2**free - *other
		}
	}
}
