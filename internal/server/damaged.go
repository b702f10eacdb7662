package server

import (
	"fmt"

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
