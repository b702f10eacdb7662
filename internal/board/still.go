package board

import (
	"fmt"
	"strings"
	"time"
)

// StandStill puts the answers into the past while the job has stopped or ended, or Kafka is away: what was known may hold no longer. It comes last.
func (s *Status) StandStill() {
	why := ""
	switch {
	case s.AsOf == nil || s.Phase == "standby":
		return
	case s.Phase == "ended":
		why = "the job has ended"
	case s.Phase == "halted":
		why = "the job has stopped"
	case s.Outage != nil:
		why = "Kafka does not answer"
	default:
		return
	}
	a, since := &s.Deciding.Answers, Clock(s.AsOf.Truncate(time.Second))
	if s.Phase == "ended" {
		a.Sure = strings.NewReplacer(" has no verdict.", " could not be decided.", " have no verdict.", " could not be decided.").Replace(a.Sure)
	}
	a.Headline = Past(*s.AsOf, a.Headline)
	if a.Happened != "" && (s.Kind == Monitor || len(s.Versions) > 0 || s.Deciding.Version != nil) {
		a.Happened = strings.ReplaceAll(a.Happened, ", still on", ", still on then")
		a.Happened = fmt.Sprintf("Decisions have not been watched since %s, because %s. %s", since, why, a.Happened)
	}
	switch v := s.Deciding.Version; {
	case s.Kind == Monitor && s.Phase == "ended":
		a.Follows = fmt.Sprintf("The job has ended. Fairstream has not watched the monitored model since %s, and raises no more alarms.", since)
	case s.Kind == Monitor:
		a.Follows = fmt.Sprintf("The monitored model goes on deciding, and fairstream has not watched it since %s: no alarm is raised.", since)
	case v != nil:
		open := a.Follows != "" // a verdict beyond a limit, or an alarm
		a.Follows = fmt.Sprintf("Applications that use version %s keep using it. Because %s, fairstream has not watched its decisions since %s: no alarm is raised, and no version is withdrawn.", Grouped(v.Version), why, since)
		if open {
			a.Follows += " A person has to decide whether the version may stay."
		}
	case len(s.Versions) > 0:
		a.Follows = fmt.Sprintf("Applications keep using the newest version that they have. Because %s, fairstream has not watched its decisions since %s: no alarm is raised.", why, since)
	}
}
