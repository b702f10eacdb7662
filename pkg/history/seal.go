package history

import "slices"

// Seal is what is known of the signature of a record on the history topic. The zero Seal: nobody looked.
type Seal struct {
	// Checked is whether somebody looked, with the public keys that are trusted.
	Checked bool
	// Problem says why the signature does not count; empty if a trusted key signed.
	Problem string
}

// Trusted says whether a trusted key signed.
func (s Seal) Trusted() bool { return s.Checked && s.Problem == "" }

// EntrySignatures says which entries are signed by trusted keys. A signature covers the bytes of an entry, which hold the SHA-256 of the entry
// before: the first signature also covers all entries before it.
type EntrySignatures struct {
	// Signed counts entries with a good signature, and Before those in front of the first one: they are from before the keys, and
	// what they say is worth as much as the chain.
	Signed int `json:"signed"`
	Before int `json:"before_the_keys"`
	// Refused are the entries behind the first signature without one. What they say does not count. If no entry is signed, all of them are
	// refused, and what they say is shown nevertheless.
	Refused []Unsigned `json:"refused"`
}

// Unsigned are entries in a row that are refused for one reason.
type Unsigned struct {
	// First and Last are sequences, and Kind that of the first.
	First  int64  `json:"first"`
	Last   int64  `json:"last"`
	Kind   Kind   `json:"kind"`
	Reason string `json:"reason"`
}

// Disowning tells that the owner of the job did not write entries, although they continue the chain.
type Disowning struct {
	Entries []Disowned `json:"entries"`
}

// Disowned names such an entry by its sequence and the SHA-256 of its bytes.
type Disowned struct {
	Sequence int64  `json:"sequence"`
	SHA256   string `json:"sha256"`
	Reason   string `json:"reason"`
}

// noted is an entry that continues the chain, with what is known of its record.
type noted struct {
	*Entry
	sum  string
	seal Seal
}

// signatures looks at the seals of all entries. refused says which of them do not count; nil if none was checked.
func signatures(all []noted) (s EntrySignatures, refused map[int64]bool) {
	s.Refused = []Unsigned{}
	first := -1
	for i, e := range all {
		if e.seal.Trusted() {
			if s.Signed++; first < 0 {
				first = i
			}
		}
	}
	refused = map[int64]bool{}
	s.Before = max(0, first)
	for _, e := range all[s.Before:] {
		if !e.seal.Checked || e.seal.Trusted() {
			continue
		}
		if first >= 0 {
			refused[e.Sequence] = true
		}
		if n := len(s.Refused); n > 0 && s.Refused[n-1].Last == e.Sequence-1 && s.Refused[n-1].Reason == e.seal.Problem {
			s.Refused[n-1].Last = e.Sequence
		} else {
			s.Refused = append(s.Refused, Unsigned{e.Sequence, e.Sequence, e.Kind, e.seal.Problem})
		}
	}
	return s, refused
}

// disowned are the entries that a later entry of an owner disowns, by sequence. One that is refused or disowned itself has no say.
func disowned(all []noted, refused map[int64]bool) map[int64]Disowned {
	sums, found := map[int64]string{}, map[int64]Disowned{}
	for _, e := range all {
		sums[e.Sequence] = e.sum
	}
	for _, e := range slices.Backward(all) {
		if _, out := found[e.Sequence]; out || refused[e.Sequence] || e.Kind != Disown {
			continue
		}
		for _, one := range e.Disowned.Entries {
			if sums[one.Sequence] == one.SHA256 {
				found[one.Sequence] = one
			}
		}
	}
	return found
}
