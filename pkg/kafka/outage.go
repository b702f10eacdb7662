package kafka

import "time"

// Outage is an operation that failed and will be tried again after Pause; with Err nil, one that works again.
type Outage struct {
	Operation string
	Err       error
	Attempt   int // the first is 1
	Pause     time.Duration
	Since     time.Time
	// GivenUp: it failed for good, or its caller gave up, and it is not tried again. Err is the last error.
	GivenUp bool
	// Aside: the work of the process does not need it.
	Aside bool
}
