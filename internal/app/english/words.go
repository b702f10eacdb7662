package english

import (
	"fmt"
	"strings"

	"github.com/fairstream/fairstream/internal/spelling"
)

// DidYouMean is a question whether word was meant to be one of names, empty if none is near.
func DidYouMean(word string, names []string) string {
	if near := spelling.Nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// DidYouMeanField is meant for a field, which may be one of the same last part.
func DidYouMeanField(word string, fields []string) string {
	if near := spelling.Field(word, fields); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// List names at most forty of names.
func List(names []string) string {
	const most = 40
	switch more := len(names) - most; {
	case len(names) == 0:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// And joins names as a sentence does: one, two and three.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
