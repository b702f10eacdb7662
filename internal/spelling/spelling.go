// Package spelling tells which known name is near enough to a misspelt one for "did you mean"; callers have the words. It imports nothing of the project.
package spelling

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

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

// leastLetters is how long a word is that one wrong letter makes no other word.
const leastLetters = 5

// OneOff says whether one letter more, less or other makes one of two words the other.
func OneOff(a, b string) bool {
	return max(len(a), len(b)) >= leastLetters && levenshtein.ComputeDistance(a, b) == 1
}

// Field returns the field that word, a dotted path, most likely stands for: one that ends in the same part in any case, as
// applicant.sex for sex, or the nearest by spelling, as a whole or by its last part; "" if none is near.
func Field(word string, fields []string) string {
	for _, field := range fields {
		if last(field) == last(word) {
			return field
		}
	}
	if near := Nearest(word, fields); near != "" {
		return near
	}
	parts := make([]string, len(fields))
	for i, field := range fields {
		parts[i] = last(field)
	}
	if near := Nearest(last(word), parts); near != "" {
		return fields[slices.Index(parts, near)]
	}
	return ""
}

func last(path string) string { return strings.ToLower(path[strings.LastIndexByte(path, '.')+1:]) }
