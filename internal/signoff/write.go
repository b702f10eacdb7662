package signoff

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed sheet.html
var pageText string

//go:embed sheet.css
var style string

var page = template.Must(template.New("sheet").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).Parse(pageText))

// Policy is the content-security policy of the page: its own style, and nothing else.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// HTML writes the report as a page, which is complete in itself.
func (s *Sheet) HTML(w io.Writer) error { return page.Execute(w, s) }

// Text is the report as text.
func (s *Sheet) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n", s.Title(), s.Period())
	for _, section := range s.Sections() {
		fmt.Fprintf(&text, "\n%s\n", section.Title)
		for _, sentence := range section.Sentences {
			fmt.Fprintf(&text, "  %s\n", sentence)
		}
		for _, row := range section.Rows {
			fmt.Fprint(&text, "  -")
			for i, cell := range row {
				switch {
				case cell == "":
				case i < len(section.Head):
					fmt.Fprintf(&text, " %s: %s;", section.Head[i], cell)
				default:
					fmt.Fprintf(&text, " %s", cell)
				}
			}
			text.WriteByte('\n')
		}
	}
	return text.String()
}
