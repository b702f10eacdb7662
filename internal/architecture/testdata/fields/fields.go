// Package fields is an example for a test.
package fields

type loop struct {
	one     int
	drawer  drawer
	part    *part
	drawers // its fields are those of the loop
}

type drawer struct{ two, three int }

type part struct{ many, more int }

func (p *part) sum() int { return p.many + p.more }

type drawers struct{ four int }
