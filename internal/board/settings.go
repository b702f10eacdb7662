package board

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// sections are the parts of a configuration, for people who did not write it.
var sections = map[string]string{
	"learner": "the learner", "evaluation": "the learner", "record": "how records are read", "release": "the tests of versions", "monitor": "the monitoring",
	"kafka": "the connection", "topics": "the topics", "stream": "the job", "server": "this page", "log": "the log", "serve": "the decisions over HTTP",
}

// SettingWords is a key of the configuration in a few words.
func SettingWords(key string) string {
	section, rest, _ := strings.Cut(key, ".")
	if n, is := comparisonAt(section); is {
		if rest == "" {
			return fmt.Sprintf("comparison %d", n)
		}
		return fmt.Sprintf("%s of comparison %d", settingWords(rest), n)
	}
	return settingWords(cmp.Or(rest, section))
}

// comparisonAt is the number, from 1, of the comparison that a part of a key names.
func comparisonAt(section string) (n int, is bool) {
	at, found := strings.CutPrefix(section, "constraints[")
	if !found {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(at, "]"))
	return n + 1, err == nil
}

// ChangeBrief is a change of a key with its values, for a list.
func ChangeBrief(key, from, to string) string {
	if before, now := settingValue(from), settingValue(to); before != "" && now != "" {
		return fmt.Sprintf("%s, from %s to %s", SettingWords(key), before, now)
	}
	return SettingWords(key)
}

// ChangeWords says in a sentence what became of a key of the configuration. The values are JSON; null stands for a key that was not there.
func ChangeWords(key, from, to string) string {
	section, rest, _ := strings.Cut(key, ".")
	what := "Setting of " + cmp.Or(sections[section], "the job") + ": " + settingWords(cmp.Or(rest, section))
	if n, is := comparisonAt(section); is {
		what = fmt.Sprintf("Comparison %d", n)
		if rest != "" {
			what += ": " + settingWords(rest)
		}
	}
	before, now := settingValue(from), settingValue(to)
	switch {
	case from == "null" || from == "":
		return fmt.Sprintf("%s is now %s; before, it was not set.", what, cmp.Or(now, "set"))
	case to == "null" || to == "":
		return fmt.Sprintf("%s is no longer set; before, it was %s.", what, cmp.Or(before, "set"))
	}
	if now == "" || before == "" {
		return what + " has another value now."
	}
	return fmt.Sprintf("%s is now %s; before, it was %s.", what, now, before)
}

// settings are the words of keys that say little by themselves.
var settings = map[string]string{
	"tau": "the limit", "cool_down": "the pause after a change of version (in records)", "window": "the number of recent records", "warmup": "the number of records before the first version",
	"limit": "the largest difference that is tolerated in a version in use", "deadline": "the number of records after which a version under test fails",
}

// settingWords are the words of a key.
func settingWords(key string) string {
	if words := settings[key]; words != "" {
		return words
	}
	return strings.NewReplacer(".", ", ", "_", " ", "[", " ", "]", "").Replace(key)
}

// mostOfValue is how long a value may be to be told.
const mostOfValue = 60

// settingValue is a value without the marks of JSON; empty if it is none or too long for a sentence.
func settingValue(text string) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		value = text
	}
	switch v := value.(type) {
	case nil:
		return ""
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return Grouped(n)
		}
		return v.String()
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case string:
		if len(v) <= mostOfValue {
			return v
		}
	}
	return ""
}
