package isolate

import (
	"fmt"
	"runtime/debug"
)

// Panicked says that a job of a process with others has a defect. What it learnt since its last snapshot is learnt again by the next one.
type Panicked struct {
	// Value is that of the panic.
	Value any
	Stack string
}

func (e *Panicked) Error() string {
	return fmt.Sprintf("a defect of this program stopped the job: %v: please report it with the stack in the log", e.Value)
}

// Contained is run, whose panic is its error, *Panicked.
func Contained(run func() error) func() error {
	return func() (err error) {
		defer func() {
			if value := recover(); value != nil {
				err = &Panicked{value, string(debug.Stack())}
			}
		}()
		return run()
	}
}
