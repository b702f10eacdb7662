package stream

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestASnapshotWithADamagedSection: whoever needs a section that cannot be read says so, and whoever does not goes on.
func TestASnapshotWithADamagedSection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sound, options := newWorld(1), labelOptions()
		for i := range 60 {
			unlabelled, label := split(adultLines()[i], i)
			sound.Put(testTopics.Input, 0, unlabelled, label)
		}
		options.Model.Learner.Warmup, options.Model.Learner.MinimumRecords = 20, 5
		run(t, sound, options)
		standing, err := owner.Read(t.Context(), owner.Settings{Log: sound, Topic: testTopics.State, Job: "adult"})
		if err != nil {
			t.Fatal(err)
		}
		file := options
		file.StartFrom = &StartFrom{SHA256: "abc"}
		readers := map[string]func(*clustertest.Memory) error{
			"the state": func(m *clustertest.Memory) error {
				_, err := ReadState(t.Context(), m, testTopics.State, "adult")
				return err
			},
			"the monitor": func(m *clustertest.Memory) error {
				_, _, err := ReadMonitored(t.Context(), m, testTopics.State, "adult",
					func(json.RawMessage) (model.Config, Monitoring, error) { return options.Model, options.Monitoring, nil })
				return err
			},
			"a run":        func(m *clustertest.Memory) error { return New(m, options).Run(t.Context()) },
			"a first file": func(m *clustertest.Memory) error { return New(m, file).Run(t.Context()) },
		}
		const other = "has a state on topic state"
		for name, c := range map[string]struct {
			damage  func(*snapshot)
			errors  map[string]string // by reader; the others end without one
			problem string
		}{
			"nothing": {func(*snapshot) {}, map[string]string{"a first file": other}, ""},
			"the order of partitions": {func(s *snapshot) { s.Partitions = []Ledger{{Partition: 1}, {Partition: 1}} },
				map[string]string{"the state": "partition 1 is out of order", "the monitor": "partition 1 is out of order", "a run": "partition 1 is out of order", "a first file": "partition 1 is out of order"},
				"partition 1 is out of order"},
			"the learner": {func(s *snapshot) { s.learner = []byte("x") },
				map[string]string{"the monitor": "job adult: ", "a run": "job adult: ", "a first file": other}, "the last snapshot, version 120: "},
			"the learner's version": {func(s *snapshot) { s.Version++ }, map[string]string{"a first file": other}, "says version 121, and its learner has learnt 120 records"},
			"the monitor": {func(s *snapshot) { s.monitor = []byte{0xff} },
				map[string]string{"the monitor": "stream: a snapshot is damaged: ", "a first file": other}, "the section monitor of the last snapshot, version 120, cannot be continued"},
			"the latest records": {func(s *snapshot) { s.Recent = intake.Recent{Seen: -1} },
				map[string]string{"a run": "stream: a snapshot is damaged: ", "a first file": other}, ""},
			"the labels": {func(s *snapshot) { s.labels = []byte("x") },
				map[string]string{"a run": "stream: a snapshot cannot be continued: ", "a first file": other}, ""},
		} {
			s, err := decodeSnapshot(standing.State)
			if err != nil {
				t.Fatal(err)
			}
			s.Parent = s.reference()
			s.Sequence++
			c.damage(s)
			state, err := s.encode()
			if err != nil {
				t.Fatal(err)
			}
			world := sound.Copy()
			forge(t, world, s.reference(), state)
			for reader, read := range readers {
				err, want := read(world.Copy()), c.errors[reader]
				if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%s damaged, %s: %v, want %q", name, reader, err, want)
				}
			}
			v, err := VerifyState(t.Context(), world, options)
			if err != nil {
				t.Fatal(err)
			}
			if problems := strings.Join(v.Problems, "\n"); (problems == "") != (c.problem == "") || !strings.Contains(problems, c.problem) {
				t.Errorf("%s damaged: verifying finds %q, want %q", name, problems, c.problem)
			}
		}
	})
}
