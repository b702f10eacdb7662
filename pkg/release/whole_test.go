package release

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestTheWholeDrama compares every step of a stream, and what is reported on the way, with a file.
func TestTheWholeDrama(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		d := newDrama(t, 2, regression)
		var text strings.Builder
		for range 9000 {
			d.next()
			if d.w.number%1800 == 1500 {
				text.WriteString(goldentest.Print(fmt.Sprintf("after %d", d.w.number), d.machine.Report()))
			}
		}
		for i, step := range d.steps {
			text.WriteString(goldentest.Print(fmt.Sprintf("step %d", i), step))
		}
		goldentest.Compare(t, fmt.Sprintf("whole-regression-%v.txt", regression), text.String())
	})
}
