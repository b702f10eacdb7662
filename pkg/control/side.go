package control

// side is what the mean prediction of one side was before learning, and what it was predicted to be.
type side struct {
	mean     float64 // of the predictions before learning, the older ones faded
	variance float64 // and their variance
	claimed  float64 // mean prediction of the side at the last choice
	excess   float64 // mean of predictions − claimed
	claims   float64 // weight of the records since the first choice, faded
}

// observe takes note of what was predicted before learning, and, once a choice was made, of how far
// that is from what was claimed then. total is the weight of the side's records, this one included; keep is the factor by
// which older ones have faded.
func (s *side) observe(prediction, weight, total, keep float64, chosen bool) {
	share := weight / total
	d := prediction - s.mean
	s.mean += float64(d * share)
	s.variance += float64((float64(d*(prediction-s.mean)) - s.variance) * share)
	if chosen {
		s.claims = float64(s.claims*keep) + weight
		s.excess += float64((prediction - s.claimed - s.excess) * (weight / s.claims))
	}
}
