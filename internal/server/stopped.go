package server

import (
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Learning does not need some parts of the process. One with a defect is cut off until the process starts again.

// PartPage is the part that serves the page and its data. The other parts are those of pkg/stream.
const PartPage = "page"

// parts are all of them.
var parts = []string{stream.PartMonitor, stream.PartReleases, stream.PartEvents, PartPage}

var partStopped = describe("part_stopped", "1 while a part of the process is cut off because of a defect, and learning goes on without it, otherwise 0.", "part")

// consequences say of each part what follows, and what helps if a restart does not.
var consequences = map[string]string{
	stream.PartMonitor: "Decisions are not monitored any more: no verdict changes, and no alarm is raised. Start the process again, which continues the monitoring where the " +
		"last good snapshot left it. If it stops again, monitor.enabled: false switches it off",
	stream.PartReleases: "Versions are not tested any more, and no stable version is withdrawn: readers stay with the present one, and the aliases say unwatched_since. Start the process " +
		"again, which continues from the last good snapshot. If they stop again, release.enabled: false switches them off",
	stream.PartEvents: "Changed verdicts, alarms and steps of releases are in the history, and not on topics.events. Start the process again, which writes the newest that are " +
		"missing. If it stops again, leave topics.events empty",
	PartPage: "The page no longer follows the job. Start the process again",
}

func stoppedWords(s *isolate.Stopped) string {
	return fmt.Sprintf("Stopped since %s because of a defect; learning goes on. %s. The log has the reason and the stack: please report them.",
		s.At.UTC().Format(time.RFC3339), consequences[s.Part])
}

// stopped are the parts that are cut off: those of the stream, and the page.
func (m *Monitor) stopped(s *stream.Status) []isolate.Stopped {
	all := s.Stopped
	if page := m.page.Stopped(); page != nil {
		all = append(all[:len(all):len(all)], *page)
	}
	return all
}

// stoppedSince is since when a part of the stream is cut off; nil if it works.
func stoppedSince(s *stream.Status, part string) *time.Time {
	for i := range s.Stopped {
		if s.Stopped[i].Part == part {
			return &s.Stopped[i].At
		}
	}
	return nil
}

func stoppedConditions(all []isolate.Stopped) (conditions []board.Condition) {
	for i := range all {
		conditions = append(conditions, board.Condition{Code: all[i].Part + "_stopped", Detail: stoppedWords(&all[i])})
	}
	return conditions
}

// stopped sends a 0 or a 1 for each part.
func (o output) stopped(all []isolate.Stopped) {
	for _, name := range parts {
		stopped := false
		for i := range all {
			stopped = stopped || all[i].Part == name
		}
		o.gauge(partStopped, truth(stopped), name)
	}
	for _, c := range stoppedConditions(all) {
		o.gauge(condition, 1, c.Code, "")
	}
}

// whatWorks is what /readyz says of a process that learns: its role, and the parts that it learns without.
func (m *Monitor) whatWorks() string {
	words := []string{m.role()}
	if s := m.state(); s != nil {
		for _, part := range m.stopped(s) {
			words = append(words, fmt.Sprintf("%s: stopped since %s", part.Part, part.At.UTC().Format(time.RFC3339)))
		}
	}
	return strings.Join(words, "\n")
}

func logStopped(logger *zap.Logger, s *isolate.Stopped) {
	logger.Error("a part of the process is stopped because of a defect; learning goes on without it", zap.String("part", s.Part), zap.String("reason", s.Reason),
		zap.String("consequence", consequences[s.Part]), zap.String("stack", s.Stack))
}
