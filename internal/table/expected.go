package table

// expectedBins divide rows by their score.
const expectedBins = 20

// ExpectedArea is the area under the ROC curve that a score would have in a part of the rows if rows of about one score were there as often of the first class as
// elsewhere. order are rows by their score. It is small where the scores of the part are much alike, as among people of whom hardly any is of that class, and NaN
// where nothing elsewhere lets expect anything.
func ExpectedArea[R ~int | ~uint16](order []R, inside, elsewhere, first func(row int) bool) float64 {
	wins, below, above := 0., 0., 0.
	for bin := range expectedBins {
		of, ones, rest := 0., 0., 0.
		for _, r := range order[bin*len(order)/expectedBins : (bin+1)*len(order)/expectedBins] {
			switch row := int(r); {
			case inside(row):
				of++
			case elsewhere(row):
				rest++
				if first(row) {
					ones++
				}
			}
		}
		if rest > 0 {
			n, m := of*ones/rest, of*(1-ones/rest)
			wins, below, above = wins+float64(n*(below+m/2)), below+m, above+n
		}
	}
	return wins / (below * above)
}
