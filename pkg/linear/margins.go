package linear

// Margins are those of one row under every model.
type Margins struct {
	// Iterate and Average are the margins under the iterates and under their averages.
	Iterate, Average []float64
	lag              []float64 // products of the row with r
}

// have makes them those of so many models.
func (m *Margins) have(count int) {
	if len(m.Iterate) != count { // seldom, and to store a pointer takes a look at whether garbage is being collected
		m.Iterate, m.Average, m.lag = m.Iterate[:count], m.Average[:count], m.lag[:count]
	}
}
