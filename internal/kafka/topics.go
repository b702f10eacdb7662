package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/createtopics"
	"github.com/segmentio/kafka-go/protocol/deletetopics"
	"github.com/segmentio/kafka-go/protocol/describeconfigs"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TopicKind decides a topic's settings.
type TopicKind string

// The kinds of topics.
const (
	InputTopic      TopicKind = "input"
	DeadLetterTopic TopicKind = "dead-letter"
	ModelTopic      TopicKind = "model"
	StateTopic      TopicKind = "state"
	HistoryTopic    TopicKind = "history"
	WaitingTopic    TopicKind = "waiting"
	EventTopic      TopicKind = "event"
)

// TopicSpec is a topic that must be there.
type TopicSpec struct {
	Name string
	Kind TopicKind
	// Partitions to create it with; 0 is 1. An existing topic keeps its own.
	Partitions int
	// ReplicationFactor to create it with; 0 leaves it to default.replication.factor of the brokers.
	ReplicationFactor int
	// MaxMessageBytes that it must take in one batch; 0 makes no demand on a topic that exists.
	MaxMessageBytes int
}

// TopicResult is what became of a TopicSpec.
type TopicResult struct {
	TopicInfo
	Created bool
}

const (
	hour = "3600000"  // ms
	day  = "86400000" // ms

	// Most weight documents have a few hundred kB; thousands of columns make some MB. A dead letter is a record as it
	// was after decompression, and some headers.
	modelBytes      = 8 << 20
	deadLetterBytes = 16 << 20

	// Logs of a high-risk system are kept for six months at least: Regulation (EU) 2024/1689, article 26(6).
	shortestHistory = 183 * 24 * 3600 * 1000 // ms
)

// settings of a topic that is created. Compacted topics are read to their end at every start, so they are kept short:
// the segment being written is never cleaned, hence the hour; a tombstone must outlive the slowest reader, hence the
// day. A state stays in the log for ten minutes at least, so that one who reads it is not overtaken by the cleaner.
func (s TopicSpec) settings() map[string]string {
	settings := map[string]string{"cleanup.policy": "delete"}
	switch s.Kind {
	case DeadLetterTopic:
		settings["max.message.bytes"] = strconv.Itoa(deadLetterBytes)
	case ModelTopic:
		settings = compacted(64 << 20)
		settings["max.message.bytes"] = strconv.Itoa(modelBytes)
	case HistoryTopic:
		settings["retention.ms"], settings["retention.bytes"] = "-1", "-1" // evidence: it ends when somebody deletes it
	case WaitingTopic: // as large as what waits, and one record in it is as large as a dead letter
		settings = compacted(128 << 20)
		settings["max.message.bytes"] = strconv.Itoa(deadLetterBytes)
	case StateTopic:
		settings = compacted(128 << 20)
		settings["min.compaction.lag.ms"] = "600000"
	}
	if s.ReplicationFactor >= 3 {
		settings["min.insync.replicas"] = "2" // or an acknowledged write may be on one disk only
	}
	if s.MaxMessageBytes > 0 {
		settings["max.message.bytes"] = strconv.Itoa(s.MaxMessageBytes)
	}
	return settings
}

// compacted are the settings of a compacted topic with segments of so many bytes.
func compacted(segment int) map[string]string {
	return map[string]string{"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.1", "segment.ms": hour,
		"segment.bytes": strconv.Itoa(segment), "max.compaction.lag.ms": day, "delete.retention.ms": day}
}

// settingNames in a fixed order, so that a request is the same every time.
var settingNames = []string{"cleanup.policy", "retention.ms", "retention.bytes", "min.cleanable.dirty.ratio", "segment.ms", "segment.bytes", "max.compaction.lag.ms",
	"delete.retention.ms", "min.compaction.lag.ms", "min.insync.replicas", "max.message.bytes"}

// CreateTopics creates the topics that are missing and verifies the others. It waits until the cluster knows them.
func (c *Client) CreateTopics(ctx context.Context, specs ...TopicSpec) ([]TopicResult, error) {
	return c.topics(ctx, true, specs)
}

// VerifyTopics checks that the topics are there and have the settings that their kind needs. It changes nothing, and all
// that is wrong is in the error.
func (c *Client) VerifyTopics(ctx context.Context, specs ...TopicSpec) ([]TopicResult, error) {
	return c.topics(ctx, false, specs)
}

func (c *Client) topics(ctx context.Context, create bool, specs []TopicSpec) ([]TopicResult, error) {
	var results []TopicResult
	var problems []error
	for _, spec := range specs {
		result := TopicResult{}
		err := c.link.Retry(ctx, "look for topic "+spec.Name, func(ctx context.Context) (err error) {
			if result.TopicInfo, err = c.link.Topic(ctx, spec.Name); !errors.Is(err, kafkago.UnknownTopicOrPartition) {
				return err
			}
			if result.Created || !create {
				return c.missing(spec, result.Created, err)
			}
			result.Created, err = c.create(ctx, spec)
			if err == nil {
				result.TopicInfo, err = c.link.Topic(ctx, spec.Name)
			}
			return err
		})
		if err == nil && !result.Created {
			err = c.verify(ctx, spec)
		}
		results = append(results, result)
		problems = append(problems, err)
	}
	return results, errors.Join(problems...)
}

// missing: a topic just created may be unknown to the next broker asked; one that nobody created stays so.
func (c *Client) missing(spec TopicSpec, created bool, err error) error {
	if created {
		return err
	}
	create := "create it with 'fairstream topics create'"
	if spec.Kind != InputTopic { // which is made by whoever writes it
		create += ", set topics.management to create"
	}
	return &Error{Operation: "verify", Topic: spec.Name, Partition: fault.NoPartition, Class: Fatal, Advice: "", Err: errors.New("the topic does not exist, or this user may not describe it: " +
		create + ", correct its name (under topics, or in --from and --to), or grant Describe")}
}

// create returns false if another process was first.
func (c *Client) create(ctx context.Context, spec TopicSpec) (bool, error) {
	controller, err := c.link.Controller(ctx)
	if err != nil {
		return false, fault.Explain("create", spec.Name, fault.NoPartition, err)
	}
	topic := createtopics.RequestTopic{Name: spec.Name, NumPartitions: int32(max(1, spec.Partitions)), ReplicationFactor: -1}
	if spec.ReplicationFactor > 0 {
		topic.ReplicationFactor = int16(spec.ReplicationFactor)
	}
	settings := spec.settings()
	for _, name := range settingNames {
		if value, set := settings[name]; set {
			topic.Configs = append(topic.Configs, createtopics.RequestConfig{Name: name, Value: value})
		}
	}
	response, err := link.Ask[*createtopics.Response](ctx, c.link, controller, &createtopics.Request{
		Topics: []createtopics.RequestTopic{topic}, TimeoutMs: int32(c.link.Config.RequestTimeoutMillis / 2)})
	if err == nil && len(response.Topics) == 1 {
		answer := response.Topics[0]
		err = wire.Code(answer.ErrorCode)
		if errors.Is(err, kafkago.TopicAlreadyExists) {
			return false, nil
		}
		if err != nil && answer.ErrorMessage != "" {
			err = fmt.Errorf("%w: %s", err, answer.ErrorMessage)
		}
	}
	return err == nil, fault.Explain("create", spec.Name, fault.NoPartition, err)
}

// verify checks what would lose data or never end: a state or model topic that is not compacted grows without bound or,
// with delete, forgets the newest state; a dead-letter topic that is compacted refuses records without a key; a history topic that is
// compacted, or kept for a week as Kafka does by default, loses evidence.
func (c *Client) verify(ctx context.Context, spec TopicSpec) error {
	if spec.Kind == InputTopic {
		return nil // whoever writes it decides, and reading it needs no right to describe its settings
	}
	var settings map[string]string
	err := c.link.Retry(ctx, "describe settings of "+spec.Name, func(ctx context.Context) (err error) {
		settings, err = c.settingsOf(ctx, spec.Name, "cleanup.policy", "max.message.bytes", "retention.ms")
		return err
	})
	if err != nil {
		return err
	}
	return spec.problems(settings)
}

// problems are what is wrong with the settings of a topic that exists.
func (s TopicSpec) problems(settings map[string]string) error {
	var problems []error
	report := func(format string, values ...any) {
		problems = append(problems, &Error{Operation: "verify", Topic: s.Name, Partition: fault.NoPartition, Class: Fatal, Advice: "", Err: fmt.Errorf(format, values...)})
	}
	policy := settings["cleanup.policy"]
	switch s.Kind {
	case ModelTopic, StateTopic, WaitingTopic:
		if policy != "compact" {
			report("cleanup.policy is %q, and a %s topic must be compacted only: kafka-configs.sh --bootstrap-server ... --alter "+
				"--entity-type topics --entity-name %s --add-config cleanup.policy=compact", policy, s.Kind, s.Name)
		}
	case DeadLetterTopic:
		if strings.Contains(policy, "compact") {
			report("cleanup.policy is %q, and a dead-letter topic must not be compacted, or records without a key are refused: set it to delete", policy)
		}
	case EventTopic:
		if strings.Contains(policy, "compact") {
			report("cleanup.policy is %q, and an event topic must not be compacted, or only the last event of a job remains: set it to delete", policy)
		}
	case HistoryTopic:
		const alter = "kafka-configs.sh --bootstrap-server ... --alter --entity-type topics --entity-name "
		if strings.Contains(policy, "compact") {
			report("cleanup.policy is %q, and a history topic must not be compacted, or evidence is deleted: "+alter+"%s --add-config cleanup.policy=delete", policy, s.Name)
		}
		if kept, err := strconv.ParseInt(settings["retention.ms"], 10, 64); err == nil && kept >= 0 && kept < shortestHistory {
			report("retention.ms is %d, and a history is kept for half a year at least: "+alter+"%s --add-config retention.ms=-1", kept, s.Name)
		}
	}
	if limit, err := strconv.Atoi(settings["max.message.bytes"]); err == nil && limit < s.MaxMessageBytes {
		report("max.message.bytes is %d, and %d are needed: raise it", limit, s.MaxMessageBytes)
	}
	return errors.Join(problems...)
}

const topicResource = 2 // of DescribeConfigs

func (c *Client) settingsOf(ctx context.Context, topic string, names ...string) (map[string]string, error) {
	response, err := link.Ask[*describeconfigs.Response](ctx, c.link, link.AnyBroker, &describeconfigs.Request{
		Resources: []describeconfigs.RequestResource{{ResourceType: topicResource, ResourceName: topic, ConfigNames: names}}})
	settings := map[string]string{}
	if err == nil {
		for _, resource := range response.Resources {
			if err = wire.Code(resource.ErrorCode); err != nil {
				break
			}
			for _, entry := range resource.ConfigEntries {
				settings[entry.ConfigName] = entry.ConfigValue
			}
		}
	}
	if errors.Is(err, kafkago.TopicAuthorizationFailed) {
		err = &Error{Operation: "describe settings of", Topic: topic, Partition: fault.NoPartition, Class: Fatal, Advice: "an ACL is missing: grant DescribeConfigs on the topic", Err: err}
	}
	return settings, fault.Explain("describe settings of", topic, fault.NoPartition, err)
}

// DeleteTopic deletes a topic with all its records; one that does not exist is no error.
func (c *Client) DeleteTopic(ctx context.Context, name string) error {
	controller, err := c.link.Controller(ctx)
	if err != nil {
		return fault.Explain("delete", name, fault.NoPartition, err)
	}
	c.link.Forget(name)
	response, err := link.Ask[*deletetopics.Response](ctx, c.link, controller, &deletetopics.Request{
		TopicNames: []string{name}, TimeoutMs: int32(c.link.Config.RequestTimeoutMillis / 2)})
	if err == nil && len(response.Responses) == 1 {
		err = wire.Code(response.Responses[0].ErrorCode)
	}
	if errors.Is(err, kafkago.UnknownTopicOrPartition) {
		return nil
	}
	return fault.Explain("delete", name, fault.NoPartition, err)
}
