package config

import (
	"net"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/pkg/record"
)

// Serve is how `fairstream serve` decides over HTTP. The certificate and the token are those of the section server.
type Serve struct {
	// Address is the address of the HTTP server for decisions, as host:port. Only this machine can reach the default. On
	// another address, decisions need server.token_file and server.tls.
	Address string `yaml:"address"`
	// Log is how decisions reach serve.topic. With none they are not logged. With wait, a request is answered after Kafka has
	// acknowledged its decisions. With buffer, it is answered at once: a crash, or a long outage of Kafka, loses serve.log_buffer
	// decisions at most.
	Log ServeLog `yaml:"log"`
	// Topic is the topic for decisions, in the form of `score --to`. Required with wait and buffer.
	Topic string `yaml:"topic,omitempty"`
	// Explore is the share of the negative decisions that are turned to positive, so that labels of such records are seen. From 0,
	// the default, to 1.
	Explore float64 `yaml:"explore"`
	// Attributes is whether a logged decision contains the fields that the constraints name, for a monitor. They decide nothing.
	Attributes bool `yaml:"attributes"`
	// Heartbeat is how often the instance writes to topics.events which versions it serves, for the page and `models list`: from 1s to
	// 5m. 0, the default: never.
	Heartbeat time.Duration `yaml:"heartbeat"`
	// LogTimeout is how long a request with wait waits for Kafka before it is refused with status 503.
	LogTimeout time.Duration `yaml:"log_timeout"`
	// LogBuffer is the largest number of decisions that wait for Kafka. Further ones are refused with wait; with buffer they are
	// answered, counted and not logged.
	LogBuffer int `yaml:"log_buffer"`
	// BodyBytes is the largest body of a request, in bytes.
	BodyBytes int `yaml:"body_bytes"`
	// Records is the largest number of records in a request.
	Records int `yaml:"records"`
	// Concurrency is the largest number of requests for decisions at a time. Further ones are refused with status 503. Probes and
	// metrics do not count.
	Concurrency int `yaml:"concurrency"`
	// Timeout is the longest time for reading a request, and for writing its answer.
	Timeout time.Duration `yaml:"timeout"`
	// Drain is how long the server goes on to decide after the signal to stop, while /readyz answers 503. A load balancer needs
	// this time to send requests elsewhere.
	Drain time.Duration `yaml:"drain"`
}

// ServeLog is how decisions over HTTP are logged.
type ServeLog string

// The ways to log.
const (
	LogNone   ServeLog = "none"
	LogWait   ServeLog = "wait"
	LogBuffer ServeLog = "buffer"
)

func defaultServe() Serve {
	return Serve{Address: "127.0.0.1:8470", Log: LogNone, LogTimeout: 2 * time.Second, LogBuffer: 100_000,
		BodyBytes: 8 << 20, Records: 10_000, Concurrency: 256, Timeout: 10 * time.Second}
}

func (s Serve) validate(topics Topics, regression bool) []record.Problem {
	v := check.Section{Prefix: "serve."}
	switch {
	case !(s.Explore >= 0 && s.Explore <= 1):
		v.Add("explore", "%v is outside [0, 1]%s", s.Explore, check.AsShare(s.Explore))
	case s.Explore > 0 && regression:
		v.Add("explore", "a regression has no decisions of which a share could be turned to positive: remove the key")
	}
	_, port, err := net.SplitHostPort(s.Address)
	if number, notNumber := strconv.Atoi(port); err != nil || notNumber != nil || number < 0 || number > 65535 {
		v.Add("address", "%q is not of the form host:port, such as 127.0.0.1:8470, or :8470 for every interface", s.Address)
	}
	check.OneOf(&v, "log", s.Log, LogNone, LogWait, LogBuffer)
	switch {
	case s.Topic == "" && s.Log != LogNone:
		v.Add("topic", "required by serve.log: name the topic for decisions")
	case s.Topic != "" && (!topicName.MatchString(s.Topic) || s.Topic == "." || s.Topic == ".."):
		v.Add("topic", "%q is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens", s.Topic)
	}
	for _, own := range topics.named() {
		if s.Topic != "" && s.Topic == own.name {
			v.Add("topic", "%q is topics.%s too: decisions need a topic of their own", s.Topic, own.key)
		}
	}
	if s.Heartbeat != 0 {
		check.Between(&v, "heartbeat", s.Heartbeat, heartbeat.Shortest, heartbeat.Longest)
		if topics.Events == "" {
			v.Add("heartbeat", "heartbeats are written to topics.events, which is empty: name a topic there, or remove the key")
		}
	}
	check.Between(&v, "log_timeout", s.LogTimeout, time.Millisecond, time.Hour)
	check.Between(&v, "log_buffer", s.LogBuffer, 1, 10_000_000)
	check.Between(&v, "body_bytes", s.BodyBytes, 1<<10, 1<<30)
	check.Between(&v, "records", s.Records, 1, 1_000_000)
	check.Between(&v, "concurrency", s.Concurrency, 1, 4096)
	check.Between(&v, "timeout", s.Timeout, 100*time.Millisecond, time.Hour)
	check.Between(&v, "drain", s.Drain, 0, time.Hour)
	if s.Log != LogNone && s.Records > s.LogBuffer {
		v.Add("records", "%d is more than serve.log_buffer, %d: a request with so many records could never be logged", s.Records, s.LogBuffer)
	}
	return v.Problems
}
