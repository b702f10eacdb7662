package wire

import "github.com/fairstream/fairstream/pkg/kafka"

// TopicID is the identity that a broker gives to a topic when it is created; losses of data, which are public, name it.
type TopicID = kafka.TopicID

// ErrNoTopicID is text that is no id.
var ErrNoTopicID = kafka.ErrNoTopicID
