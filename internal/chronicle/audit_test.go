package chronicle

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// audited is a job with a history and a model topic.
type audited struct {
	world    *clustertest.Memory
	recorder *Recorder
	models   *modeltopic.Publisher
	signer   *signature.Signer
	verifier *signature.Verifier
	standing Standing
}

// newAudited is a job that has published nothing; signed says whether it signs what it writes.
func newAudited(t *testing.T, signed bool) *audited {
	t.Helper()
	a := &audited{world: clustertest.New(map[string]int{"history": 1, "models": 1}), standing: Standing{Term: 1, Left: true}}
	if signed {
		private, public, err := signature.Generate()
		if err == nil {
			a.signer, err = signature.NewSigner(private)
		}
		if err == nil {
			a.verifier, err = signature.NewVerifier(public)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if a.recorder, _, err = a.history().Open(t.Context(), Head{}, func(problem string) { t.Error(problem) }); err != nil {
		t.Fatal(err)
	}
	a.recorder.Owned(1, history.Who{Service: "test"}, "")
	if a.models, err = a.documents().Publish(t.Context(), modeltopic.Own{Term: 1, Keep: 3, Signer: a.signer, Notify: func(modeltopic.Event) {}}); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *audited) history() Topic {
	return Topic{Cluster: a.world, Name: "history", Job: "adult", Signer: a.signer, Verifier: a.verifier}
}

func (a *audited) documents() modeltopic.Topic {
	return modeltopic.Topic{Cluster: a.world, Name: "models", Job: "adult", Verifier: a.verifier}
}

// tell records the publication of a version in the history.
func (a *audited) tell(t *testing.T, version int64) *document.Document {
	t.Helper()
	encoder, err := features.NewFrozen(features.Parts{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, encoder.Size())
	weights[features.Intercept] = float64(version)
	d, err := document.New(document.Classification, encoder.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	d.Job, d.Version = "adult", version
	if d.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"income","positive":">50K"}}}`)); err != nil {
		t.Fatal(err)
	}
	if err := a.recorder.Publication(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return d
}

// publish tells of a version and publishes it.
func (a *audited) publish(t *testing.T, version int64) *document.Document {
	t.Helper()
	d := a.tell(t, version)
	if _, err := a.models.Publish(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	return d
}

func (a *audited) audit(ctx context.Context) (*history.Audit, error) {
	return a.history().Audit(ctx, func(context.Context) (Standing, error) { return a.standing, nil }, a.documents(), history.Period{}, time.Hour)
}

// problems are those of an audit, in one line.
func (a *audited) problems(t *testing.T) string {
	t.Helper()
	found, err := a.audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, b := range found.Chain.Breaks {
		all = append(all, b.Problem)
	}
	if found.Chain.Whole != (len(all) == 0) {
		t.Errorf("whole: %v, %q", found.Chain.Whole, all)
	}
	return strings.Join(all, "\n")
}

// TestAnAuditComparesTheTopics: history, claims, snapshot and documents that agree, and each way in which one of them differs.
func TestAnAuditComparesTheTopics(t *testing.T) {
	two := func(t *testing.T) *audited {
		a := newAudited(t, false)
		a.publish(t, 100)
		a.publish(t, 200)
		return a
	}
	for name, c := range map[string]struct {
		make func(t *testing.T) *audited
		want string
	}{
		"all agree": {two, ""},
		"a document is missing": {func(t *testing.T) *audited {
			a := two(t)
			a.tell(t, 300)
			return a
		}, "tells of version 300, and its document is not on the model topic"},
		"nothing was published": {func(t *testing.T) *audited {
			a := newAudited(t, false)
			a.tell(t, 100)
			return a
		}, "tells of version 100, and its document is not on the model topic"},
		"a claim below an entry": {func(t *testing.T) *audited {
			a := two(t)
			a.recorder.Owned(3, history.Who{Service: "test"}, "")
			if err := a.recorder.Record(t.Context(), entry("later")); err != nil {
				t.Fatal(err)
			}
			a.standing.Term = 2
			return a
		}, "is by an owner of term 3, and the highest term that a process claimed is 2"},
		"a snapshot of fewer records": {func(t *testing.T) *audited {
			a := two(t)
			a.standing.Saved, a.standing.SHA256 = &history.Saved{Term: 1, Version: 150, Head: 1}, a.sum(t, 1)
			return a
		}, "tells of version 200, and the snapshot in force has version 150"},
		"a snapshot that refers to another entry": {func(t *testing.T) *audited {
			a := two(t)
			a.standing.Saved, a.standing.SHA256 = &history.Saved{Term: 1, Version: 200, Head: 2}, a.sum(t, 1)
			return a
		}, "the snapshot on the state topic refers to entry 2, which is not in the history"},
		"a snapshot that agrees": {func(t *testing.T) *audited {
			a := two(t)
			a.standing.Saved, a.standing.SHA256 = &history.Saved{Term: 1, Version: 200, Head: 2}, a.sum(t, 2)
			return a
		}, ""},
		"a document that refers to another entry": {func(t *testing.T) *audited {
			a := newAudited(t, false)
			d := a.tell(t, 100)
			d.Lineage.History.SHA256 = "ab"
			if _, err := a.models.Publish(t.Context(), d, nil); err != nil {
				t.Fatal(err)
			}
			return a
		}, "the document of version 100 in term 1 refers to entry 1, which is not in the history"},
		"a document with other weights": {func(t *testing.T) *audited {
			a := newAudited(t, false)
			d := a.tell(t, 100)
			other := newAudited(t, false).tell(t, 200)
			other.Version, other.Lineage.History = 100, d.Lineage.History
			if _, err := a.models.Publish(t.Context(), other, nil); err != nil {
				t.Fatal(err)
			}
			return a
		}, "the document of version 100 in term 1 has other weights than entry 1 says"},
	} {
		got := c.make(t).problems(t)
		if got == "" != (c.want == "") || !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// sum is that of an entry.
func (a *audited) sum(t *testing.T, sequence int) string {
	t.Helper()
	return history.Sum(a.world.Topics["history"].Partitions[0].Records[sequence-1].Value)
}

// TestAnAuditOfAJobWithoutDocuments expects none: it monitors the decisions of others. Entries of another job are not read.
func TestAnAuditOfAJobWithoutDocuments(t *testing.T) {
	a := newAudited(t, false)
	a.tell(t, 100)
	a.world.Put("history", 0, "of another job")
	found, err := a.history().Audit(t.Context(), func(context.Context) (Standing, error) { return Standing{Term: 1}, nil }, modeltopic.Topic{Cluster: a.world, Job: "adult"}, history.Period{}, time.Hour)
	if err != nil || !found.Chain.Whole || found.Chain.Entries != 1 || len(found.Versions) != 1 || found.Signatures.Checked {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestAnAuditOfSignatures counts what trusted keys signed, and lists what they did not sign.
func TestAnAuditOfSignatures(t *testing.T) {
	a := newAudited(t, true)
	a.publish(t, 100)
	found, err := a.audit(t.Context())
	if err != nil || !found.Signatures.Checked || found.Signatures.Accepted != 2 || len(found.Signatures.Refused) > 0 || found.Signatures.Entries.Signed != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	forged := modeltopic.Document("adult", modeltopic.Place{Term: 1, Version: 200}, "ab", []byte("{}"), nil)
	if _, err := a.world.Append(t.Context(), "models", 0, forged); err != nil {
		t.Fatal(err)
	}
	a.tell(t, 200)
	found, err = a.audit(t.Context())
	if err != nil || found.Signatures.Accepted != 2 || len(found.Signatures.Refused) != 1 || found.Signatures.Refused[0].Key != string(forged.Key) || found.Signatures.Refused[0].Reason == "" {
		t.Errorf("%+v, %v", found, err)
	}
	if !found.Chain.Whole { // a refused document stands under the key nevertheless
		t.Errorf("%+v", found.Chain.Breaks)
	}
	if seal := SealOf(nil, &kafka.Record{}); seal != (history.Seal{}) {
		t.Errorf("without a verifier: %+v", seal)
	}
}

// TestAnAuditWaitsForAPublication that the history tells of, since the owner may be about to write it.
func TestAnAuditWaitsForAPublication(t *testing.T) {
	a := newAudited(t, false)
	d := a.tell(t, 100)
	a.standing.Left = false
	value, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	a.world.Inject = func(operation string) clustertest.Fault {
		if operation == "read models/0" {
			if reads++; reads == 2 {
				l := a.world.Topics["models"].Partitions[0]
				l.Records = append(l.Records, modeltopic.Document("adult", modeltopic.Place{Term: 1, Version: 100}, d.WeightsSHA256, value, nil))
			}
		}
		return clustertest.Fault{}
	}
	if got := a.problems(t); got != "" || reads != 2 {
		t.Errorf("%q after %d readings", got, reads)
	}
	a.tell(t, 200)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := a.audit(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// TestAnAuditEndsWithTheFirstError, whichever topic cannot be read.
func TestAnAuditEndsWithTheFirstError(t *testing.T) {
	for _, topic := range []string{"read history/0", "read models/0"} {
		for after := range 2 {
			a := newAudited(t, false)
			a.publish(t, 100)
			seen := 0
			a.world.Inject = func(operation string) clustertest.Fault {
				if operation == topic {
					if seen++; seen == after+1 {
						return clustertest.Fault{Err: clustertest.ErrFatal}
					}
				}
				return clustertest.Fault{}
			}
			_, err := a.audit(t.Context())
			if fails := topic == "read history/0" || after == 0; fails != errors.Is(err, clustertest.ErrInjected) {
				t.Errorf("%s fails after %d: %v", topic, after, err)
			}
		}
	}
	a := newAudited(t, false)
	wrong := errors.New("no state")
	if _, err := a.history().Audit(t.Context(), func(context.Context) (Standing, error) { return Standing{}, wrong }, a.documents(), history.Period{}, time.Hour); !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
	if _, err := a.world.Append(t.Context(), "models", 0, modeltopic.Document("adult", modeltopic.Place{Term: 1, Version: 1}, "ab", []byte("["), nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.audit(t.Context()); err == nil || !strings.Contains(err.Error(), "version 1 of term 1") {
		t.Errorf("%v", err)
	}
}

// TestRowsOfAPublication: a difference that cannot be estimated has no numbers, and the others have theirs.
func TestRowsOfAPublication(t *testing.T) {
	rows := rowsOf([]fairness.Estimate{
		{Name: "sex", Criterion: fairness.DemographicParity, Group: "a", Versus: "b", Tau: .05, Enforced: true, Level: .95, NGroup: 7, NVersus: 8, Status: fairness.Met, Value: .01, Lo: -.02, Hi: .03},
		{Name: "age", Status: fairness.NotEstimable, Value: 1},
	})
	if r := rows[0]; len(rows) != 2 || r.Name != "sex" || r.Criterion != "demographic-parity" || r.Group != "a" || r.Versus != "b" || r.Tau != .05 || !r.Enforced || r.Level != .95 ||
		r.NGroup != 7 || r.NVersus != 8 || r.Status != "met" || *r.Value != .01 || *r.Lo != -.02 || *r.Hi != .03 {
		t.Errorf("%+v", rows)
	}
	if r := rows[1]; r.Name != "age" || r.Value != nil || r.Lo != nil || r.Hi != nil || r.Enforced {
		t.Errorf("%+v", r)
	}
}
