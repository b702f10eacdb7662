package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// said are problems, each in a line.
func said(problems []record.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Path+": "+p.Message)
	}
	return strings.Join(lines, "\n")
}

// TestTokens are one line of at least 16 characters that a client can send.
func TestTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	for text, says := range map[string]string{
		strings.Repeat("x", leastToken): "", " " + strings.Repeat("~!", 8) + "\n": "", strings.Repeat("x", leastToken-1): "fewer than 16 characters", "": "fewer than 16",
		strings.Repeat("x", 20) + "\n" + strings.Repeat("y", 20): "more than one line", strings.Repeat("é", 20): "characters that no client can send", strings.Repeat("x y", 9): "more than one line", strings.Repeat("\x7f", 20): "no client can send",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		token, err := Server{TokenFile: file}.Token()
		if (err == nil) != (says == "") || err != nil && (!strings.Contains(err.Error(), says) || token != "") || err == nil && token != strings.TrimSpace(text) {
			t.Errorf("%q: %q, %v", text, token, err)
		}
	}
	if token, err := (Server{}).Token(); token != "" || err != nil {
		t.Errorf("%q, %v", token, err)
	}
	if _, err := (Server{TokenFile: file + "s"}).Token(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// certified writes a certificate and its key.
func certified(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, of, of, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(t.TempDir(), "c.pem"), filepath.Join(t.TempDir(), "k.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// TestWhatIsServed: addresses, the token, and certificates with their keys.
func TestWhatIsServed(t *testing.T) {
	certificate, key := certified(t)
	tls := func(certificate, key string) (s Server) {
		s.Address, s.TLS.CertificateFile, s.TLS.KeyFile = ":1", certificate, key
		return s
	}
	for _, c := range []struct {
		of   Server
		says string
	}{
		{Server{}, ""}, {Server{TokenFile: "nowhere"}, ""}, {Server{Address: ":0"}, ""}, {Server{Address: "h:65535"}, ""}, {Server{Address: ":65536"}, "server.address: \":65536\" is not of the form"}, {Server{Address: ":-1"}, "server.address: "},
		{Server{Address: "h"}, "server.address: "}, {Server{Address: ":http"}, "server.address: "}, {Server{Address: ":1", TokenFile: "nowhere"}, "server.token_file: cannot be read"},
		{tls(certificate, key), ""}, {tls("", key), "server.tls.certificate_file: is missing: server.tls.key_file needs it"}, {tls(certificate, ""), "server.tls.key_file: is missing: server.tls.certificate_file needs it"},
		{tls(certificate, "nowhere"), "server.tls.key_file: cannot be read"}, {tls("nowhere", key), "server.tls: open nowhere"}, {tls(key, key), "server.tls: "},
	} {
		if got := said(c.of.validate()); !strings.HasPrefix(got, c.says) || (got == "") != (c.says == "") {
			t.Errorf("%+v: %s", c.of, got)
		}
	}
}

// TestExploringIsForDecisions: a regression has none of which a share could be turned.
func TestExploringIsForDecisions(t *testing.T) {
	for task, refused := range map[model.Task]bool{model.Classification: false, model.Regression: true} {
		c := Default()
		c.Learner.Task, c.Serve.Explore = task, .1
		if got := said(c.WithDefaults().Validate(Learning)); strings.Contains(got, "serve.explore: a regression") != refused {
			t.Errorf("%s: %s", task, got)
		}
	}
}

// TestDecisionsOverHTTPAtTheirBounds: the section serve, at the ends of each range.
func TestDecisionsOverHTTPAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		change     func(s *Serve)
		regression bool
		says       string
	}{
		{func(*Serve) {}, true, ""}, {func(s *Serve) { s.Explore = 1 }, false, ""}, {func(s *Serve) { s.Explore = 1.01 }, false, "serve.explore: 1.01 is outside"}, {func(s *Serve) { s.Explore = -0.01 }, false, "serve.explore: "},
		{func(s *Serve) { s.Explore = 0.1 }, true, "serve.explore: a regression has no decisions"}, {func(s *Serve) { s.Address = ":65535" }, false, ""}, {func(s *Serve) { s.Address = ":0" }, false, ""}, {func(s *Serve) { s.Address = ":65536" }, false, "serve.address: "},
		{func(s *Serve) { s.Address = "h:-1" }, false, "serve.address: "}, {func(s *Serve) { s.Log = "some" }, false, "serve.log: "}, {func(s *Serve) { s.Log = LogWait }, false, "serve.topic: required by serve.log"},
		{func(s *Serve) { s.Log, s.Topic = LogWait, "decisions" }, false, ""}, {func(s *Serve) { s.Topic = "." }, false, "serve.topic: \".\" is not a valid topic name"}, {func(s *Serve) { s.Topic = ".." }, false, "serve.topic: "}, {func(s *Serve) { s.Topic = "a/b" }, false, "serve.topic: "},
		{func(s *Serve) { s.Topic = "in" }, false, "serve.topic: \"in\" is topics.input too"}, {func(s *Serve) { s.Heartbeat = heartbeat.Shortest }, false, ""}, {func(s *Serve) { s.Heartbeat = heartbeat.Shortest - 1 }, false, "serve.heartbeat: "},
		{func(s *Serve) { s.Heartbeat = heartbeat.Longest + 1 }, false, "serve.heartbeat: "}, {func(s *Serve) { s.Concurrency = 4097 }, false, "serve.concurrency: "}, {func(s *Serve) { s.Concurrency = 4096 }, false, ""}, {func(s *Serve) { s.BodyBytes = 1 << 10 }, false, ""}, {func(s *Serve) { s.BodyBytes = 1<<10 - 1 }, false, "serve.body_bytes: "},
		{func(s *Serve) { s.BodyBytes = 1 << 30 }, false, ""}, {func(s *Serve) { s.BodyBytes = 1<<30 + 1 }, false, "serve.body_bytes: "}, {func(s *Serve) { s.Records = 1_000_001 }, false, "serve.records: "}, {func(s *Serve) { s.Records = 1_000_000 }, false, ""}, {func(s *Serve) { s.LogBuffer = 10_000_001 }, false, "serve.log_buffer: "},
		{func(s *Serve) { s.LogBuffer = 10_000_000 }, false, ""}, {func(s *Serve) { s.LogBuffer = 1 }, false, ""}, {func(s *Serve) { s.LogBuffer = 0 }, false, "serve.log_buffer: "}, {func(s *Serve) { s.Records = 1 }, false, ""}, {func(s *Serve) { s.Records = 0 }, false, "serve.records: "}, {func(s *Serve) { s.Concurrency = 1 }, false, ""}, {func(s *Serve) { s.Concurrency = 0 }, false, "serve.concurrency: "},
		{func(s *Serve) { s.Timeout = 100 * time.Millisecond }, false, ""}, {func(s *Serve) { s.Timeout = 100*time.Millisecond - 1 }, false, "serve.timeout: "}, {func(s *Serve) { s.Drain = time.Hour }, false, ""}, {func(s *Serve) { s.Drain = time.Hour + 1 }, false, "serve.drain: "}, {func(s *Serve) { s.Drain = -1 }, false, "serve.drain: "},
		{func(s *Serve) { s.LogTimeout = time.Millisecond }, false, ""}, {func(s *Serve) { s.LogTimeout = time.Millisecond - 1 }, false, "serve.log_timeout: "}, {func(s *Serve) { s.LogTimeout = time.Hour + 1 }, false, "serve.log_timeout: "},
		{func(s *Serve) { s.Log, s.Topic, s.LogBuffer = LogBuffer, "decisions", s.Records }, false, ""}, {func(s *Serve) { s.Log, s.Topic, s.LogBuffer = LogBuffer, "decisions", s.Records-1 }, false, "serve.records: 10000 is more than serve.log_buffer, 9999"},
	} {
		s := defaultServe()
		c.change(&s)
		if got := said(s.validate(Topics{Input: "in", Events: "news"}, c.regression)); !strings.HasPrefix(got, c.says) || (got == "") != (c.says == "") {
			t.Errorf("want %q: %s", c.says, got)
		}
	}
	s := defaultServe()
	s.Heartbeat = heartbeat.Shortest
	if got := said(s.validate(Topics{}, false)); !strings.Contains(got, "serve.heartbeat: heartbeats are written to topics.events, which is empty") {
		t.Error(got)
	}
}

// TestPurposes: what a configuration is to be good for decides what is looked at.
func TestPurposes(t *testing.T) {
	c := Default().WithDefaults()
	c.Server.Address = "nowhere"
	for purpose, want := range map[Purpose]string{Serving: "server.address", Deciding: "server.address"} {
		if got := said(c.Validate(purpose)); !strings.HasPrefix(got, want) || strings.Contains(got, "record.label") {
			t.Errorf("%d: %s", purpose, got)
		}
	}
	c.Serve.Heartbeat = time.Second
	if got := said(c.Validate(Deciding)); !strings.Contains(got, "kafka.brokers") {
		t.Errorf("heartbeats need Kafka: %s", got)
	}
	c.Serve.Heartbeat, c.Serve.Log = 0, LogWait
	if got := said(c.Validate(Deciding)); !strings.Contains(got, "kafka.brokers") {
		t.Errorf("a log needs Kafka: %s", got)
	}
	c.Monitor.Decision.Field, c.Monitor.Decision.Positive = "d", "yes"
	if got := said(c.Validate(Running)); !strings.Contains(got, "monitor: names a decision or score of another model") {
		t.Error(got)
	}
	if got := said(c.Validate(Monitoring)); strings.Contains(got, "names a decision or score of another model") || !strings.Contains(got, "kafka.brokers") {
		t.Error(got)
	}
	if label := c.WithDefaults().Record.Label; label.Field != "label" || label.Positive != "1" {
		t.Errorf("decisions need no label: %+v", label)
	}
	c.Record.Label.Field = "y"
	if label := c.WithDefaults().Record.Label; label.Field != "y" || label.Positive != "" {
		t.Errorf("a label that is named stays: %+v", label)
	}
}

// TestTheLimitOfReleases is not below a tau of a difference.
func TestTheLimitOfReleases(t *testing.T) {
	c := Default()
	c.Constraints = []model.Constraint{{Criterion: "impact-ratio", Tau: 0.8}, {Criterion: "mean-difference", Tau: 7}, {Criterion: "demographic-parity", Tau: 0.1}}
	for limit, says := range map[float64]string{0: "", 0.1: "", 0.2: "", 0.09: "release.limit: 0.09 is below 0.1, the tau of constraints[2]"} {
		c.Release.Limit = limit
		if got := said(c.releaseProblems()); !strings.HasPrefix(got, says) || (got == "") != (says == "") {
			t.Errorf("a limit of %v: %s", limit, got)
		}
	}
}

// TestWhatWasRecorded is read as it was, whatever the file of the reader says.
func TestWhatWasRecorded(t *testing.T) {
	c := Default()
	c.Job, c.Record.Label = "loans", record.Label{Field: "y", Positive: "1"}
	c.Learner.Window = 4321
	l := &Loaded{Config: c.WithDefaults()}
	whole, err := l.JSON()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Recorded(whole)
	if err != nil || again.Job != "loans" || again.Learner.Window != 4321 || again.Record.Label.Field != "y" {
		t.Errorf("%+v, %v", again.Learner, err)
	}
	if again, err = Recorded([]byte(`{"job":"loans","record":{"label":{"field":"y","positive":"1"}},"of a later version":{"x":1}}`)); err != nil || again.Job != "loans" || again.Learner.Window != Default().Learner.Window {
		t.Errorf("%+v, %v", again.Learner, err)
	}
	for text, says := range map[string]string{"": "it is not a JSON object", "[1]": "it is not a JSON object", "{": "it is not a JSON object", `{"job":"loans"}`: "cannot be used: record.label.field: required", `{"record":{"label":{"field":"y","positive":"1"}},"learner":{"window":-1}}`: "cannot be used: learner.window"} {
		if got, err := Recorded([]byte(text)); err == nil || !strings.Contains(err.Error(), says) || got.Job != "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestKeysOfSignatures: a private key that is there and is one, and public ones by their place.
func TestKeysOfSignatures(t *testing.T) {
	_, key := certified(t)
	if signer, err := (Signing{}).Signer(); signer != nil || err != nil {
		t.Errorf("%v, %v", signer, err)
	}
	if _, err := (Signing{PrivateKeyFile: "nowhere"}).Signer(); err == nil || !strings.HasPrefix(err.Error(), "signing.private_key_file: cannot be read") {
		t.Error(err)
	}
	if _, err := (Signing{PrivateKeyFile: key}).Signer(); err == nil || !strings.HasPrefix(err.Error(), "signing.private_key_file: "+key) {
		t.Errorf("a key of another kind: %v", err)
	}
	if got := said(Signing{PublicKeys: []string{"ed25519:" + strings.Repeat("A", 43) + "=", "ed25519:short"}}.validate()); !strings.HasPrefix(got, `signing.public_keys[1]: "ed25519:short" is no public key`) {
		t.Error(got)
	}
}

// TestTabs are named by their line, since YAML forbids them.
func TestTabs(t *testing.T) {
	for text, says := range map[string]string{"job: a\nrecord:\n\tlabel: x\n": "line 3 is indented with a tab; use spaces", "job: [a\n": "", "\tjob: a\n": "line 1 is indented with a tab; use spaces", "job: a\n\trecord: b\n": "line 2 is indented with a tab; use spaces"} {
		file := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(Sources{Files: []string{file}}, Learning)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "with a tab") != (says != "") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if hint := tabHint(nil, errors.New("other")); hint != "" {
		t.Error(hint)
	}
	if got := yamlMessage(fmt.Errorf("yaml: x: yaml: y")); got != "y" {
		t.Error(got)
	}
}
