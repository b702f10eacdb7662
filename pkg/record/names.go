package record

import "sync"

// Bounds on what a stream of unknown field names can make a process remember.
const (
	// MaxNames is the number of field names a [Names] gives an id.
	MaxNames = 65536
	// MaxNameBytes is the length of the longest field name, as a dotted path, that a record may hold.
	MaxNameBytes = 512
	// NoName is the id of a name that came after MaxNames others.
	NoName int32 = -1
)

// Names gives field names small numbers, so that a reader of records can find what it keeps per
// field in a slice. All decoders of a [Schema] share one, and it may be used from any number of
// goroutines.
//
// Ids count up from 0 in the order in which names are first seen. With several decoders at work
// that order differs from run to run, and so does which names are left without an id when there
// are more than [MaxNames]: an id is a shortcut to what Field.Name says, and nothing learnt may
// depend on it.
type Names struct {
	mu    sync.RWMutex
	ids   map[string]int32
	names []string
}

// NewNames returns an empty table.
func NewNames() *Names { return &Names{ids: make(map[string]int32)} }

// ID returns the id of name, giving it one if it has none and there is room, else [NoName].
func (n *Names) ID(name string) int32 {
	n.mu.RLock()
	id, ok := n.ids[name]
	full := len(n.names) >= MaxNames
	n.mu.RUnlock()
	if ok {
		return id
	}
	if full {
		return NoName
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok = n.ids[name]; ok {
		return id
	}
	if len(n.names) >= MaxNames {
		return NoName
	}
	id = int32(len(n.names))
	n.ids[name] = id
	n.names = append(n.names, name)
	return id
}

// Name returns the name with the given id, or "" when no name has it.
func (n *Names) Name(id int32) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if id < 0 || int(id) >= len(n.names) {
		return ""
	}
	return n.names[id]
}

// Len returns the number of names that have an id.
func (n *Names) Len() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return len(n.names)
}
