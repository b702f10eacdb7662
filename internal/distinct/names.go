package distinct

// Names holds one thing for each name of a column. Records mostly have the same fields in the same order, so it is looked for where the field of
// that place led before. The zero value is empty and ready.
type Names[T any] struct {
	byName map[string]*T
	before []place[T] // by place in the record
}

type place[T any] struct {
	name string
	of   *T
}

// mostPlaces bounds the places that are remembered.
const mostPlaces = 4096

// Len is how many names there are.
func (n *Names[T]) Len() int { return len(n.byName) }

// Of returns what a name has, or nil.
func (n *Names[T]) Of(name string) *T { return n.byName[name] }

// At does the same for the name of the field in this place of a record.
func (n *Names[T]) At(at int, name string) *T {
	if at < len(n.before) && n.before[at].name == name {
		return n.before[at].of
	}
	of := n.byName[name]
	if of != nil && at < mostPlaces {
		for len(n.before) <= at {
			n.before = append(n.before, place[T]{})
		}
		n.before[at] = place[T]{name, of}
	}
	return of
}

// Make gives a new name its thing.
func (n *Names[T]) Make(name string, of *T) {
	if n.byName == nil {
		n.byName = map[string]*T{}
	}
	n.byName[name] = of
}
