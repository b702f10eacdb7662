package profile

import (
	"slices"
	"strings"
	"unicode"
)

// wordsOf splits a field name into lower-case words: applicant.customerNo is applicant, customer, no.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	previous := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		previous = r
	}
	flush()
	return words
}

// leaf is the last word of a name that is not the position in an array.
func leaf(name string) string {
	words := wordsOf(name)
	for _, word := range slices.Backward(words) {
		if strings.Trim(word, "0123456789") != "" {
			return word
		}
	}
	return ""
}

// anyOf says whether one of the words of name, or the whole of it without separators, is in list.
func anyOf(name string, list []string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	words := wordsOf(last)
	return slices.Contains(list, strings.Join(words, "")) ||
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

var (
	identifierWords = []string{"id", "ids", "uuid", "guid", "key", "number", "nr", "no", "ref", "reference", "account", "iban",
		"ssn", "phone", "phones", "telephone", "mobile", "email", "mail", "ip", "hash", "token", "serial", "index"}
	timeWords = []string{"time", "timestamp", "ts", "date", "at", "created", "updated", "when", "epoch"}

	labelWords = []string{"label", "target", "outcome", "class", "y", "repaid", "paid", "default", "defaulted", "approved",
		"approval", "accepted", "granted", "hired", "churn", "churned", "fraud", "response", "converted", "clicked", "survived",
		"recid", "recidivism", "income", "result", "decision", "success", "passed", "admitted", "readmitted", "bought"}
	attributeWords = []string{"sex", "gender", "race", "ethnicity", "ethnic", "religion", "nationality", "citizenship", "disability",
		"disabled", "orientation", "age", "birth", "birthyear", "agegroup", "migration", "foreign", "foreignworker", "color", "colour",
		"veteran", "pregnant", "geschlecht", "sexe", "sexo", "genre"}
	positiveWords = []string{"true", "yes", "y", "1", "1.0", "positive", "pos", "good", "approved", "accepted", "granted", "repaid", "paid",
		"hired", "success", "passed", "pass", "admitted", ">50k", "t", "high"}
)

func namesIdentifier(name string) bool { return slices.Contains(identifierWords, leaf(name)) }

func namesTime(name string) bool { return anyOf(name, timeWords) }
