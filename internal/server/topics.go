package server

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/stream"
)

// schemaWords say which schema records wait for, and what would help.
func schemaWords(waits []stream.SchemaWait) string {
	first := waits[0]
	cause := "the schema registry has not answered yet"
	if first.Cause != nil {
		cause = first.Cause.Error()
	}
	words := fmt.Sprintf("Records wait for %s since %s: %s.", first.Schema, first.Since.UTC().Format(time.RFC3339), cause)
	if len(waits) > 1 {
		words = fmt.Sprintf("Records wait for %s and %s since %s: %s.", first.Schema, others(len(waits)-1), first.Since.UTC().Format(time.RFC3339), cause)
	}
	if !first.Until.IsZero() {
		words += fmt.Sprintf(" At %s they are rejected (registry.unknown_after): register the schema before, or correct the producer.", first.Until.UTC().Format(time.RFC3339))
	}
	return words
}

// topicConditions are facts about the job's topics that a person should know. unfit is why a topic is not as the job needs it; nil if all are.
func topicConditions(s *stream.Status, unfit error) (all []board.Condition) {
	if s.Stuck != "" {
		all = append(all, board.Condition{Code: "saving_stuck", Detail: s.Stuck})
	}
	if s.Garbage > 0 {
		all = append(all, board.Condition{Code: "state_garbage", Detail: fmt.Sprintf("%d records of the job on the state topic cannot be read, and have no effect. "+
			"The log has their offsets; `fairstream state prune` deletes them. Restrict who may write to the topic.", s.Garbage)})
	}
	if len(s.Waits) > 0 {
		all = append(all, board.Condition{Code: "schema_awaited", Detail: schemaWords(s.Waits)})
	}
	if unfit != nil {
		all = append(all, board.Condition{Code: "topic_settings", Detail: unfit.Error()})
	}
	return all
}

func others(n int) string {
	if n == 1 {
		return "1 other schema"
	}
	return fmt.Sprintf("%d other schemas", n)
}
