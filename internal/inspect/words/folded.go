package words

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// latin are the Latin letters that small letters of Cyrillic and Greek look like, in small or in capitals. No two letters of one script become the same, so
// that words of one script stay apart. The Greek μ is not among them: it stands in units.
var latin = pairsOfLetters("авекмнорстухіјѕ"+"αβεζηικνορτυχ", "abekmhopctyxijs"+"abezhiknoptyx")

func pairsOfLetters(from, to string) map[rune]rune {
	letters := []rune(to)
	pairs := make(map[rune]rune, len(letters))
	for i, r := range []rune(from) {
		pairs[r] = letters[i]
	}
	return pairs
}

// folded is the same of texts that look the same: in small letters, composed (NFKC), without signs that are not seen, and with Latin letters for those
// of other alphabets that look like them.
func folded(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		switch like, is := latin[r]; {
		case unicode.Is(unicode.Cf, r): // such as a space of no width
			return -1
		case is:
			return like
		}
		return r
	}, strings.ToLower(norm.NFKC.String(text)))
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// seemsOther says whether a text looks as if it were other letters than it is: of several alphabets, or composed in an unusual way.
func seemsOther(text string) bool {
	if isASCII(text) {
		return false
	}
	return !norm.NFC.IsNormalString(text) || strings.ContainsFunc(text, func(r rune) bool { return latin[unicode.ToLower(r)] != 0 }) &&
		strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}
