package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// beats is a topic of events that has heartbeats.
type beats []kafka.Record

func (b beats) Bounds(context.Context, string) ([]kafka.Bounds, error) {
	return []kafka.Bounds{{End: int64(len(b))}}, nil
}

func (b beats) OffsetsAt(context.Context, string, time.Time) ([]int64, error) { return []int64{0}, nil }

func (b beats) Read(_ context.Context, _ string, _ int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	var err error
	for i := from; i < to && err == nil; i++ {
		err = use(&b[i])
	}
	return to, err
}

// TestInstancesThatServe: the silent ones come first, with the versions that each uses, and of many those beyond a bound are counted only.
func TestInstancesThatServe(t *testing.T) {
	l := liveOf(stream.Status{})
	if l.serving(time.Now()) != nil {
		t.Error("without heartbeats there is a list")
	}
	now := time.Now()
	var all beats
	for i := range board.MostInstances + 5 {
		beat := heartbeat.Beat{Instance: fmt.Sprintf("host:%03d", i), Program: "v1", Started: now.Add(-time.Hour).UTC(), Time: now.UTC(), EverySeconds: 10, Serving: []heartbeat.Serving{}}
		at := now
		if i == 7 || i == 150 {
			at = now.Add(-10 * time.Minute)
			beat.Serving = append(beat.Serving, heartbeat.Serving{Alias: "stable", Term: 2, Version: 300, WeightsSHA256: strings.Repeat("ab", 32), Since: now.Add(-time.Minute).UTC(), Decisions: 70})
		}
		value, err := json.Marshal(beat)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, kafka.Record{Key: []byte("adult/serve/" + beat.Instance), Value: value, Timestamp: at.UnixMilli()})
	}
	reader := heartbeat.NewReader(all, "events", "adult")
	if err := reader.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Serves(reader.Fleet)
	l.Unheard(errors.New("no broker"))
	s := l.serving(now)
	if s.Known != len(all) || s.Silent != 2 || len(s.Instances) != board.MostInstances || s.Ignored != 0 || s.Reason != "no broker" {
		t.Fatalf("%d known, %d silent, %d listed, %d ignored, %q", s.Known, s.Silent, len(s.Instances), s.Ignored, s.Reason)
	}
	for i, want := range []string{"host:007", "host:150", "host:000", "host:001"} {
		one := s.Instances[i]
		if silent := i < 2; one.Name != want || one.Silent != silent || silent != (len(one.Uses) == 1) || one.Program != "v1" || one.Uses == nil {
			t.Errorf("%d: %+v", i, one)
		}
	}
	if use := s.Instances[0].Uses[0]; use.Alias != "stable" || use.Term != 2 || use.Version != 300 || use.WeightsSHA256 != strings.Repeat("ab", 32) || use.Decisions != 70 || use.Since.IsZero() {
		t.Errorf("%+v", use)
	}
	if l.Unheard(nil); l.serving(now).Reason != "" {
		t.Error("heartbeats can be read again")
	}
}
