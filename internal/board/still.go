package board

import (
	"fmt"
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
		why = "Kafka is away"
	default:
		return
	}
	a, since := &s.Deciding.Answers, Clock(s.AsOf.Truncate(time.Second))
	if s.Phase != "ended" { // else the headline stays: nothing comes that could change it
		a.Headline = Past(*s.AsOf, a.Headline)
	}
	if a.Happened != "" && (s.Kind == Monitor || len(s.Versions) > 0 || s.Deciding.Version != nil) {
		a.Happened = fmt.Sprintf("Decisions have not been watched since %s, because %s. %s", since, why, a.Happened)
	}
	switch v := s.Deciding.Version; {
	case s.Kind == Monitor && s.Phase == "ended":
		a.Follows = fmt.Sprintf("The job has ended. The program has not watched the monitored model since %s, and raises no more alarms.", since)
	case s.Kind == Monitor:
		a.Follows = fmt.Sprintf("The monitored model goes on deciding, and the program has not watched it since %s.", since)
	case v != nil:
		a.Follows = fmt.Sprintf("Programs that use version %s keep using it. What it decides has not been watched since %s, because %s, so it would not be withdrawn.", Grouped(v.Version), since, why)
	case len(s.Versions) > 0:
		a.Follows = fmt.Sprintf("Programs keep using the newest version that they have. What it decides has not been watched since %s, because %s.", since, why)
	}
}
