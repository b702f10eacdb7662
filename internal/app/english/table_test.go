package english

import (
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
)

// TestTables: a line below the header and nothing else, with an interval below its number.
func TestTables(t *testing.T) {
	written := NewTable()
	written.AppendHeader(table.Row{"name", "value"})
	written.AppendRow(table.Row{"a", Stacked("1.0 [0.5, 1.5]")})
	const want = "name   value\n────────────────────\na      1.0\n       [0.5, 1.5]"
	if got := Render(written); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}
