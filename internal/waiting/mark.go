package waiting

import "github.com/fairstream/fairstream/internal/kafka"

// Mark is what a snapshot holds of a store: which entries it counts.
type Mark struct {
	// Number is that of the newest entry, from 1 on. Epoch counts the marks.
	Number int64 `json:"number"`
	Epoch  int64 `json:"epoch"`
	// Entries and Bytes are how many wait, and the sum of their sizes.
	Entries int64 `json:"entries"`
	Bytes   int64 `json:"bytes"`
	// Held is how many of them are held.
	Held int64 `json:"held,omitempty"`
	// Offset is where the changelog ended: whatever is behind it, no snapshot counted.
	Offset int64 `json:"offset"`
	// Lineage says which term wrote which numbers and epochs, the latest last. Terms of which no entry waits any more are left out.
	Lineage []Stretch `json:"lineage,omitempty"`
}

// Stretch is what one term wrote: the numbers and epochs up to these, from behind those of the stretch before.
type Stretch struct {
	Term   int64 `json:"term"`
	Number int64 `json:"number"`
	Epoch  int64 `json:"epoch"`
}

// term is that of the process that made the mark, 0 if nobody did.
func (m *Mark) term() int64 {
	if last := len(m.Lineage) - 1; last >= 0 {
		return m.Lineage[last].Term
	}
	return 0
}

// wrote says whether the entry of that number counts, if the term wrote it.
func (m *Mark) wrote(term, number int64) bool {
	for i := range m.Lineage {
		if number <= m.Lineage[i].Number {
			return m.Lineage[i].Term == term
		}
	}
	return false
}

// listed says whether the list of that epoch counts, if the term wrote it.
func (m *Mark) listed(term, epoch int64) bool {
	for i := range m.Lineage {
		if epoch <= m.Lineage[i].Epoch {
			return m.Lineage[i].Term == term
		}
	}
	return false
}

// follow begins the stretch of a new term.
func (m *Mark) follow(term int64) {
	m.Lineage = append(m.Lineage, Stretch{term, m.Number, m.Epoch})
}

// forget leaves out the stretches whose entries are all older than the oldest that waits.
func (m *Mark) forget(oldest int64) {
	gone := 0
	for gone < len(m.Lineage)-1 && m.Lineage[gone].Number < oldest {
		gone++
	}
	m.Lineage = append([]Stretch(nil), m.Lineage[gone:]...)
}

// meaning is what a folder says of itself.
type meaning struct {
	Format int           `json:"format"`
	Job    string        `json:"job"`
	Topic  string        `json:"topic"`
	ID     kafka.TopicID `json:"topic_id"`
	Terms  []int64       `json:"terms"` // that used it since it was filled
}

const format = 1
