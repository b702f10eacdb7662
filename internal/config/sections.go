package config

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/record"
)

// Topics names the topics of a job and says who makes them.
type Topics struct {
	// Input is the topic that contains the labelled records.
	Input string `yaml:"input"`
	// Model is the compacted topic for the weights. Default: the name of the input topic with .models.
	Model string `yaml:"model"`
	// State is the compacted topic for the snapshots of the learner. Default: the name of the input topic with .state.
	State string `yaml:"state"`
	// Waiting is the compacted topic of the records that wait for their label. It is used if record.key is set. Default: the name of the input
	// topic followed by .waiting.
	Waiting string `yaml:"waiting"`
	// DeadLetter is the topic for rejected records, which arrive there unchanged. Default: the name of the input topic
	// with .dlq.
	DeadLetter string `yaml:"dead_letter"`
	// History is the topic for the history of the job, for an audit. It keeps its entries without limit. Default: the
	// name of the input topic with .history.
	History string `yaml:"history"`
	// Events is the topic for changed verdicts, alarms and steps of releases, as CloudEvents. Default: none, and no events
	// are written.
	Events string `yaml:"events,omitempty"`
	// Management is what happens if a topic is missing: create makes it, verify reports an error. Both check the
	// settings of topics that exist.
	Management Management `yaml:"management"`
	// Replication is the replication factor of the topics that fairstream creates. 0 means the default of the cluster.
	Replication int `yaml:"replication"`
}

// Management is who makes topics.
type Management string

// The kinds of management.
const (
	CreateTopics Management = "create"
	VerifyTopics Management = "verify"
)

// Log says what is logged.
type Log struct {
	// Format is the format of log lines: json or console. If it is not set, a log on a terminal is console.
	Format Format `yaml:"format"`
	// Level is the lowest level that is logged: debug, info, warn or error.
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

// Server serves the page, its data, health and metrics over HTTP.
type Server struct {
	// Address is the address of the HTTP server, as host:port. Only this machine can reach the default. If it is
	// empty, there is no server. On another address, the page's data needs server.token_file and server.tls.
	Address string `yaml:"address"`
	// TokenFile is the path of a file that contains only a token, of 16 characters at least. Clients send it as
	// Authorization: Bearer TOKEN to read the page's data and the metrics.
	TokenFile string `yaml:"token_file,omitempty"`
	// TLS is how connections to the HTTP server are protected. Without it they are not.
	TLS ServerTLS `yaml:"tls,omitempty"`
}

// ServerTLS names the files of a certificate.
type ServerTLS struct {
	// CertificateFile is the path of a PEM file with the certificate of the server and those that sign it. A renewed
	// certificate needs no restart.
	CertificateFile string `yaml:"certificate_file,omitempty"`
	// KeyFile is the path of a PEM file with the private key of the certificate, not encrypted.
	KeyFile string `yaml:"key_file,omitempty"`
}

// leastToken is the shortest token: a shorter one could be guessed.
const leastToken = 16

// Token is the content of TokenFile; empty if there is none.
func (s Server) Token() (string, error) {
	if s.TokenFile == "" {
		return "", nil
	}
	text, err := os.ReadFile(s.TokenFile)
	if err != nil {
		return "", secretUnread(err)
	}
	token := strings.TrimSpace(string(text))
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s holds more than one line, or characters that no client can send: write one token of letters, digits and signs, for example with openssl rand -hex 24", s.TokenFile)
	}
	if len(token) < leastToken {
		return "", fmt.Errorf("%s holds fewer than %d characters: write a longer token, for example with openssl rand -hex 24", s.TokenFile, leastToken)
	}
	return token, nil
}

func defaultTopics() Topics { return Topics{Management: CreateTopics} }

func (t Topics) withDefaults() Topics {
	if t.Input == "" {
		return t
	}
	for _, topic := range []struct {
		name   *string
		suffix string
	}{{&t.Model, ".models"}, {&t.State, ".state"}, {&t.DeadLetter, ".dlq"}, {&t.History, ".history"}, {&t.Waiting, ".waiting"}} {
		if *topic.name == "" {
			*topic.name = t.Input + topic.suffix
		}
	}
	return t
}

// namedTopic is a topic and its key.
type namedTopic struct{ key, name string }

// named are the topics of the job.
func (t Topics) named() []namedTopic {
	return []namedTopic{{"input", t.Input}, {"model", t.Model}, {"state", t.State}, {"dead_letter", t.DeadLetter}, {"history", t.History}, {"waiting", t.Waiting}, {"events", t.Events}}
}

var (
	jobName   = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,100}$`)
	topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`) // Kafka's own rule
)

func jobProblems(job string) []record.Problem {
	switch {
	case job == "." || job == "..":
		return []record.Problem{{Path: "job", Message: fmt.Sprintf("%q is not a valid name: it would lead elsewhere in the address of the job's page; add a letter", job)}}
	case jobName.MatchString(job):
		return nil
	}
	return []record.Problem{{Path: "job", Message: fmt.Sprintf("%q is not a valid name: use 1 to 100 letters, digits, dots, underscores or hyphens", job)}}
}

func (t Topics) validate() []record.Problem {
	v := check.Section{Prefix: "topics."}
	if t.Input == "" {
		v.Add("input", "required: name the topic that holds the records")
	}
	users := map[string]string{}
	for _, topic := range t.named() {
		if topic.name == "" {
			continue // its default comes with the input, or it is not wanted
		}
		if !topicName.MatchString(topic.name) || topic.name == "." || topic.name == ".." {
			v.Add(topic.key, "%q is not a valid topic name: use up to 249 letters, digits, dots, underscores or hyphens", topic.name)
		}
		if user, taken := users[topic.name]; taken {
			v.Add(topic.key, "%q is topics.%s too: each needs a topic of its own", topic.name, user)
		}
		users[topic.name] = topic.key
	}
	check.OneOf(&v, "management", t.Management, CreateTopics, VerifyTopics)
	check.Between(&v, "replication", t.Replication, 0, 32767)
	return v.Problems
}

func (l Log) validate() []record.Problem {
	v := check.Section{Prefix: "log."}
	check.OneOf(&v, "format", l.Format, JSON, Console)
	check.OneOf(&v, "level", l.Level, Debug, Info, Warn, Error)
	return v.Problems
}

func (s Server) validate() []record.Problem {
	v := check.Section{Prefix: "server."}
	if s.Address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(s.Address)
	if number, notNumber := strconv.Atoi(port); err != nil || notNumber != nil || number < 0 || number > 65535 {
		v.Add("address", "%q is not of the form host:port, such as 127.0.0.1:8468, or :8468 for every interface", s.Address)
	}
	if _, err := s.Token(); err != nil {
		v.Add("token_file", "%v", err)
	}
	switch certificate, key := s.TLS.CertificateFile, s.TLS.KeyFile; {
	case certificate == "" && key == "":
	case certificate == "":
		v.Add("tls.certificate_file", "is missing: server.tls.key_file needs it")
	case key == "":
		v.Add("tls.key_file", "is missing: server.tls.certificate_file needs it")
	default:
		if _, err := os.Stat(key); err != nil {
			v.Add("tls.key_file", "%v", secretUnread(err))
		} else if _, err := tls.LoadX509KeyPair(certificate, key); err != nil {
			v.Add("tls", "%v", err)
		}
	}
	return v.Problems
}
