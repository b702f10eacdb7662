package modeltopic

// Terms count the owners of a job, one by one, on every topic of the job. A damaged or forged record can name any number, and the next owner has to
// claim a term above those that it believes. So the bound of what is believed lies below the bound of what is accepted: one record at an edge
// leaves 2^20 terms to the owners that come after.
const (
	// MostTerm is the highest term and version that a reader accepts.
	MostTerm = 1 << 50
	// MostBelieved is the highest term that is believed at once, whatever the terms before it were.
	MostBelieved = MostTerm - 1<<20
)

// Believable says whether a record that others wrote can have a term, for somebody who knows that the job is at term now: above MostBelieved
// terms go up one by one. A record with another term is damaged or forged, and is passed over.
func Believable(term, now int64) bool {
	return term >= 0 && (term <= MostBelieved || term <= MostTerm && term <= now+1)
}
