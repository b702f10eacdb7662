package profile

import (
	"slices"
	"strings"
)

var (
	positiveWords = strings.Fields("true yes y 1.0 positive pos good approved accepted granted repaid paid hired success passed pass admitted >50k >50k. t high " +
		"ja oui si sí bewilligt genehmigt accepté aprobado sim sì tak approvato approvata aprovado goedgekeurd przyznano przyznany evet onaylandı да 可 beviljad godkänd " +
		"ano áno kyllä igen taip jah da haan haa han はい 有 あり ○ 是 네 예 onaylandi ödendi kabul schváleno zaakceptowano toegekend")

	negativeWords = strings.Fields("false no n 0 0.0 -1 negative neg nein non nie ne nej nei nem ei não nao nee nu hayır hayir нет nahi nahin nahee いいえ 無 なし × 否 아니오 " +
		"denied rejected refused declined failed bad abgelehnt refusé refuse rechazado negado recusado respinto respinta afgewezen odmowa odrzucono odrzucony zamítnuto avslag reddedildi onaylanmadı ödenmedi")

	// A text that has one of these words, and no negation, says that something went well.
	wellWords = strings.Fields("paid repaid approved accepted granted hired passed admitted succeeded successful")

	// A word behind one of these beginnings says the opposite.
	opposites = strings.Fields("un in non non- not- no- nie ne nicht- nicht não- niet- 不 非 未 無 无")
)

// positive is the one of two values that a label most likely calls positive: an affirmation, what is not a denial, or what the column is named after; empty where
// no word tells which it is, as of the codes 1 and 2.
func positive(name string, values []Value) string {
	if len(values) != 2 {
		return only(values, func(text string) bool { return slices.Contains(positiveWords, text) })
	}
	texts := [2]string{plain(values[0].Text), plain(values[1].Text)}
	for _, is := range []func(at int) bool{
		func(at int) bool { return slices.Contains(positiveWords, texts[at]) },
		func(at int) bool { return slices.Contains(negativeWords, texts[1-at]) },
		func(at int) bool { return texts[at] == "e" && texts[1-at] == "h" }, // evet and hayır
		func(at int) bool { return isOpposite(texts[1-at], texts[at]) },
		func(at int) bool { return saysWell(texts[at]) },
		func(at int) bool { return isNamedAfter(name, texts[at]) },
	} {
		if first := is(0); first != is(1) {
			if first {
				return values[0].Text
			}
			return values[1].Text
		}
	}
	return ""
}

// only is the text of which alone something is so; empty if it is so of none or of several.
func only(values []Value, is func(text string) bool) (found string) {
	for _, v := range values {
		if is(plain(v.Text)) {
			if found != "" {
				return ""
			}
			found = v.Text
		}
	}
	return found
}

func plain(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

func isOpposite(of, text string) bool {
	of = strings.ReplaceAll(of, " ", "-")
	return slices.ContainsFunc(opposites, func(beginning string) bool { return of == beginning+strings.ReplaceAll(text, " ", "-") })
}

func saysWell(text string) bool {
	words := wordsOf(text)
	return !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(negations, word) || word == "un" }) &&
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wellWords, word) })
}

// leastStem is how many letters of a word tell that another is of the same stem, as fraud and fraudulent.
const leastStem = 4

func isNamedAfter(name, text string) bool {
	return slices.ContainsFunc(wordsOf(lastPart(name)), func(of string) bool {
		return len(of) >= leastStem && slices.ContainsFunc(wordsOf(text), func(word string) bool {
			return len(word) >= leastStem && (strings.HasPrefix(word, of) || strings.HasPrefix(of, word))
		})
	})
}
