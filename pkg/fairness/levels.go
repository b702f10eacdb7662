package fairness

// Value is the value of Attributes()[attribute] at a level, "" if the level is not that of one value.
func (g *Grouper) Value(attribute int, level Level) string { return g.attributes[attribute].text(level) }
