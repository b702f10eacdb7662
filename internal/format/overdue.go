package format

import (
	"sync"
	"time"
)

// TellAfter is how long a schema is awaited before people are told of it.
const TellAfter = 5 * time.Second

// Overdue remembers of which schemas people were told. The zero value is ready, and may be used by several goroutines.
type Overdue struct {
	mu   sync.Mutex
	told map[string]bool
}

// Newly lists the waits that have lasted for TellAfter or longer, each schema once.
func (o *Overdue) Newly(waits []Wait) (newly []Wait) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range waits {
		if o.told[w.Schema] || time.Since(w.Since) < TellAfter {
			continue
		}
		if o.told == nil {
			o.told = map[string]bool{}
		}
		o.told[w.Schema] = true
		newly = append(newly, w)
	}
	return newly
}
