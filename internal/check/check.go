// Package check gathers what is wrong with a section of the configuration, so that a user sees all problems at
// once, in the same words whichever package owns the section.
package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// Section collects the problems of one section of the configuration.
type Section struct {
	// Prefix stands before each key, as in "stream.".
	Prefix string
	// Problems are those found so far, in the order of the checks.
	Problems []record.Problem
}

// Add notes a problem of a key.
func (s *Section) Add(key, format string, arguments ...any) {
	s.Problems = append(s.Problems, record.Problem{Path: s.Prefix + key, Message: fmt.Sprintf(format, arguments...)})
}

// Between wants least ≤ value ≤ most.
func Between[T cmp.Ordered](s *Section, key string, value, least, most T) {
	if !(least <= value && value <= most) {
		s.Add(key, "%v is outside %v to %v", value, least, most)
	}
}

// OneOf wants one of the known words.
func OneOf[T ~string](s *Section, key string, value T, known ...T) {
	if slices.Contains(known, value) {
		return
	}
	words := make([]string, len(known))
	for i, name := range known {
		words[i] = string(name)
	}
	last := len(words) - 1
	s.Add(key, "%q is unknown: use %s or %s", value, strings.Join(words[:last], ", "), words[last])
}

// Default sets a field that has its zero value to its default.
func Default[T comparable](field *T, standard T) {
	if *field == *new(T) {
		*field = standard
	}
}

// AsShare is the advice for a share that is outside its range, as it stands behind the message: 95 was meant as a percentage.
func AsShare(value float64) string {
	if value > 1 && value < 100 {
		return fmt.Sprintf(": a share is a number below 1, so write %v for %v per cent", value/100, value)
	}
	return ""
}
