package page_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/test/page/story"
)

// shown is what a page shows without a click that only those who run the job would read: a backtick, a key of the configuration, a code, a command or a time
// of a program; empty if there is none.
const shown = `(() => {
	const page = document.querySelector('main').cloneNode(true)
	for (const e of page.querySelectorAll('details p, #drivers tbody th, code')) e.remove()
	const found = page.textContent.match(/` + "`" + `|\b(server|record|release|stream|monitor|topics|learner|serve|kafka|registry|evaluation|constraints)\.[a-z_]+|\b[a-z]+_[a-z_]+\b|--[a-z]|fairstream (run|models|audit|state|serve|deadletters)\b|\d{4}-\d\d-\d\dT/)
	return found ? page.textContent.slice(Math.max(0, found.index - 80), found.index + 80) : ''
})()`

// plain fails if a person who does not run the job would not know a word.
func (p *tab) plain(what string) {
	p.t.Helper()
	if found := eval[string](p, shown); found != "" {
		p.t.Errorf("%s: the page says …%s…", what, strings.Join(strings.Fields(found), " "))
	}
}

// TestPlainWords: what the page shows without a click has no backtick, no key of the configuration, no code and no command, in every state and with every
// condition that the product can raise. Details for those who run the job may have them.
func TestPlainWords(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"learning", "first-version", "halted", "standby", "kafka", "numbers"} {
		t.Run(state, func(t *testing.T) {
			job := story.New(t, state, nil)
			s := job.Scene().Status
			if len(s.Constraints) > 0 {
				for _, code := range board.ConditionCodes() {
					s.Conditions = append(s.Conditions, board.Condition{Code: code, Constraint: "sex", Detail: "set `record.label.field`, or use `fairstream state prune --config`"})
				}
			}
			url, _ := serve(t, job, "")
			p := open(t, url, 1440)
			p.wait("!document.querySelector('#content').hidden")
			if len(s.Constraints) > 0 {
				p.wait("document.querySelectorAll('#conditions-list li').length >= " + strconv.Itoa(len(board.ConditionCodes())))
			}
			p.plain(state)
		})
	}
}
