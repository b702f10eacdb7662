package release

import "slices"

// former is a version that is or was stable.
type former struct {
	version Version
	// loss is its mean loss above that of the first version of its chain: the sum of the paired differences that were measured at the
	// promotions between them.
	loss float64
	// chain numbers the versions that were compared with one another. A new one begins where a version became stable without such a
	// comparison: the first one, one that replaced an unfair one, and one that a person chose.
	chain int64
	gone  bool // its document is no longer on the topic
}

// line are the last stable versions, the oldest first, the present one last. Withdrawn ones are not among them.
type line []former

// stable is the present one; zero if there is none.
func (l line) stable() Version {
	if len(l) == 0 {
		return Version{}
	}
	return l[len(l)-1].version
}

// previous is the one before.
func (l line) previous() Version {
	if len(l) < 2 {
		return Version{}
	}
	return l[len(l)-2].version
}

// anchor is the best of those in the chain of the present one: the one with the least loss, of equal ones the oldest. So ten versions that
// each lose a little against the one before do not add up. It is zero if no document is left.
func (l line) anchor() former {
	var best former
	for i, f := range l {
		if !f.gone && f.chain == l[len(l)-1].chain && (best.version.IsZero() || f.loss < best.loss) {
			best = l[i]
		}
	}
	return best
}

// earlier are the versions that a withdrawal may return to, at most two: the previous one and the anchor.
func (l line) earlier() []Version {
	var all []Version
	for _, v := range [...]Version{l.previous(), l.anchor().version} {
		if !v.IsZero() && v != l.stable() && (len(all) == 0 || v != all[0]) {
			all = append(all, v)
		}
	}
	return all
}

// push makes a version the stable one, and keeps the newest whose documents are there: nobody can return to another.
func (l line) push(f former, most int) line {
	l = slices.DeleteFunc(l.without(f.version), func(f former) bool { return f.gone })
	l = append(l, f)
	return append(line(nil), l[max(0, len(l)-most):]...)
}

// without leaves a version out.
func (l line) without(v Version) line {
	var kept line
	for _, f := range l {
		if f.version != v {
			kept = append(kept, f)
		}
	}
	return kept
}

// find is the entry of a version; chain 0 if there is none.
func (l line) find(v Version) former {
	for _, f := range l {
		if f.version == v {
			return f
		}
	}
	return former{version: v}
}
