package config

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// suggestKey says what an unknown key of a section was probably meant to be.
func suggestKey(key string, fields []field) string {
	known := make([]string, len(fields))
	for i, f := range fields {
		if strings.HasPrefix(f.key, key+".") {
			return ": keys with dots are written in one piece, as in " + f.key + ": …"
		}
		known[i] = f.key
	}
	if near := Nearest(key, known); near != "" {
		return ": did you mean " + near + "?"
	}
	for _, elsewhere := range Keys() {
		if strings.HasSuffix(elsewhere.Path, "."+key) {
			return ": did you mean " + elsewhere.Path + "?"
		}
	}
	return ": the keys here are " + strings.Join(known, ", ")
}

// Nearest returns the name that word is most likely a misspelling of, or "" if none is near.
func Nearest(word string, names []string) string {
	// Two swapped letters are a distance of 2; in a short word that is most of it.
	most := min(max(2, len(word)/3), len(word)-2)
	best, least := "", most+1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}
