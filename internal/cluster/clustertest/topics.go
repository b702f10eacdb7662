package clustertest

import (
	"github.com/fairstream/fairstream/internal/kafka"
)

// Again makes a topic of the memory again, empty.
func (m *Memory) Again(name string) {
	m.Mutex.Lock()
	defer m.Mutex.Unlock()
	m.Make(name, 1)
	m.wake()
}

// Clean removes what a cleaner removes soon: all but the last record of each key. Deletions stay for a day.
func (m *Memory) Clean(topic string) {
	m.Mutex.Lock()
	defer m.Mutex.Unlock()
	log, last := m.Topics[topic].Partitions[0], map[string]int{}
	for i := range log.Records {
		last[string(log.Records[i].Key)] = i
	}
	for i := range log.Records {
		if last[string(log.Records[i].Key)] != i {
			log.Records[i] = kafka.Message{Key: []byte("removed")}
		}
	}
}

// LastUnder is the last record of partition 0 under a key.
func (m *Memory) LastUnder(topic, key string) (found kafka.Message) {
	m.Mutex.Lock()
	defer m.Mutex.Unlock()
	for _, r := range m.Topics[topic].Partitions[0].Records {
		if string(r.Key) == key {
			found = r
		}
	}
	return found
}
