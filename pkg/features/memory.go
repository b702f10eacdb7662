package features

// lack is the level that a text has no weight for.
type lack uint8

const (
	nothing    lack = iota
	aCategory       // a value of a column that has nothing but levels
	aCandidate      // a number besides its bin, or a combination besides its columns
)

// text is what encoding a text came to.
type text struct {
	token uint64 // what it contributes to crosses
	lacks lack
	lasts bool // its non-zeros stay what they are once it lacks nothing, and are 1 but for that of Linear
	// numeric says that the text is a number of a Binned column; bin and z are then those of the number.
	numeric bool
	bin     int32
	z       float64
}

// memorySize is how many texts an encoder remembers: a table in which a new text displaces an old one.
const memorySize = 4096

// memory is what texts were encoded to. It saves time and has no effect: an entry equals what encoding the text afresh
// would give.
type memory struct {
	entries *[memorySize]remembered // nil until the first text
}

// remembered is the non-zeros of a text, of value 1 but for that of Linear, which is the first, and what the text
// contributes to crosses.
//
// An entry is valid until its column earns bins, when all are forgotten. One that waits has a level without a weight of its
// own, and is valid until the level is promoted.
type remembered struct {
	key     uint64
	token   uint64
	weights [fewWeights]int32
	values  [fewWeights]float32
	count   int8
	used    bool
	numeric bool
	waits   bool
	bin     int32
	z       float64
}

// at returns where a text is remembered, which may hold another text now.
func (m *memory) at(key uint64) *remembered {
	if m.entries == nil {
		m.entries = new([memorySize]remembered)
	}
	return &m.entries[key%memorySize]
}

func (r *remembered) holds(key uint64) bool { return r.key == key && r.used }

// keep remembers a text if its non-zeros, which are those of a row from start on, are few enough.
func (r *remembered) keep(key uint64, t *text, row *Row, start int, waits bool) {
	weights := row.Index[start:]
	if len(weights) > fewWeights {
		return
	}
	*r = remembered{key: key, token: t.token, count: int8(len(weights)), used: true, numeric: t.numeric, waits: waits, bin: t.bin, z: t.z}
	copy(r.weights[:], weights)
	for i := range weights {
		r.values[i] = float32(row.At(start + i))
	}
}
