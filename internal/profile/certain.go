package profile

// What it takes for nobody to doubt that a column is no feature.
const (
	certainValues   = 100 // of the column that were seen
	certainShare    = .95 // of the values of an identifier that are different
	certainText     = .9  // of sentences
	certainTime     = .5  // of times
	certainNearness = 2   // of a counter: its range, divided by its values
)

// certain says whether the column is no feature beyond doubt: its values are new ones in nearly every record, and are no
// amounts. A column of which that may be doubted is left as it is, and a person is told.
func (c *tally) certain(d *Column) bool {
	if c.values < certainValues {
		return false
	}
	texts := c.numbers < c.values/2
	switch d.Kind {
	case Identifier:
		if texts {
			return d.DistinctShare >= certainShare
		}
		counter := (c.rising || c.falling) && c.high-c.low < certainNearness*float64(c.values)
		return counter || namesIdentifier(c.name) && d.DistinctShare >= certainShare
	case Formatted:
		return texts && d.DistinctShare >= certainShare
	case FreeText:
		return d.DistinctShare >= certainText
	case Time:
		return texts && d.DistinctShare >= certainTime
	}
	return false
}

// NoFeatures returns the columns that are no features beyond doubt, in the order of Columns.
func (p *Profile) NoFeatures() []Column {
	var found []Column
	for _, c := range p.Columns() {
		if c.Certain {
			found = append(found, c)
		}
	}
	return found
}
