package stream

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/internal/waiting"
	"github.com/fairstream/fairstream/pkg/history"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files again")

// fullSnapshot has a value in every field.
func fullSnapshot() *snapshot {
	return &snapshot{
		SnapshotInfo: SnapshotInfo{
			Job: "adult", Owner: "owner", Term: 3, Sequence: 7, Parent: owner.Reference{Owner: "before", Term: 2, Sequence: 9},
			Taken: time.Date(2026, 11, 21, 8, 30, 0, 5, time.UTC), Program: "v1", Configuration: chronicle.Configuration{Whole: []byte(`{"job":"adult"}`)},
			History: chronicle.Head{Head: history.Head{Sequence: 5, SHA256: "abc", Term: 3}, Offset: 9}, Topic: "records", TopicID: kafka.TopicID{1, 2, 3},
			Version: 42, Rejected: map[string]int64{"missing_label": 2},
			Waiting: waiting.Mark{Number: 9, Epoch: 2, Entries: 3, Bytes: 700, Offset: 12, Lineage: []waiting.Stretch{{Term: 3, Number: 9, Epoch: 2}}},
			Partitions: []Ledger{
				{Partition: 0, Next: 30, LeaderEpoch: -1, Learnt: intake.TallyOf(0, 0, 25), Rejected: intake.TallyOf(0, 25, 27), Kept: intake.TallyOf(0, 27, 30)},
				{Partition: 2, Next: 17, LeaderEpoch: -1, Learnt: intake.TallyOf(2, 0, 17), Lost: 4},
			},
			Recent: intake.Recent{Seen: 3, Bits: []uint64{5}},
		},
		learner: []byte("the learner"),
		labels:  []byte("the label buffer"),
		monitor: []byte("the monitor"),
		release: []byte("the releases"),
	}
}

// snapshotFormat is how a snapshot begins and ends: 4 bytes of the header's length, the header and the sections are between.
var snapshotFormat = envelope.Format{Magic: "FSSN", Version: 5, What: "a snapshot"}

// forge writes a snapshot, or what pretends to be one, under a reference.
func forge(t *testing.T, world *clustertest.Memory, r owner.Reference, state []byte) {
	t.Helper()
	if _, err := world.Append(t.Context(), testTopics.State, 0, forged(t, r, state)); err != nil {
		t.Fatal(err)
	}
}

func forged(t *testing.T, r owner.Reference, state []byte) kafka.Message {
	t.Helper()
	part := &owner.Parts("adult", r, [][]byte{state})[0]
	value, err := part.Seal()
	if err != nil {
		t.Fatal(err)
	}
	return kafka.Message{Key: part.Key(1), Value: value}
}

// encode is the whole snapshot.
func (s *snapshot) encode() ([]byte, error) {
	s.pieces = [][]byte{s.learner}
	pieces, err := s.bytes()
	return slices.Concat(pieces...), err
}

// TestSnapshotsOfOldStayReadable: the golden file is of the first version of the format, and is kept for
// ever; a changed format gets another version and another file.
func TestSnapshotsOfOldStayReadable(t *testing.T) {
	encoded, err := fullSnapshot().encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "snapshot-5.hex")
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(hex.EncodeToString(encoded)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encoded, golden) {
		t.Errorf("a snapshot is written as %q, and was %q", encoded, golden)
	}
	decoded, err := decodeSnapshot(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := fullSnapshot()
	want.Bytes = len(golden)
	if !reflect.DeepEqual(decoded, want) {
		t.Errorf("read as %+v, want %+v", decoded, want)
	}
	// Version 4 had the records that wait in their section, and no mark.
	if text, err = os.ReadFile(filepath.Join("testdata", "snapshot-4.hex")); err != nil {
		t.Fatal(err)
	}
	if golden, err = hex.DecodeString(strings.TrimSpace(string(text))); err != nil {
		t.Fatal(err)
	}
	want.Waiting, want.Bytes = waiting.Mark{}, len(golden)
	if decoded, err = decodeSnapshot(golden); err != nil || !reflect.DeepEqual(decoded, want) {
		t.Errorf("version 4 is read as %+v, want %+v, %v", decoded, want, err)
	}
}

func TestDamagedSnapshotsAreRefused(t *testing.T) {
	encoded, err := fullSnapshot().encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range encoded {
		damaged := bytes.Clone(encoded)
		damaged[i] ^= 0x20
		if _, err := decodeSnapshot(damaged); err == nil {
			t.Fatalf("byte %d was changed unnoticed", i)
		}
		if _, err := decodeSnapshot(encoded[:i]); err == nil {
			t.Fatalf("a snapshot of %d bytes passed", i)
		}
	}
	newer := bytes.Clone(encoded)
	newer[len(snapshotFormat.Magic)] = 6
	if _, err := decodeSnapshot(newer); err == nil || !strings.Contains(err.Error(), "format version 6") || !strings.Contains(err.Error(), "newer one") {
		t.Errorf("a newer snapshot: %v", err)
	}
	newer[len(snapshotFormat.Magic)] = 1
	if _, err := decodeSnapshot(newer); err == nil || !strings.Contains(err.Error(), "has format version 1") || !strings.Contains(err.Error(), "fairstream state reset") {
		t.Errorf("an older snapshot: %v", err)
	}
	disordered := fullSnapshot()
	disordered.Partitions[1].Partition = 0
	if encoded, err = disordered.encode(); err != nil {
		t.Fatal(err)
	}
	if _, err := decodeSnapshot(encoded); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("partitions out of order: %v", err)
	}
}

// FuzzSnapshot: whatever bytes come, there is an error or a snapshot, and never a panic. The checksum is
// set right, so that what is behind it is reached.
func FuzzSnapshot(f *testing.F) {
	encoded, err := fullSnapshot().encode()
	if err != nil {
		f.Fatal(err)
	}
	head := len(snapshotFormat.Begin(nil)) + 4
	f.Add(encoded[head : len(encoded)-(snapshotFormat.Overhead()-len(snapshotFormat.Begin(nil)))])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, header := range []int{len(body), len(body) / 2, bytes.LastIndexByte(body, '}') + 1} {
			sealed := append(snapshotFormat.Begin(nil), byte(header), byte(header>>8), byte(header>>16), 0)
			sealed = envelope.Seal(append(sealed, body...), 0)
			if s, err := decodeSnapshot(sealed); err == nil {
				if _, err := s.encode(); err != nil {
					t.Errorf("what was read cannot be written: %v", err)
				}
				if err := intake.NewRejects(DefaultConfig().RejectLimit).Restore(s.Recent); err == nil && s.Recent.Seen < 0 {
					t.Error("a window of negative length")
				}
			}
		}
	})
}

// A ledger written without a leader epoch knows none; 0 is one.
func TestLeaderEpochsAreSaved(t *testing.T) {
	for _, epoch := range []intake.LeaderEpoch{-1, 0, 7} {
		saved := fullSnapshot()
		saved.Partitions[0].LeaderEpoch = epoch
		encoded, err := saved.encode()
		if err != nil {
			t.Fatal(err)
		}
		if decoded, err := decodeSnapshot(encoded); err != nil || decoded.Partitions[0].LeaderEpoch != epoch {
			t.Errorf("epoch %d is read as %+v, %v", epoch, decoded, err)
		}
	}
}
