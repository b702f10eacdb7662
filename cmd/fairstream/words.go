package main

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/fairstream/fairstream/internal/config"
)

// english prints numbers for people: 39,074 records.
var english = message.NewPrinter(language.English)

// meant is a question whether word was meant to be one of names, empty if none is near.
func meant(word string, names []string) string {
	if near := config.Nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// listed names at most forty of names.
func listed(names []string) string {
	const most = 40
	switch more := len(names) - most; {
	case len(names) == 0:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// within is a number with its interval; absent numbers are a dash.
func within(value, lo, hi float64, format string) string {
	if math.IsNaN(value) {
		return "–"
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", value, lo, hi)
}
