package relation

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/pairs"
)

// Scaled finds numbers whose unit depends on another column.
func Scaled(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Number || !s.IsLearnt(c.Name) || slices.Contains(s.Changed, c.Name) {
			continue
		}
		if by, found := pairs.Scaled(&s.Even, c.Name, s.IsRead); found {
			times := fmt.Sprintf("%.3g times larger", by.Factor)
			if by.Factor < 1 {
				times = fmt.Sprintf("%.3g times smaller", 1/by.Factor)
			}
			s.Say(false, "record", "where %q is %s, the numbers of %q are about %s than elsewhere, and spread in the same way: are they in another unit or currency there? Write all in one where the records are made",
				by.Category, s.TextOf(by.Category, by.Level), c.Name, times)
		}
	}
}
