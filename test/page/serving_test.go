package page_test

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/test/page/story"
)

// TestWhereVersionsServe: the table of instances says who is silent and which version each uses, on a phone and on a desktop, and is absent where
// no instance reports.
func TestWhereVersionsServe(t *testing.T) {
	t.Parallel()
	for state, words := range map[string][]string{
		"learning": {"3 applications report to this job; 1 of them has no version yet; 1 of them is silent", "2 reports could not be read", "adult-7d9f8b6c5-00000:8470", "12 minutes ago",
			"in use: ", "under test: ", "less than a minute ago", "none yet", "fairstream v0.1.0"},
		"many":          {"50 applications report to this job"},
		"first-version": {"No application has reported in the last hour."},
		"sixteen":       {"1,000 applications", "200 are shown"},
	} {
		t.Run(state, func(t *testing.T) {
			url, _ := serve(t, story.New(t, state, nil), "")
			for width, theme := range map[int64]string{375: "dark", 1440: "light"} {
				p := open(t, url, width)
				p.theme(theme)
				for _, word := range words {
					p.wait("document.querySelector('#serving').innerText.includes(" + quote(word) + ")")
				}
				what := fmt.Sprintf("%s, %s at %d pixels", state, theme, width)
				p.fits(what)
				if state != "sixteen" { // of whom the others have the same rows
					p.accessible(what)
				}
			}
		})
	}
	url, _ := serve(t, story.New(t, "ok", nil), "")
	p := open(t, url, 1440)
	p.wait("document.querySelector('#serving').hidden && !document.querySelector('#versions').hidden")
}
