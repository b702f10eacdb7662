package config

// Essential are the paths of the keys that a new user needs, in the order of the file: what to learn from which fields, what to keep
// within tau, and where Kafka is. All other keys have defaults that suit most jobs.
var Essential = []string{
	"job",
	"record.label.field", "record.label.positive", "record.ignore", "record.missing", "record.id", "record.key",
	"learner.task", "learner.confidence",
	"constraints[0].attribute", "constraints[0].group", "constraints[0].versus", "constraints[0].criterion", "constraints[0].tau",
	"kafka.brokers", "kafka.security.protocol",
	"topics.input", "topics.model",
	"server.address", "server.token_file",
}
