package input

import (
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/bar"
)

// ShowProgress shows on w, if it is a terminal, how far a pass is and how fast it goes, until the returned
// function is called.
func ShowProgress(w io.Writer, p *Pass, what string) (stop func()) {
	if !program.IsTerminal(w) {
		return func() {}
	}
	return showBar(w, p, what)
}

// showBar is watch on a terminal.
func showBar(w io.Writer, p *Pass, what string) (stop func()) {
	_, total := p.Reader.Progress()
	start := time.Now()
	return bar.Show(w, what, max(total, 0), progress.UnitsBytes, func(tracker *progress.Tracker) {
		read, _ := p.Reader.Progress()
		rows := p.Rows.Load()
		tracker.SetValue(read)
		tracker.UpdateMessage(english.Sprintf("%s: %d rows, %.0f a second", what, rows, float64(rows)/time.Since(start).Seconds()))
	})
}
