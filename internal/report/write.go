package report

import (
	_ "embed"
	"html/template"
	"io"
	"math"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

var english = message.NewPrinter(language.English)

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":       func() template.CSS { return template.CSS(style) },
	"frontier":    drawFrontier,
	"rates":       drawRates,
	"columns":     drawColumns,
	"calibration": drawCalibration,
	"number":      func(n Number) string { return n.words("%.3f") },
	"signed":      func(n Number) string { return n.words("%+.3f") },
	"ratio":       func(n Number) string { return n.words("%.2f") },
	"count":       func(x any) string { return counted(x) },
	"percent": func(n Number) string {
		return Number{n.Name, 100 * n.Value, 100 * n.Lo, 100 * n.Hi}.words("%.1f")
	},
	"plus":  func(a, b float64) float64 { return round(a + b) },
	"minus": func(a float64) float64 { return -a },
}).Parse(pageText))

// Generator is near the beginning of every page, and tells it from the pages of other programs.
const Generator = `<meta name="generator" content="fairstream replay --report">`

// Write writes the page. The same page gives the same bytes.
func (p *Page) Write(w io.Writer) error { return page.Execute(w, p) }

func counted(x any) string {
	if f, ok := x.(float64); ok {
		if f == math.Round(f) {
			return english.Sprintf("%.0f", f)
		}
		return english.Sprintf("%.1f", f)
	}
	return english.Sprintf("%d", x)
}
