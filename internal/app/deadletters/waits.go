package deadletters

import (
	"io"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/format"
)

// tellWaits tells, once for each schema, that letters wait for it and why, until the returned function is called.
func tellWaits(to io.Writer, waits func() []format.Wait) (stop func()) {
	ended := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(format.TellAfter)
		defer ticker.Stop()
		var overdue format.Overdue
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			for _, w := range overdue.Newly(waits()) {
				why := "it has not answered yet"
				if w.Cause != nil {
					why = w.Cause.Error()
				}
				english.Fprintf(to, "Dead letters wait for schema %s, which the schema registry does not give: %s\n", w.Schema, why)
			}
		}
	})
	return func() {
		close(ended)
		telling.Wait()
	}
}
