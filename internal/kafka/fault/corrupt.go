package fault

import (
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
)

// CorruptError is a batch that cannot be what a producer wrote.
type CorruptError struct {
	Topic     string
	Partition int32
	Offset    int64
	Problem   string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s/%d: the batch at offset %d cannot be read: %s; nothing behind it was read. "+
		"Look at it with kafka-dump-log.sh; to go on without it, delete the records up to it with kafka-delete-records.sh and set stream.data_loss to earliest",
		e.Topic, e.Partition, e.Offset, e.Problem)
}

// Doubted is a corrupt batch that is asked for again, since a bit lost on the way heals.
func Doubted(err error) error { return fmt.Errorf("%w: %v", kafkago.InvalidMessage, err) }
