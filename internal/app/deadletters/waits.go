package deadletters

import (
	"io"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/format"
)

// tellAfter is how long a schema is awaited before its absence is told.
const tellAfter = 5 * time.Second

// tellWaits tells, once for each schema, that letters wait for it and why, until the returned function is called.
func tellWaits(to io.Writer, waits func() []format.Wait) (stop func()) {
	ended := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(tellAfter)
		defer ticker.Stop()
		told := map[string]bool{}
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			for _, w := range waits() {
				if told[w.Schema] || time.Since(w.Since) < tellAfter {
					continue
				}
				told[w.Schema] = true
				english.Fprintf(to, "Dead letters wait for schema %s, which the schema registry does not give: %v\n", w.Schema, w.Cause)
			}
		}
	})
	return func() {
		close(ended)
		telling.Wait()
	}
}
