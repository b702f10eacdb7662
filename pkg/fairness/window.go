package fairness

import "iter"

// Window is a ring of the most recent items, such as the last records of one
// side of a comparison. Kept per side, it holds as many records of a group of
// one per cent as of its counterpart; only older ones.
//
// The fields are exported for a codec: Items[:] in storage order and Next, where
// the next item goes, determine the window.
type Window[T any] struct {
	Items    []T
	Next     int // index in Items of the oldest item once the window is full
	Capacity int
}

// NewWindow returns an empty window of the given capacity, at least 1, with its
// memory allocated.
func NewWindow[T any](capacity int) *Window[T] {
	if capacity < 1 {
		panic("fairness: the capacity of a window is below 1")
	}
	return &Window[T]{Items: make([]T, 0, capacity), Capacity: capacity}
}

// Push adds an item and returns the one it displaces, if the window was full.
func (w *Window[T]) Push(item T) (displaced T, wasFull bool) {
	if len(w.Items) < w.Capacity {
		w.Items = append(w.Items, item)
		return displaced, false
	}
	displaced = w.Items[w.Next]
	w.Items[w.Next] = item
	w.Next++
	if w.Next == w.Capacity {
		w.Next = 0
	}
	return displaced, true
}

// Len is the number of items held.
func (w *Window[T]) Len() int { return len(w.Items) }

// At returns the i-th oldest item, 0 ≤ i < Len().
func (w *Window[T]) At(i int) T {
	if i < 0 || i >= len(w.Items) {
		panic("fairness: no such item in the window")
	}
	i += w.Next
	if i >= len(w.Items) {
		i -= len(w.Items)
	}
	return w.Items[i]
}

// All yields the items from the oldest to the newest.
func (w *Window[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range len(w.Items) {
			if !yield(w.At(i)) {
				return
			}
		}
	}
}
