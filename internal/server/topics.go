package server

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/stream"
)

// topicConditions are facts about the job's topics that a person should know. unfit is why a topic is not as the job needs it; nil if all are.
func topicConditions(s *stream.Status, unfit error) (all []board.Condition) {
	if s.Stuck != "" {
		all = append(all, board.Condition{Code: "saving_stuck", Detail: s.Stuck})
	}
	if s.Garbage > 0 {
		all = append(all, board.Condition{Code: "state_garbage", Detail: fmt.Sprintf("%d records of the job on the state topic cannot be read, and have no effect. "+
			"The log has their offsets; `fairstream state prune` deletes them. Restrict who may write to the topic.", s.Garbage)})
	}
	if unfit != nil {
		all = append(all, board.Condition{Code: "topic_settings", Detail: unfit.Error()})
	}
	return all
}
