package fairness

// Value is the value of Attributes()[attribute] at a level, "" if the record lacks it or no comparison names it.
func (g *Grouper) Value(attribute int, level Level) string {
	values := g.attributes[attribute].values
	if i := int(level) - int(firstNamedLevel); i >= 0 && i < len(values) {
		return values[i]
	}
	return ""
}
