package features

// memorySize is how many texts an encoder remembers: a table in which a new text displaces an old one.
const memorySize = 1024

// memory is what texts were encoded to. It saves time and has no effect: an entry equals what encoding the text afresh
// would give.
type memory struct {
	entries [memorySize]remembered
}

// remembered is the non-zeros of a text, all of value 1, and what it contributes to crosses.
//
// An entry is valid for good, but for one that waits: its level has no weight of its own yet. That one is valid until
// the level is promoted.
type remembered struct {
	key     uint64
	token   uint64
	weights [fewWeights]int32
	count   int8 // 0 in an empty entry
	waits   bool
}

// at returns where a text is remembered, which may hold another text now.
func (m *memory) at(key uint64) *remembered { return &m.entries[key%memorySize] }

func (r *remembered) holds(key uint64) bool { return r.key == key && r.count > 0 }

// keep remembers a text if its non-zeros are few enough.
func (r *remembered) keep(key, token uint64, weights []int32, waits bool) {
	if len(weights) == 0 || len(weights) > fewWeights {
		return
	}
	*r = remembered{key: key, token: token, count: int8(len(weights)), waits: waits}
	copy(r.weights[:], weights)
}
