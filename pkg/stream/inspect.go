package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/signature"
)

// AuditHistory answers for a period of a job. Entries are compared with claims, snapshot and documents: those refer to entries, so the last one
// cannot be deleted unnoticed either, and an entry that tells of more than they do was added. Records that the verifier refuses are
// listed, and say nothing; a nil verifier checks no signature. gap is as in history.Log.Audit.
func AuditHistory(ctx context.Context, cluster Cluster, topics Topics, job string, period history.Period, gap time.Duration, verifier *signature.Verifier) (*history.Audit, error) {
	standing := func(ctx context.Context) (now chronicle.Standing, err error) {
		state, err := ReadState(ctx, cluster, topics.State, job)
		if err != nil {
			return now, err
		}
		now.Term, now.Left = state.Holder.Term, state.Left
		if s := state.Snapshot; s != nil {
			now.SHA256 = s.History.SHA256
			now.Saved = &history.Saved{Term: s.Term, Version: s.Version, Steps: s.Steps, Head: s.History.Sequence, Configuration: s.Configuration.Whole}
		}
		return now, nil
	}
	return chronicle.Topic{Cluster: cluster, Name: topics.History, Job: job, Verifier: verifier}.Audit(ctx, standing,
		modeltopic.Topic{Cluster: cluster, Name: topics.Model, Job: job, Verifier: verifier}, period, gap)
}

// ReadMonitored reads what the monitor of a job had counted when the last snapshot was taken, without disturbing the owner. Counts are
// those of the configuration that the snapshot holds: configured gives its sections. The snapshot is nil if there is none.
func ReadMonitored(ctx context.Context, cluster Cluster, topic, job string,
	configured func(whole json.RawMessage) (model.Config, Monitoring, error)) (*SnapshotInfo, []*Monitored, error) {
	now, err := owner.Read(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job})
	if err != nil || now.State == nil {
		return nil, nil, err
	}
	saved, err := decodeSnapshot(now.State)
	if err != nil {
		return nil, nil, err
	}
	o := Options{Job: job}
	if o.Model, o.Monitoring, err = configured(saved.Configuration.Whole); err != nil {
		return nil, nil, fmt.Errorf("job %s: %w", job, err)
	}
	o = o.withDefaults()
	decider, err := o.restoreDecider(saved.learner)
	if err != nil {
		return nil, nil, fmt.Errorf("job %s: %w", job, err)
	}
	all, err := observe.Counted(o.observed(nil), decider, saved.monitor)
	if errors.Is(err, observe.ErrOther) {
		return nil, nil, fmt.Errorf("job %s: the monitor of the last snapshot has other comparisons or settings than the configuration in the snapshot: "+
			"`fairstream state verify` shows whether it is damaged", job)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("stream: a snapshot is damaged: %w", err)
	}
	return &saved.SnapshotInfo, all, nil
}

// State is what the state topic holds of a job.
type State struct {
	// Holder is the claim in force; Term 0 if nobody ever claimed the job.
	Holder Claim
	// Left says that the holder ended, and nobody owns the job.
	Left bool
	// Snapshot is the last that counts, nil if there is none.
	Snapshot *SnapshotInfo

	learner []byte
}

// ReadState reads the state topic to its end. It changes nothing, and does not disturb the owner.
func ReadState(ctx context.Context, cluster Cluster, topic, job string) (*State, error) {
	now, err := owner.Read(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job})
	if err != nil {
		return nil, err
	}
	s := &State{Holder: now.Holder, Left: now.Left}
	if now.State != nil {
		saved, err := decodeSnapshot(now.State)
		if err != nil {
			return nil, err
		}
		s.Snapshot, s.learner = &saved.SnapshotInfo, saved.learner
	}
	return s, nil
}

// Learner restores the learner of the snapshot, to look at it. There must be a snapshot.
func (s *State) Learner(config model.Config) (*model.Learner, error) {
	return model.Restore(config, s.learner)
}

// ResetState makes a job start from scratch: its next start has no snapshot. A process that learns for the job
// is superseded first, and stops. Terms go on counting, so that readers of the model topic prefer what
// is learnt from now on. Of options, Job, Topics, Program, Service, Actor, Reason, Signer and Verifier are used.
// Where the newest entry of the history is signed and Signer is nil, the error is *UnsignedReset, and nothing was changed.
func ResetState(ctx context.Context, c Cluster, options Options) error {
	options.Notify = func(Event) {}
	s := &Stream{cluster: c, options: options}
	job, err := owner.Open(ctx, s.owning())
	if err != nil {
		return err
	}
	r, err := s.openHistory(ctx, infoOf(job.Standing().State).History)
	if err != nil {
		return err
	}
	if r.Unsealed() {
		return &UnsignedReset{options.Topics.History}
	}
	if err := job.Claim(ctx, r.Head().Term); err != nil {
		return err
	}
	term := job.Owner().Term
	r.Owned(term, options.whoOf(), "")
	if err := r.Record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d", history.Reset, term), Kind: history.Reset}); err != nil {
		return err
	}
	return job.Forget(ctx)
}

// UnsignedReset says that a reset would be told by an entry that every reader of the history refuses.
type UnsignedReset struct{ History string }

func (e *UnsignedReset) Error() string {
	return fmt.Sprintf("the history on topic %s is signed, and no key is configured: an entry without a signature is refused, so nobody would be told of the reset. "+
		"Set signing.private_key_file and signing.public_keys as on the host of the job", e.History)
}

// Verification is what VerifyState found.
type Verification struct {
	// Topics are those that were looked at. The history is not among them: AuditHistory checks it.
	Topics []string `json:"topics"`
	// Records of the job that the state topic holds, deletions not counted. The cleaner may have removed earlier ones.
	Records int `json:"records"`
	// Claims that came into force, and those that came second.
	Claims     int `json:"claims"`
	LostClaims int `json:"lost_claims"`
	// Snapshots that count, that do not, since their owner had lost the job, and that are incomplete.
	Snapshots  int `json:"snapshots"`
	Late       int `json:"late"`
	Incomplete int `json:"incomplete"`
	// Documents on the model topic.
	Documents int `json:"documents"`
	// Signed counts documents and aliases with the signature of a trusted key, if Options.Verifier checks it; else nil.
	Signed *int `json:"signed"`
	// Holder is the claim in force, and Snapshot the last that counts, nil if there is none.
	Holder   Claim         `json:"holder"`
	Snapshot *SnapshotInfo `json:"snapshot"`
	// Problems are what must not be. Each names an offset or a version.
	Problems []string `json:"problems"`
}

// verifier checks what the snapshots of a job say.
type verifier struct {
	Verification
	options Options
	before  *SnapshotInfo   // the snapshot that counted before
	saved   map[int64]int64 // highest version that was saved, by term
}

// VerifyState replays the claims and snapshots of a job from the state topic, without writing anything: does every record
// have its checksum, do terms rise and versions never fall, does each snapshot that counts account for its records, can
// the last one be restored, and has each document on the model topic its snapshot? Of options,
// Job, Model, Monitoring, Topics and Verifier are used. The error is one of reading.
func VerifyState(ctx context.Context, cluster Cluster, options Options) (*Verification, error) {
	options = options.withDefaults()
	job, topics := options.Job, options.Topics
	v := &verifier{options: options, saved: map[int64]int64{}}
	account, err := owner.Verify(ctx, owner.Settings{Log: cluster, Topic: topics.State, Job: job}, v.snapshot)
	if err != nil {
		return nil, err
	}
	v.Verification = Verification{Topics: []string{topics.State}, Records: account.Records, Claims: account.Claims, LostClaims: account.LostClaims,
		Snapshots: account.Snapshots, Late: account.Late, Incomplete: account.Incomplete, Holder: account.Holder, Problems: account.Problems}
	if topics.Model != "" {
		v.Topics = append(v.Topics, topics.Model)
	}
	v.restore(account.State)
	models, err := ReadSignedModels(ctx, cluster, topics.Model, job, options.Verifier)
	if err != nil {
		return nil, err
	}
	if options.Verifier != nil && topics.Model != "" {
		signed := len(models.Versions) + len(models.Aliases)
		v.Signed = &signed
	}
	for _, r := range models.Refused {
		v.problem("topic %s, offset %d: %s is refused: %s", topics.Model, r.Offset, r.Key, r.Reason)
	}
	v.documents(models)
	return &v.Verification, nil
}

func (v *verifier) problem(format string, arguments ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, arguments...))
}

// snapshot checks one that has just come to count.
func (v *verifier) snapshot(counted owner.Reference, state []byte) (problems []string) {
	problem := func(format string, arguments ...any) { problems = append(problems, fmt.Sprintf(format, arguments...)) }
	s, err := decodeSnapshot(state)
	if err != nil {
		problem("%v", err)
		return problems
	}
	info := &s.SnapshotInfo
	if info.reference() != counted {
		problem("a snapshot says that it is %+v, and its parts say %+v", info.reference(), counted)
	}
	if b := v.before; b != nil && info.Parent != (owner.Reference{}) { // else it begins again, after a reset
		if info.Version < b.Version {
			problem("version %d of term %d follows version %d of term %d", info.Version, info.Term, b.Version, b.Term)
		}
		if p := info.Parent; p.Term < b.Term || p.Term == b.Term && p.Sequence < b.Sequence { // the cleaner may have removed later ones
			problem("version %d continues snapshot %d of term %d, but the last one that counts is %d of term %d",
				info.Version, info.Parent.Sequence, info.Parent.Term, b.Sequence, b.Term)
		}
	}
	var learnt, kept int64
	for _, l := range info.Partitions {
		learnt += l.Learnt.Count
		kept += l.Kept.Count
		if l.Overcounted() {
			problem("of partition %d, %d records are accounted for from offset %d to before offset %d", l.Partition,
				l.Accounted()-l.Since.Accounted, l.Since.Offset, l.Next)
		}
	}
	if info.Version < learnt || info.Version > learnt+kept { // records that wait count or not: record.unlabelled
		problem("version %d accounts for %d learnt records, and %d that waited for their label", info.Version, learnt, kept)
	}
	v.before = info
	v.saved[info.Term] = max(v.saved[info.Term], info.Version)
	return problems
}

// restore does with the last snapshot what the next start would do.
func (v *verifier) restore(state []byte) {
	if state == nil {
		return
	}
	s, err := decodeSnapshot(state)
	if err != nil {
		return // told
	}
	v.Snapshot = &s.SnapshotInfo
	learner, err := v.options.restoreDecider(s.learner)
	switch {
	case err != nil:
		v.problem("the last snapshot, version %d: %v", s.Version, err)
	case learner.Version() != s.Version:
		v.problem("the last snapshot says version %d, and its learner has learnt %d records", s.Version, learner.Version())
	default:
		for _, p := range observe.Check(v.options.observed(nil), learner, observe.Saved{Monitor: s.monitor, Release: s.release, Records: intake.Ledgers(s.Partitions).Taken()}) {
			v.problem("the section %s of the last snapshot, version %d, cannot be continued: %v. `fairstream run` learns on without it; %s: false switches it off, and "+
				"`fairstream state reset` begins again", p.Part, s.Version, p.Err, p.Key)
		}
	}
}

// documents checks that each has its snapshot, as far as the cleaner left those: that of the newest is always there.
func (v *verifier) documents(models *Models) {
	v.Documents = len(models.Versions)
	for i := range models.Versions {
		m := &models.Versions[i]
		if saved, known := v.saved[m.Term]; m.Term > v.Holder.Term || known && m.Version > saved {
			v.problem("version %d of term %d is published, and no snapshot that counts holds it", m.Version, m.Term)
		}
		parsed, err := m.Document()
		if err != nil {
			v.problem("version %d of term %d: %v", m.Version, m.Term, err)
			continue
		}
		if parsed.Version != m.Version || parsed.Lineage.Term != m.Term {
			v.problem("version %d of term %d: its key contradicts the document", m.Version, m.Term)
		}
	}
}
