package persons

import "github.com/fairstream/fairstream/internal/codec"

// Once has a decision count once, though it is on a topic twice: a service that asked again because it got no answer has its
// decision logged again, with the same identifier. An identifier is remembered for as long as Recent remembers a person. A zero
// Once has met none.
type Once struct {
	ids      Recent
	met      bool  // some
	repeated int64 // that did not count
}

// Again says whether an identifier, given by a hash that is not 0, came before.
func (o *Once) Again(id uint64) bool {
	o.met = true
	if o.ids.Meet(id) {
		return false
	}
	o.repeated++
	return true
}

// Repeated is how often one came again.
func (o *Once) Repeated() int64 { return o.repeated }

// AppendState appends what a snapshot saves: nothing if no identifier came.
func (o *Once) AppendState(dst []byte) []byte {
	if !o.met {
		return dst
	}
	c := codec.NewWriter(dst)
	o.fields(c)
	return c.Bytes()
}

// RestoreOnce returns what AppendState wrote. The error says that the bytes are damaged.
func RestoreOnce(state []byte) (o Once, err error) {
	c := codec.NewReader(state)
	o.met = true
	o.fields(c)
	return o, c.End()
}

func (o *Once) fields(c *codec.Coder) {
	c.Count(&o.repeated)
	o.ids.Fields(c)
}
