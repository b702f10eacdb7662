package config

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Topics names the topics of a job and says who makes them.
type Topics struct {
	// Input holds the labelled records.
	Input string `yaml:"input"`
	// Model receives the weights; it is compacted. Default: the input's name with .models.
	Model string `yaml:"model"`
	// State receives the snapshots of the learner; it is compacted. Default: the input's name with .state.
	State string `yaml:"state"`
	// DeadLetter receives rejected records as they came. Default: the input's name with .dlq.
	DeadLetter string `yaml:"dead_letter"`
	// Management is create (topics that are missing are made) or verify (they are an error). Both check
	// the settings of topics that exist.
	Management Management `yaml:"management"`
	// Replication is the replication factor of topics that are made; 0 leaves it to the cluster.
	Replication int `yaml:"replication"`
}

// Management is who makes topics.
type Management string

// The kinds of management.
const (
	CreateTopics Management = "create"
	VerifyTopics Management = "verify"
)

// Stream says how the input topic is read and how often state and weights are written.
type Stream struct {
	// Start is where a job without a snapshot begins: earliest, latest, or a time as in
	// 2026-11-21T08:30:00Z.
	Start string `yaml:"start"`
	// DataLoss is what happens when records that were to be read next are gone: fail, or go on at the
	// earliest or latest record. Lost records are counted in any case.
	DataLoss kafka.LossPolicy `yaml:"data_loss"`
	// Snapshot says how often the learner's state is written.
	Snapshot Cadence `yaml:"snapshot"`
	// Publish says how often weights are written.
	Publish Cadence `yaml:"publish"`
	// RejectLimit stops a job whose input has become unreadable, as after a change of its schema.
	RejectLimit RejectLimit `yaml:"reject_limit"`
	// KeepVersions is how many of the newest weight documents stay on the model topic, 1 to 10,000.
	KeepVersions int `yaml:"keep_versions"`
	// Labels bounds the records that wait for their label, if record.key is set.
	Labels Labels `yaml:"labels"`
	// Decoders is how many goroutines decode records; 0 is one for each processor.
	Decoders int `yaml:"decoders"`
	// FetchBytes bounds the bytes of fetched records that are not learnt yet, 1 MiB to 4 GiB.
	FetchBytes int `yaml:"fetch_bytes"`
	// ShutdownTimeout bounds the work after a signal to stop, 1s to 1h.
	ShutdownTimeout time.Duration `yaml:"shutdown_timeout"`
}

// The named places to start; the third form is a time.
const (
	Earliest = "earliest"
	Latest   = "latest"
)

// StartTime returns the time that Start is, and false if it is earliest or latest.
func (s Stream) StartTime() (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, s.Start)
	return at, err == nil
}

// Cadence is how often something is written: whichever of the two comes first; 0 switches one off.
type Cadence struct {
	// Records is after how many learnt records.
	Records int64 `yaml:"records"`
	// Interval is after how long, if anything was learnt.
	Interval time.Duration `yaml:"interval"`
}

// RejectLimit is the share of rejected records above which a job stops.
type RejectLimit struct {
	// Share of the last Window records, in (0, 1]; 1 never stops.
	Share float64 `yaml:"share"`
	// Window is how many records are looked back on, at least 10.
	Window int `yaml:"window"`
}

// Labels bounds the records that wait for their label. When a bound is reached the oldest gives way, and
// is counted.
type Labels struct {
	// Records is how many may wait, at least 1.
	Records int `yaml:"records"`
	// Bytes is how many bytes of records may wait, at least 1 MiB.
	Bytes int `yaml:"bytes"`
}

// Log says what is logged.
type Log struct {
	// Format is json or console.
	Format Format `yaml:"format"`
	// Level is debug, info, warn or error.
	Level Level `yaml:"level"`
}

// Format is how log entries are written.
type Format string

// The log formats.
const (
	JSON    Format = "json"
	Console Format = "console"
)

// Level is the least severity that is logged.
type Level string

// The log levels.
const (
	Debug Level = "debug"
	Info  Level = "info"
	Warn  Level = "warn"
	Error Level = "error"
)

// Server serves health and metrics over HTTP.
type Server struct {
	// Address is host:port. The default is reachable from this machine alone; an empty address serves
	// nothing.
	Address string `yaml:"address"`
}

func defaultTopics() Topics { return Topics{Management: CreateTopics} }

func defaultStream() Stream {
	return Stream{
		Start:        Earliest,
		DataLoss:     kafka.LossFails,
		Snapshot:     Cadence{Records: 1_000_000, Interval: 30 * time.Second},
		Publish:      Cadence{Interval: 10 * time.Second},
		RejectLimit:  RejectLimit{Share: .5, Window: 1000},
		KeepVersions: 10,
		Labels:       Labels{Records: 100_000, Bytes: 64 << 20},
		FetchBytes:   32 << 20,
		// Below the 30 s that Kubernetes gives a container after SIGTERM.
		ShutdownTimeout: 25 * time.Second,
	}
}

func (t Topics) withDefaults() Topics {
	if t.Input == "" {
		return t
	}
	for _, topic := range []struct {
		name   *string
		suffix string
	}{{&t.Model, ".models"}, {&t.State, ".state"}, {&t.DeadLetter, ".dlq"}} {
		if *topic.name == "" {
			*topic.name = t.Input + topic.suffix
		}
	}
	return t
}

var (
	jobName   = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,100}$`)
	topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`) // Kafka's own rule
)

func jobProblems(job string) []record.Problem {
	if jobName.MatchString(job) {
		return nil
	}
	return []record.Problem{{Path: "job", Message: fmt.Sprintf("%q is no name of 1 to 100 letters, digits, dots, underscores and hyphens", job)}}
}

func (t Topics) validate() []record.Problem {
	v := checks{section: "topics."}
	if t.Input == "" {
		v.add("input", "required: name the topic that holds the records")
	}
	users := map[string]string{}
	for _, topic := range []struct{ key, name string }{
		{"input", t.Input}, {"model", t.Model}, {"state", t.State}, {"dead_letter", t.DeadLetter},
	} {
		if topic.name == "" {
			continue // its default comes with the input
		}
		if !topicName.MatchString(topic.name) || topic.name == "." || topic.name == ".." {
			v.add(topic.key, "%q is no topic name: up to 249 letters, digits, dots, underscores and hyphens", topic.name)
		}
		if user, taken := users[topic.name]; taken {
			v.add(topic.key, "%q is topics.%s too: each needs a topic of its own", topic.name, user)
		}
		users[topic.name] = topic.key
	}
	oneOf(&v, "management", t.Management, CreateTopics, VerifyTopics)
	v.between("replication", t.Replication, 0, 32767)
	return v.problems
}

func (s Stream) validate() []record.Problem {
	v := checks{section: "stream."}
	if _, isTime := s.StartTime(); !isTime && s.Start != Earliest && s.Start != Latest {
		v.add("start", "%q is unknown: use earliest, latest or a time such as 2026-11-21T08:30:00Z", s.Start)
	}
	oneOf(&v, "data_loss", s.DataLoss, kafka.LossPolicies...)
	v.cadence("snapshot", s.Snapshot)
	v.cadence("publish", s.Publish)
	if !(s.RejectLimit.Share > 0 && s.RejectLimit.Share <= 1) {
		v.add("reject_limit.share", "%v is outside (0, 1]", s.RejectLimit.Share)
	}
	v.between("reject_limit.window", s.RejectLimit.Window, 10, 1_000_000)
	v.between("keep_versions", s.KeepVersions, 1, 10_000)
	v.between("labels.records", s.Labels.Records, 1, 1<<30)
	v.between("labels.bytes", s.Labels.Bytes, 1<<20, 1<<40)
	v.between("decoders", s.Decoders, 0, 1024)
	v.between("fetch_bytes", s.FetchBytes, 1<<20, 4<<30)
	if s.ShutdownTimeout < time.Second || s.ShutdownTimeout > time.Hour {
		v.add("shutdown_timeout", "%v is outside 1s to 1h", s.ShutdownTimeout)
	}
	return v.problems
}

func (l Log) validate() []record.Problem {
	v := checks{section: "log."}
	oneOf(&v, "format", l.Format, JSON, Console)
	oneOf(&v, "level", l.Level, Debug, Info, Warn, Error)
	return v.problems
}

func (s Server) validate() []record.Problem {
	v := checks{section: "server."}
	if s.Address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(s.Address)
	if number, notNumber := strconv.Atoi(port); err != nil || notNumber != nil || number < 0 || number > 65535 {
		v.add("address", "%q is no host:port, such as 127.0.0.1:8468, or :8468 for every interface", s.Address)
	}
	return v.problems
}

// checks gathers the problems of one section.
type checks struct {
	section  string
	problems []record.Problem
}

func (v *checks) add(key, format string, arguments ...any) {
	v.problems = append(v.problems, record.Problem{Path: v.section + key, Message: fmt.Sprintf(format, arguments...)})
}

func (v *checks) between(key string, value, least, most int) {
	if value < least || value > most {
		v.add(key, "%d is outside %d to %d", value, least, most)
	}
}

func (v *checks) cadence(key string, c Cadence) {
	switch {
	case c.Records < 0:
		v.add(key+".records", "%d is negative", c.Records)
	case c.Interval < 0 || c.Interval > 0 && c.Interval < 100*time.Millisecond:
		v.add(key+".interval", "%v is too short: 100ms at least, or 0 to go by records alone", c.Interval)
	case c.Records == 0 && c.Interval == 0:
		v.add(key, "records and interval are both 0: set one of them")
	}
}

func oneOf[T ~string](v *checks, key string, value T, known ...T) {
	if slices.Contains(known, value) {
		return
	}
	words := make([]string, len(known))
	for i, name := range known {
		words[i] = string(name)
	}
	last := len(words) - 1
	v.add(key, "%q is unknown: use %s or %s", value, strings.Join(words[:last], ", "), words[last])
}
