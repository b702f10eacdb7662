package waiting

import "github.com/fairstream/fairstream/internal/kafka"

// mail is what the owner hands to the goroutine that writes the changelog.
type mail struct {
	messages []kafka.Message
	bytes    int
	// seal is the mark whose epoch ends here, zero if none does; sealed gets it when all of it is on the changelog.
	seal   Mark
	sealed chan<- Mark
	// counted is the epoch that a snapshot counts, 0 if none is told of.
	counted int64
	// flushed is closed when this and all mail before it is on the changelog; nil: nobody waits.
	flushed chan<- struct{}
}

func (m *mail) add(message kafka.Message) {
	m.messages = append(m.messages, message)
	m.bytes += len(message.Key) + len(message.Value)
}

const (
	// mailMessages and mailBytes bound one mail, which is one batch of the changelog, and mailRoom how many may wait.
	mailMessages = 2000
	mailBytes    = 512 << 10
	mailRoom     = 8
)
