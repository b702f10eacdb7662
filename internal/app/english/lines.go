package english

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// TrimLines takes the spaces off the ends of lines.
func TrimLines(table string) string {
	lines := strings.Split(table, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Prose breaks a sentence into lines of at most 80 characters.
func Prose(sentence string) string { return TrimLines(text.WrapSoft(sentence, 80)) }

// Indented breaks words into lines of at most 80 characters that begin with spaces, all but the first with two more.
func Indented(spaces int, words string) string {
	margin := strings.Repeat(" ", spaces)
	return margin + strings.ReplaceAll(TrimLines(text.WrapSoft(words, 78-spaces)), "\n", "\n"+margin+"  ")
}

// Wrapped breaks a sentence into lines, of which the later ones are indented.
func Wrapped(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = " "
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// OneLine takes out what would end a comment, or is no character of YAML.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == '\u2028' || r == '\u2029' || r >= 0x80 && r < 0xa0 || r == '\ufeff' || r == 0xfffd {
			return ' '
		}
		return r
	}, text)
}

// Clipped shortens a text to a number of characters.
func Clipped(text string, most int) string {
	text = OneLine(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
