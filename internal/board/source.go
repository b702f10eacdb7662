package board

// Source knows a job. Its methods may be called from any goroutine, about once a second, and return soon. What they return is
// not changed afterwards, by either side.
type Source interface {
	// Status is how the job stands now.
	Status() *Status
	// Series is the constraint that a key names, the first one if several fit; nil if none does.
	Series(key Key) *Series
}
