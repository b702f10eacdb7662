package words

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/spelling"
)

// Alike says whether two different texts are one value written in two ways: in another case, with spaces or a full stop at
// an end, or as another form of the same number.
func Alike(a, b string) bool {
	if a == b {
		return false
	}
	if Bare(a) == Bare(b) {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// Bare is a text as it is folded, without spaces of any kind and full stops at its ends.
func Bare(text string) string {
	return strings.TrimFunc(folded(text), func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// Form is the same of texts that are one value written in several ways: in another case, or with other spaces, hyphens or
// underscores between the words.
func Form(text string) string {
	return strings.Join(strings.FieldsFunc(Bare(text), func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }), " ")
}

// sameGroup are words for one group of people.
var sameGroup = [][]string{
	{"m", "male", "man", "men", "boy", "mr", "masculine", "männlich", "maennlich", "mann", "herr", "homme", "masculin", "hombre", "masculino", "varón"},
	{"f", "w", "female", "woman", "women", "girl", "ms", "mrs", "feminine", "weiblich", "frau", "femme", "féminin", "mujer", "femenino"},
}

// sameAnswer are words for yes, and for no.
var sameAnswer = [][]string{
	{"yes", "y", "true", "t", "1", "ja", "j", "oui", "o", "si", "sí", "s", "sim", "wahr"},
	{"no", "n", "false", "f", "0", "nein", "non", "não", "falsch"},
}

// SaysYes says whether a text is a word for yes.
func SaysYes(text string) bool { return slices.Contains(sameAnswer[0], Bare(text)) }

// SaysNo says whether a text is a word for no.
func SaysNo(text string) bool { return slices.Contains(sameAnswer[1], Bare(text)) }

// SameAnswer says whether two different texts both say yes, or both no.
func SameAnswer(a, b string) bool { return inOne(sameAnswer, a, b) }

// AlikeGroup says whether two different texts are one group: alike, or words of the same meaning.
func AlikeGroup(a, b string) bool { return AlikeAnswer(a, b) || inOne(sameGroup, a, b) }

// AlikeAnswer says whether two different texts are one answer to a question.
func AlikeAnswer(a, b string) bool {
	return Alike(a, b) || a != b && Form(a) == Form(b) || SameAnswer(a, b)
}

// Mistyped says whether a word is another but for one letter.
func Mistyped(a, b string) bool {
	return !strings.ContainsAny(a+b, "0123456789") && spelling.OneOff(Bare(a), Bare(b))
}

func inOne(lists [][]string, a, b string) bool {
	return a != b && slices.ContainsFunc(lists, func(words []string) bool {
		return slices.Contains(words, Bare(a)) && slices.Contains(words, Bare(b))
	})
}
