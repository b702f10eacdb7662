package fairness

// Value is what records at a level of Attributes()[attribute] have: a value, or the text of a range, such as "≥ 40". It is "" if the
// attribute is missing, and for all values that no comparison tells from others.
func (g *Grouper) Value(attribute int, level Level) string {
	a := &g.attributes[attribute]
	if i := int(level) - int(firstNamedLevel) - len(a.named); i >= 0 && i < a.intervals() {
		var r Range
		if i > 0 {
			r.From = &a.ends[i-1]
		}
		if i < len(a.ends) {
			r.Below = &a.ends[i]
		}
		return r.words()
	}
	return a.text(level)
}
