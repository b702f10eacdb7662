// Package bar shows on a terminal how far a long task is. It imports nothing of this project.
package bar

import (
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// Show draws a bar on w until the returned function is called, which leaves the last state standing. update
// is called five times a second, and once more at the end, to move the tracker and to change its message.
func Show(w io.Writer, message string, total int64, units progress.Units, update func(*progress.Tracker)) (stop func()) {
	tracker := &progress.Tracker{Message: message, Total: total, Units: units, AutoStopDisabled: true}
	writer := progress.NewWriter()
	writer.SetOutputWriter(w)
	writer.SetAutoStop(false)
	writer.SetTrackerLength(30)
	writer.SetMessageLength(60)
	writer.SetUpdateFrequency(200 * time.Millisecond)
	writer.Style().Visibility.Speed = false
	writer.Style().Visibility.Time = true
	writer.AppendTracker(tracker)
	go writer.Render()
	for !writer.IsRenderInProgress() { // Stop would otherwise come before Render
		time.Sleep(time.Millisecond)
	}

	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for ticker := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-ticker.C:
				update(tracker)
			case <-end:
				ticker.Stop()
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		update(tracker)
		tracker.MarkAsDone()
		for writer.IsRenderInProgress() && writer.LengthActive() > 0 {
			time.Sleep(10 * time.Millisecond)
		}
		writer.Stop()
		for writer.IsRenderInProgress() {
			time.Sleep(time.Millisecond)
		}
	}
}
