package fault

import (
	"fmt"
	"strings"
)

// Class says what a failure obliges its caller to do.
type Class int

const (
	// Retry: nothing is wrong with the request; try again after a pause.
	Retry Class = iota
	// Fatal: it will fail again until a human changes something.
	Fatal
)

func (c Class) String() string { return [...]string{"retry", "fatal"}[c] }

// NoPartition is the partition of an error about a whole topic, or about no topic.
const NoPartition int32 = -1

// Error is a failed operation with its class and what to do about it. It never holds a byte of a record.
type Error struct {
	Operation string
	Topic     string // empty: of no topic
	Partition int32  // NoPartition: of none
	Class     Class
	Advice    string // empty: the cause says it
	Err       error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("kafka: ")
	b.WriteString(e.Operation)
	if e.Topic != "" {
		b.WriteString(" " + e.Topic)
		if e.Partition >= 0 {
			fmt.Fprintf(&b, "/%d", e.Partition)
		}
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Advice != "" {
		b.WriteString(": " + e.Advice)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
