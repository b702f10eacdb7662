package topics

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Right is what may be done to one resource.
type Right struct {
	resource   string // topic, group or transactional-id, as the flags of kafka-acls.sh
	name       string
	operations []string
}

// Command is a call of kafka-acls.sh that grants the right to a principal.
func (r Right) Command(principal string) string {
	words := []string{"kafka-acls.sh --add --allow-principal", quoted(principal)}
	for _, operation := range r.operations {
		words = append(words, "--operation", operation)
	}
	return strings.Join(append(words, "--"+r.resource, quoted(r.name)), " ")
}

// quoted is a word for a shell.
func quoted(word string) string {
	if strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:._=,@/-", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// RightsFor are the rights of a command; docs/kafka.md has the table.
func RightsFor(c *config.Loaded, command, from, to string) ([]Right, error) {
	var rights []Right
	topic := func(name string, operations ...string) {
		if name != "" {
			rights = append(rights, Right{"topic", name, operations})
		}
	}
	if score := command == "score"; (from != "") != score || (to != "") != score {
		return nil, errors.New("--from and --to name the topics that score reads and writes: give both with --for score, and only then")
	}
	specs := cluster.TopicSpecs(c, 1)
	switch command {
	case "run":
		for _, spec := range specs {
			switch spec.Kind {
			case kafka.InputTopic:
				topic(spec.Name, "Read")
			case kafka.DeadLetterTopic:
				topic(spec.Name, "Write", "DescribeConfigs")
			default:
				topic(spec.Name, "Read", "Write", "DescribeConfigs")
			}
		}
		if c.Record.Key != "" {
			rights = append(rights, Right{"transactional-id", cluster.WaitingTransaction(c), []string{"Describe", "Write"}})
		}
	case "create":
		for _, spec := range specs {
			topic(spec.Name, "Create", "Describe", "DescribeConfigs")
		}
	case "replay":
		topic(c.Topics.DeadLetter, "Read")
		topic(c.Topics.Input, "Read", "Write")
		rights = append(rights, Right{"transactional-id", "fairstream." + c.Job + ".replay", []string{"Describe", "Write"}})
	case "score":
		group := scoring.Group(c.Job, from, to)
		topic(from, "Read")
		topic(c.Topics.Model, "Read")
		topic(to, "Write", "DescribeConfigs")
		rights = append(rights, Right{"group", group, []string{"Read"}}, Right{"transactional-id", group, []string{"Describe", "Write"}})
	case "serve":
		topic(c.Topics.Model, "Read")
		if c.Serve.Log != config.LogNone {
			topic(c.Topics.Input, "Describe")
			topic(c.Serve.Topic, "Write")
		}
		if c.Serve.Heartbeat > 0 {
			topic(c.Topics.Events, "Write")
		}
	case "read":
		topic(c.Topics.Model, "Read")
		if c.Serve.Heartbeat > 0 {
			topic(c.Topics.Events, "Read")
		}
	default:
		return nil, fmt.Errorf("--for %s: rights are known for run, create, replay, score, serve and read", command)
	}
	return slices.Clip(rights), nil
}
