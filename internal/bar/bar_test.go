package bar_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/fairstream/fairstream/internal/bar"
)

func TestTheLastStateStands(t *testing.T) {
	var screen bytes.Buffer
	stop := bar.Show(&screen, "runs", 7, progress.UnitsDefault, func(tracker *progress.Tracker) {
		tracker.SetValue(7)
		tracker.UpdateMessage("runs: all of them")
	})
	stop()
	if text := screen.String(); !strings.Contains(text, "runs: all of them") || !strings.Contains(text, "7 in") {
		t.Errorf("%q", text)
	}
}
