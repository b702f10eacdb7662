package config

import (
	"strings"
	"testing"
	"time"
)

func TestMistakesInServe(t *testing.T) {
	for want, change := range map[string]func(*Serve){
		"serve.address":     func(s *Serve) { s.Address = "8470" },
		"serve.log":         func(s *Serve) { s.Log, s.Topic = "always", "decisions" },
		"serve.topic":       func(s *Serve) { s.Log = LogWait },
		"serve.records":     func(s *Serve) { s.Log, s.Topic, s.LogBuffer = LogBuffer, "decisions", s.Records-1 },
		"serve.explore":     func(s *Serve) { s.Explore = 1.5 },
		"serve.heartbeat":   func(s *Serve) { s.Heartbeat = 500 * time.Millisecond },
		"serve.concurrency": func(s *Serve) { s.Concurrency = 0 },
	} {
		s := defaultServe()
		change(&s)
		problems := s.validate(Topics{Input: "records", Events: "events"}, false)
		if len(problems) != 1 || problems[0].Path != want {
			t.Errorf("%s: %v", want, problems)
		}
	}
	s := defaultServe()
	s.Log, s.Topic = LogWait, "records"
	if problems := s.validate(Topics{Input: "records"}, false); len(problems) != 1 || !strings.Contains(problems[0].Message, "topics.input too") {
		t.Errorf("decisions on the input: %v", problems)
	}
	s = defaultServe()
	s.Explore = .02
	if problems := s.validate(Topics{Input: "records"}, true); len(problems) != 1 || !strings.Contains(problems[0].Message, "a regression has no decisions") {
		t.Errorf("exploration by a regression: %v", problems)
	}
	s = defaultServe()
	s.Heartbeat = time.Minute
	if problems := s.validate(Topics{Input: "records"}, false); len(problems) != 1 || !strings.Contains(problems[0].Message, "topics.events, which is empty") {
		t.Errorf("heartbeats without a topic: %v", problems)
	}
	if problems := s.validate(Topics{Input: "records", Events: "events"}, false); len(problems) != 0 {
		t.Errorf("a heartbeat a minute: %v", problems)
	}
	if problems := defaultServe().validate(Topics{Input: "records"}, false); len(problems) != 0 {
		t.Errorf("the defaults: %v", problems)
	}
}
