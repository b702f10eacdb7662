package statement

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

// TestTextsThatAreKept: a hundred different ones of 32 bytes at most; and numbers are a column of which nineteen in twenty values are.
func TestTextsThatAreKept(t *testing.T) {
	for _, c := range []struct {
		different, length int
		kept              bool
	}{{fewTexts, 8, true}, {fewTexts + 1, 8, false}, {3, shortText, true}, {3, shortText + 1, false}} {
		of := columnBy("a", 400, func(r int) string { return fmt.Sprintf("t%0*d", c.length-1, r%c.different) })
		if (of.texts != nil) != c.kept || c.kept && len(of.texts) != c.different {
			t.Errorf("%+v: %d texts", c, len(of.texts))
		}
	}
	for texts, want := range map[int]bool{5: true, 6: false} {
		if of := columnBy("a", 100, func(r int) string {
			if r < texts {
				return "none"
			}
			return strconv.Itoa(r)
		}); of.numeric != want {
			t.Errorf("%d of 100 are texts: numeric %v", texts, of.numeric)
		}
	}
}

// TestTwoNumbersAsLabels of a thousand records are asked about.
func TestTwoNumbersAsLabels(t *testing.T) {
	for n, want := range map[int]bool{leastHalved: true, leastHalved - 1: false} {
		s := sampleOf(numberBy("x", n, func(r int) float64 { return float64(r) }))
		s.config.Learner.Task, s.known = model.Regression, int64(n)
		for r := range s.rows {
			s.rows[r].labelled, s.rows[r].label = true, float64(r%2)
		}
		if got := s.decision(); strings.Contains(got, "These are two values only") != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
