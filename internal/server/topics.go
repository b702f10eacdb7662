package server

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/stream"
)

// heldFor is how long a partition has waited for a schema; 0 if it does not.
func heldFor(held []stream.Held, partition int32, now time.Time) time.Duration {
	for i := range held {
		if held[i].Partition == partition {
			return max(0, now.Sub(held[i].Since))
		}
	}
	return 0
}

// shownPartitions is how many partitions a condition names.
const shownPartitions = 8

// heldWords say which partitions stand still, of all.
func heldWords(held []stream.Held, all int) string {
	var numbers []string
	for i := range held[:min(len(held), shownPartitions)] {
		numbers = append(numbers, strconv.Itoa(int(held[i].Partition)))
	}
	if more := len(held) - len(numbers); more > 0 {
		numbers = append(numbers, fmt.Sprintf("%d more", more))
	}
	switch {
	case len(held) == 0:
		return ""
	case len(held) == 1 && all > 1:
		return fmt.Sprintf(" Partition %s stands still meanwhile.", numbers[0])
	case len(held) < all:
		return fmt.Sprintf(" Partitions %s stand still meanwhile.", strings.Join(numbers, ", "))
	default:
		return " All partitions stand still meanwhile."
	}
}

// schemaWords say which schema records wait for, which partitions wait with them, and what would help.
func schemaWords(s *stream.Status) string {
	waits := s.Waits
	first := waits[0]
	cause := "the schema registry has not answered yet"
	if first.Cause != nil {
		cause = first.Cause.Error()
	}
	words := fmt.Sprintf("Records wait for %s since %s: %s.", first.Schema, first.Since.UTC().Format(time.RFC3339), cause)
	if len(waits) > 1 {
		words = fmt.Sprintf("Records wait for %s and %s since %s: %s.", first.Schema, others(len(waits)-1), first.Since.UTC().Format(time.RFC3339), cause)
	}
	words += heldWords(s.Held, len(s.Partitions))
	if !first.Until.IsZero() {
		words += fmt.Sprintf(" At %s they are rejected (registry.unknown_after): register the schema before, or correct the producer.", first.Until.UTC().Format(time.RFC3339))
	}
	return words
}

// unfitWords say which schema makes dead letters, and what helps.
func unfitWords(all []stream.UnfitSchema) string {
	words := fmt.Sprintf("Records become dead letters because their schema does not fit the job, %d of them with this one: %s.", all[0].Records, strings.TrimSuffix(all[0].Detail, "."))
	if len(all) > 1 {
		words += fmt.Sprintf(" So do those of %s.", others(len(all)-1))
	}
	return words + " Correct the schema or the configuration; `fairstream deadletters replay` then learns them."
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
		all = append(all, board.Condition{Code: "schema_awaited", Detail: schemaWords(s)})
	}
	if len(s.Unfit) > 0 {
		all = append(all, board.Condition{Code: "schema_unfit", Detail: unfitWords(s.Unfit)})
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
