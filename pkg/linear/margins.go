package linear

// Margins are those of one row under every model.
type Margins struct {
	// Iterate and Average are the margins under the iterates and under their averages.
	Iterate, Average []float64
	lag              []float64 // products of the row with r
}
