// Package formattest makes schemas that are wrong in some word, for tests of the packages that read them.
package formattest

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

var words = regexp.MustCompile(`\w+|\s+|[^\w\s]`)

// Mutate changes some words of a text: they are left out, repeated, exchanged with others, or put elsewhere with those behind them. Every eighth time it
// changes a byte, and every eighth time nothing.
func Mutate(random *rand.Rand, text string) string {
	switch random.IntN(8) {
	case 0:
		return text
	case 1:
		bytes := []byte(text)
		bytes[random.IntN(len(bytes))] = byte(random.IntN(256))
		return string(bytes)
	}
	all := words.FindAllString(text, -1)
	for range 1 + random.IntN(3) {
		at, other := random.IntN(len(all)), random.IntN(len(all))
		end := min(len(all), at+1+random.IntN(12))
		switch random.IntN(4) {
		case 0:
			all[at] = all[other]
		case 1:
			all[at], all[other] = all[other], all[at]
		case 2:
			all = slices.Insert(all, other, slices.Clone(all[at:end])...)
		case 3:
			if len(all) > 20 {
				all = slices.Delete(all, at, end)
			}
		}
	}
	return strings.Join(all, "")
}
