package kafka

import (
	"encoding/base64"
	"errors"
)

// TopicID is the identity that a broker gives to a topic when it is created. A topic deleted and made again under the
// same name has another: offsets belong to the id, not to the name. Zero means unknown (Kafka before 2.8).
type TopicID [16]byte

// ErrNoTopicID is text that is no id.
var ErrNoTopicID = errors.New("a topic id is 22 characters of URL-safe base64")

// String is Kafka's own form of an id, as kafka-topics.sh --describe prints it.
func (id TopicID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// MarshalText is part of encoding.TextMarshaler.
func (id TopicID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is part of encoding.TextUnmarshaler.
func (id *TopicID) UnmarshalText(text []byte) error {
	bytes, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil || len(bytes) != len(id) {
		return ErrNoTopicID
	}
	copy(id[:], bytes)
	return nil
}
