package server

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/stream"
)

// historyConditions say that the history of the job is damaged, as far as this process saw.
func historyConditions(s *stream.Status) []board.Condition {
	if s.HistoryDamage == "" {
		return nil
	}
	return []board.Condition{{Code: "history_damaged", Detail: fmt.Sprintf("The history of the job is damaged: %s. Learning continues, and new entries follow the damage. "+
		"`fairstream audit` shows all of it. Restrict who may write to the history topic.", s.HistoryDamage)}}
}

// timeConditions say that the time of the records cannot be right.
func timeConditions(s *stream.Status) []board.Condition {
	if s.Labels == nil || s.Labels.Ahead.IsZero() {
		return nil
	}
	return []board.Condition{{Code: "time_ahead", Detail: fmt.Sprintf("By their times, the records are from %s, which is in the future. By that clock, whatever waits for its label is older "+
		"than stream.labels.age, so labels are given up or learnt too early. Correct the clocks of the producers or the unit of record.time, and restart the job, which then derives the time from new records.",
		s.Labels.Ahead.Format(time.RFC3339))}}
}
