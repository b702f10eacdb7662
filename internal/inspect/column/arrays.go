package column

import (
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
)

// Arrays finds arrays of which the places are features, but for those that learner.columns names.
func Arrays(s *find.Search) {
	var names []string
	places := map[string]int{}
	for _, c := range s.Columns {
		name, place := arrayOf(c.Name)
		if place < 0 || !s.Features[c.Name] {
			continue
		}
		if _, known := places[name]; !known {
			names = append(names, name)
		}
		places[name] = max(places[name], place+1)
	}
	for _, name := range names {
		declared := false
		for column := range s.Config.Learner.Columns {
			declared = declared || strings.HasPrefix(column, name+".")
		}
		if places[name] > 1 && s.Has(name+".0") && !declared {
			s.Say(false, "record.ignore", "%q is an array: each of its %d places is a feature of its own, and the same value in another place is another feature. If the order has no meaning, add %q here and write a field for each value. If it has, declare the type of a place under learner.columns, such as %q",
				name, places[name], name, name+".0")
		}
	}
}

// arrayOf splits the name of an element of an array, such as items.3.price, into that of the array and the place, -1 if there is
// none. Of nested arrays it is the outer one.
func arrayOf(name string) (array string, place int) {
	for at := 0; ; {
		dot := strings.IndexByte(name[at:], '.')
		if dot < 0 {
			return "", -1
		}
		at += dot + 1
		part, _, _ := strings.Cut(name[at:], ".")
		if n, err := strconv.Atoi(part); err == nil && n >= 0 && n < profile.MaxColumns {
			return name[:at-1], n
		}
	}
}
