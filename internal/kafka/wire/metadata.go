package wire

import (
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
)

// Metadata is one answer of the cluster: the topics that it has, and why it does not have the others.
type Metadata struct {
	Controller int32
	Brokers    []int32
	Topics     map[string]*Topic
	Errors     map[string]error
}

// Topic is who leads the partitions of a topic, and its identity. It is immutable.
type Topic struct {
	ID      TopicID
	Leaders []Leader // by partition
}

// Leader of a partition; broker -1 while there is none.
type Leader struct {
	Broker, Epoch int32
}

// NoLeader is of a partition without one.
var NoLeader = Leader{-1, -1}

// Identity is what follows from a metadata answer for good: that a topic was made again, and that it has a partition. Answers
// have no checksum, so two have to agree before another identity is believed.
type Identity struct {
	id         TopicID
	partitions int
}

// Identity of the topic, as far as this answer tells it.
func (t *Topic) Identity() Identity { return Identity{t.ID, len(t.Leaders)} }

// MetadataRequest asks for topics by their names.
func MetadataRequest(version int16, clientID string, topics []string) *Encoder {
	e := NewRequest(protocol.Metadata, version, version >= 9, clientID)
	e.Array(len(topics))
	for _, name := range topics {
		if version >= 10 {
			e.uuid(TopicID{})
		}
		e.Text(name)
		e.Tags()
	}
	e.bool(false) // never create a topic by asking for it
	if version >= 8 {
		e.bool(false) // authorized operations of the cluster
		e.bool(false) // and of the topics
	}
	e.Tags()
	return e
}

// ReadMetadata reads the answer.
func ReadMetadata(d *Decoder, version int16) (*Metadata, error) {
	m := &Metadata{Topics: map[string]*Topic{}, Errors: map[string]error{}}
	d.Int32() // throttled: nothing to pace here
	for range d.Array(11) {
		m.Brokers = append(m.Brokers, d.Int32())
		_, _, _ = d.Text(), d.Int32(), d.Text() // host, port, rack: kafka-go's business
		d.Tags()
	}
	d.Text() // cluster id
	m.Controller = d.Int32()
	for range d.Array(9) {
		code, name := d.Int16(), d.Text()
		layout := &Topic{}
		if version >= 10 {
			layout.ID = d.uuid()
		}
		d.int8() // internal
		if err := layout.readPartitions(d, version); err != nil {
			return nil, err
		}
		if version >= 8 {
			d.Int32() // authorized operations
		}
		d.Tags()
		if code != 0 {
			m.Errors[name] = Code(code)
		} else {
			m.Topics[name] = layout
		}
	}
	return m, d.Finish("metadata")
}

// readPartitions reads them in whatever order they come; they are numbered 0 to n-1.
func (t *Topic) readPartitions(d *Decoder, version int16) error {
	n := d.Array(18)
	t.Leaders = make([]Leader, n)
	for i := range t.Leaders {
		t.Leaders[i] = NoLeader
	}
	for range n {
		d.Int16() // its error is told by the missing leader
		index := d.Int32()
		found := Leader{d.Int32(), -1}
		if version >= 7 {
			found.Epoch = d.Int32()
		}
		d.skipInt32s() // replicas
		d.skipInt32s() // in-sync replicas
		if version >= 5 {
			d.skipInt32s() // offline replicas
		}
		d.Tags()
		if d.Err != nil {
			return d.Finish("metadata")
		}
		if index < 0 || int(index) >= n {
			return fmt.Errorf("metadata: partition %d of a topic with %d partitions", index, n)
		}
		t.Leaders[index] = found
	}
	return nil
}
