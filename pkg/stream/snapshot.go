package stream

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/internal/waiting"
)

// Topics names the topics of a job.
type Topics struct {
	Input, Model, State, DeadLetter string
	// Waiting has the records that wait for their label; it is needed if record.key is set.
	Waiting string
	// History may be empty: then nothing is recorded.
	History string
	// Events may be empty: then changed verdicts, alarms and steps of releases are written to no topic of their own.
	Events string
}

// snapshot is everything that a restart needs: what was learnt, and where in the input it stands.
//
//	envelope "FSSN" 5 { SnapshotInfo | section: learner | section: label buffer | section: monitor | section: releases }
//
// The learner's bytes are those of model.Learner.AppendState.
type snapshot struct {
	SnapshotInfo
	learner []byte   // of a snapshot that is read, and
	pieces  [][]byte // of one that is written
	labels  []byte
	monitor []byte // empty if nothing is monitored
	release []byte // empty if nothing is released
}

// SnapshotInfo is the readable part of a snapshot.
type SnapshotInfo struct {
	Job string `json:"job"`
	// Owner, Term and Sequence say who took it, and its number within that owner's term.
	Owner    string `json:"owner"`
	Term     int64  `json:"term"`
	Sequence int64  `json:"sequence"`
	// Parent is the one that the owner began from, or took before.
	Parent owner.Reference `json:"parent,omitzero"`
	// Taken is when.
	Taken time.Time `json:"taken"`
	// Program is the version of the program.
	Program string `json:"program,omitempty"`
	// Configuration is what was configured.
	Configuration chronicle.Configuration `json:"configuration"`
	// History is where the job's history ended.
	History chronicle.Head `json:"history,omitzero"`
	// Steps is the number of the last step of the releases; nil if that is not known.
	Steps *int64 `json:"release_steps,omitempty"`
	// Origin is the term in which the state began: it rises with a reset.
	Origin int64 `json:"origin,omitempty"`
	// StartedFrom is the SHA-256 of the file that the state began from; empty if it began with nothing.
	StartedFrom string `json:"started_from,omitempty"`
	// Announced is what is told of the monitor once the snapshot counts.
	Announced chronicle.Announced `json:"announced,omitzero"`
	// Topic and TopicID are the input's.
	Topic   string        `json:"topic"`
	TopicID kafka.TopicID `json:"topic_id"`
	// Version is the number of learnt records.
	Version int64 `json:"version"`
	// Rejected counts records by reason.
	Rejected map[string]int64 `json:"rejected"`
	// Waiting is which records wait for their label: their store is to be what it was at this mark.
	Waiting waiting.Mark `json:"waiting,omitzero"`
	// Partitions accounts for every partition.
	Partitions []Ledger `json:"partitions"`
	// Recent are the latest records, for RejectLimit.
	Recent intake.Recent `json:"recent"`
	// Bytes is how long the whole snapshot is; it is not written.
	Bytes int `json:"-"`
}

func (i *SnapshotInfo) reference() owner.Reference {
	return owner.Reference{Owner: i.Owner, Term: i.Term, Sequence: i.Sequence}
}

// RejectedRecords is the number of rejected records.
func (i *SnapshotInfo) RejectedRecords() int64 {
	var sum int64
	for _, count := range i.Rejected {
		sum += count
	}
	return sum
}

// bytes are those of the snapshot, in pieces.
func (s *snapshot) bytes() ([][]byte, error) {
	return owner.Snapshot(&s.SnapshotInfo, s.pieces, [][]byte{s.labels}, [][]byte{s.monitor}, [][]byte{s.release})
}

// infoOf is the readable part of a snapshot that was decoded before; empty if there is none.
func infoOf(state []byte) (info SnapshotInfo) {
	if s, err := decodeSnapshot(state); err == nil {
		info = s.SnapshotInfo
	}
	return info
}

func decodeSnapshot(data []byte) (*snapshot, error) {
	var s snapshot
	if err := owner.OpenSnapshot(data, &s.SnapshotInfo, &s.learner, &s.labels, &s.monitor, &s.release); err != nil {
		return nil, err
	}
	for i := range s.Partitions {
		if i > 0 && s.Partitions[i].Partition <= s.Partitions[i-1].Partition {
			return nil, fmt.Errorf("stream: a snapshot is damaged: partition %d is out of order", s.Partitions[i].Partition)
		}
	}
	s.Bytes = len(data)
	return &s, nil
}

// StartFrom is a state that was learnt from files: the first one of a job, whose records go on in the topic where the files end.
type StartFrom struct {
	// Learner is the state of a learner, SHA256 that of the file that it was in.
	Learner []byte
	SHA256  string
	// Offsets are the first ones to learn, by partition; nil: those of Config.Start.
	Offsets map[int32]int64
}

// origin is where the state of a job began: the term, and the hash of the file that it began from.
type origin struct {
	term int64
	from string
}

// note writes it down.
func (o origin) note(info *SnapshotInfo) { info.Origin, info.StartedFrom = o.term, o.from }

// sum is the hash, empty for nothing.
func (f *StartFrom) sum() string {
	if f == nil {
		return ""
	}
	return f.SHA256
}

// OtherState says that a job was to start from a file, and has a state that did not.
type OtherState struct {
	Job    string
	Topics Topics
	// From is the SHA-256 of the file that the state began from, empty if it began with nothing, and Version how far it is.
	From    string
	Version int64
}

func (e *OtherState) Error() string {
	from := "began with nothing"
	if e.From != "" {
		from = "began from the file with the SHA-256 " + e.From
	}
	return fmt.Sprintf("--start-from: job %s has a state on topic %s, version %d, which %s: leave --start-from out to go on with it, give the job another name, "+
		"or delete the state with `fairstream state reset`", e.Job, e.Topics.State, e.Version, from)
}

// onto refuses a job that has a state which did not begin from the file.
func (f *StartFrom) onto(job string, topics Topics, state []byte) error {
	if f == nil || state == nil {
		return nil
	}
	saved, err := decodeSnapshot(state)
	if err != nil {
		return err
	}
	if saved.StartedFrom != f.SHA256 {
		return &OtherState{job, topics, saved.StartedFrom, saved.Version}
	}
	return nil
}

// WrongOffsets says why the offsets of StartFrom are not those of the input.
type WrongOffsets struct{ Problem string }

func (e *WrongOffsets) Error() string { return "--start-offsets: " + e.Problem }

// place replaces the offsets of all partitions by those that are given.
func (f *StartFrom) place(offsets []int64, bounds []kafka.Bounds) error {
	if f == nil || f.Offsets == nil {
		return nil
	}
	for partition := range f.Offsets {
		if partition < 0 || int(partition) >= len(offsets) {
			return &WrongOffsets{fmt.Sprintf("the input has no partition %d, only 0 to %d", partition, len(offsets)-1)}
		}
	}
	for i, b := range bounds {
		offset, given := f.Offsets[int32(i)]
		switch {
		case !given:
			return &WrongOffsets{fmt.Sprintf("partition %d is missing: give one offset for each of the %d partitions", i, len(offsets))}
		case offset < b.Start || offset > b.End:
			return &WrongOffsets{fmt.Sprintf("partition %d has the offsets %d to %d, and %d is none of them", i, b.Start, b.End, offset)}
		}
		offsets[i] = offset
	}
	return nil
}
