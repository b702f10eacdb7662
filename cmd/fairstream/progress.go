package main

import (
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// watch shows on w, if it is a terminal, how far a pass is and how fast it goes, until the returned
// function is called.
func watch(w io.Writer, p *pass, what string) (stop func()) {
	if !isTerminal(w) {
		return func() {}
	}
	return showBar(w, p, what)
}

// showBar is watch on a terminal.
func showBar(w io.Writer, p *pass, what string) (stop func()) {
	_, total := p.reader.Progress()
	tracker := &progress.Tracker{Message: what, Total: max(total, 0), Units: progress.UnitsBytes, AutoStopDisabled: true}
	bar := progress.NewWriter()
	bar.SetOutputWriter(w)
	bar.SetAutoStop(false)
	bar.SetTrackerLength(30)
	bar.SetMessageLength(60)
	bar.SetUpdateFrequency(200 * time.Millisecond)
	bar.Style().Visibility.Speed = false
	bar.Style().Visibility.Time = true
	bar.AppendTracker(tracker)
	go bar.Render()

	start := time.Now()
	update := func() {
		read, _ := p.reader.Progress()
		rows := p.rows.Load()
		tracker.SetValue(read)
		tracker.UpdateMessage(english.Sprintf("%s: %d rows, %.0f a second", what, rows, float64(rows)/time.Since(start).Seconds()))
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for ticker := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-ticker.C:
				update()
			case <-end:
				ticker.Stop()
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		update()
		tracker.MarkAsDone()
		for bar.IsRenderInProgress() && bar.LengthActive() > 0 {
			time.Sleep(10 * time.Millisecond)
		}
		bar.Stop()
		for bar.IsRenderInProgress() {
			time.Sleep(time.Millisecond)
		}
	}
}

// isTerminal says whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
