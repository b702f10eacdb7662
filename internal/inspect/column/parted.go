package column

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// partWords name the parts of a data set: those to learn from, those to choose by and those to measure with.
var partWords = [][]string{
	{"train", "training", "trn", "learn", "development", "dev"},
	{"valid", "validation", "val", "tune"},
	{"test", "testing", "tst", "holdout", "hold out", "heldout", "held out", "eval", "evaluation"},
}

// partsOf is of how many parts of a data set a column tells, 0 if it has other values, too.
func partsOf(c *profile.Column) (parts int) {
	named := make([]bool, len(partWords))
	for _, v := range c.Shown {
		at := slices.IndexFunc(partWords, func(names []string) bool { return slices.Contains(names, words.Form(v.Text)) })
		if at < 0 {
			return 0
		}
		named[at] = true
	}
	for _, is := range named {
		if is {
			parts++
		}
	}
	return parts
}

// Parted finds a column that tells which records are for training and which for testing.
func Parted(s *find.Search) {
	for at := range s.Columns {
		if c := &s.Columns[at]; s.IsLearnt(c.Name) && partsOf(c) > 1 {
			s.Say(false, "record.ignore", "add %q: it tells which records are to be learnt and which held out (%s), and all of them are learnt now. Write each part to a file of its own, for --input and --holdout of replay, and list the column here", c.Name, words.Values(c.Shown))
		}
	}
}
