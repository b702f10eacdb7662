package board

import "github.com/fairstream/fairstream/internal/isolate"

// Source knows a job. Its methods may be called from any goroutine, about once a second, and return soon. What they return is
// not changed afterwards, by either side.
type Source interface {
	// Status is how the job stands now.
	Status() *Status
	// Series is the constraint that a key names, the first one if several fit; nil if none does.
	Series(key Key) *Series
}

// Isolated is a source whose process cuts the page off if the page has a defect.
type Isolated interface{ Page() *isolate.Part }
