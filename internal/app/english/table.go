package english

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// plainStyle is the style of every table: columns and a line below the header, nothing else.
var plainStyle = func() table.Style {
	style := table.StyleLight
	style.Name = "plain"
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = "   "
	style.Format.Header = text.FormatDefault
	return style
}()

// NewTable returns an empty table of columns with a line below their header.
func NewTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(plainStyle)
	return t
}

// Render is a table as text.
func Render(t table.Writer) string { return TrimLines(t.Render()) }

// Stacked puts an interval below its number.
func Stacked(words string) string { return strings.Replace(words, " [", "\n[", 1) }
