package modeltopic

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/signature"
)

func topicOf(world *clustertest.Memory, verifier *signature.Verifier) Topic {
	return Topic{Cluster: world, Name: "models", Job: "adult", Verifier: verifier}
}

func publisher(t *testing.T, world *clustertest.Memory, own Own, verifier *signature.Verifier) *Publisher {
	t.Helper()
	if own.Notify == nil {
		own.Notify = func(Event) {}
	}
	if own.Keep == 0 {
		own.Keep = 3
	}
	p, err := topicOf(world, verifier).Publish(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func publish(t *testing.T, p *Publisher, version int64, a *Assignment) Target {
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
	if _, err := p.Publish(t.Context(), d, a); err != nil {
		t.Fatal(err)
	}
	return Target{Place: Place{p.Term(), version}, SHA256: d.WeightsSHA256}
}

func modelsOf(t *testing.T, world *clustertest.Memory, verifier *signature.Verifier) (*Models, []int64) {
	t.Helper()
	models, err := topicOf(world, verifier).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var versions []int64
	for i := range models.Versions {
		versions = append(versions, models.Versions[i].Version)
	}
	return models, versions
}

// TestPublishKeepsTheNewestAndTheReferred: old documents are deleted with the publication of a new one, but for those that an alias points to.
func TestPublishKeepsTheNewestAndTheReferred(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 1}, nil)
	stable := publish(t, p, 100, nil)
	a := &Assignment{Aliases: map[string]Target{Stable: stable}, Kept: map[Place]bool{}}
	for version := int64(200); version <= 600; version += 100 {
		publish(t, p, version, a)
	}
	models, versions := modelsOf(t, world, nil)
	if !slices.Equal(versions, []int64{100, 400, 500, 600}) {
		t.Errorf("versions %v", versions)
	}
	if m := models.ByAlias(Stable); m == nil || m.Version != 100 || models.ByAlias(Latest).Version != 600 {
		t.Errorf("aliases %v", models.Aliases)
	}
}

// TestALateOwnerIsRepaired: an owner who lost the job publishes late. Readers that know only the last records of keys find what the present one
// wants.
func TestALateOwnerIsRepaired(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	former := publisher(t, world, Own{Term: 1}, nil)
	first := publish(t, former, 100, nil)
	var told []Event
	p := publisher(t, world, Own{Term: 2, Notify: func(e Event) { told = append(told, e) }}, nil)
	stable := publish(t, p, 200, nil)
	if err := p.Assign(t.Context(), &Assignment{Aliases: map[string]Target{Stable: stable}, Kept: map[Place]bool{}}); err != nil {
		t.Fatal(err)
	}
	late := MoveAlias("adult", Latest, 1, first, nil)
	refused := MoveAlias("adult", Stable, 1, first, nil)
	if _, err := world.Append(t.Context(), "models", 0, late, refused, kafka.Message{Key: []byte(DocumentKey("adult", stable.Place))}); err != nil {
		t.Fatal(err)
	}
	if err := p.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	world.Clean("models")
	models, _ := modelsOf(t, world, nil)
	if len(models.Refused) > 0 || models.Aliases[Stable].Place() != stable.Place || models.Aliases[Latest].Place() != stable.Place || models.ByAlias(Stable) == nil {
		t.Errorf("aliases %v, documents %v, refused %v", models.Aliases, models.Versions, models.Refused)
	}
	repaired := 0
	for _, e := range told {
		switch e.(type) {
		case AliasRepaired:
			repaired++
		case DocumentRestored:
			repaired += 10
		}
	}
	if repaired != 12 {
		t.Errorf("told of %v", told)
	}
}

// TestATopicMadeAgain: the publisher writes again what readers need; somebody who only reads writes nothing.
func TestATopicMadeAgain(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 1}, nil)
	stable := publish(t, p, 100, nil)
	publish(t, p, 200, &Assignment{Aliases: map[string]Target{Stable: stable}, Kept: map[Place]bool{}})
	if err := p.Repair(t.Context()); err != nil { // as every ten seconds: it holds a copy of what readers need
		t.Fatal(err)
	}
	reader := topicOf(world, nil).Open()
	if err := reader.Look(t.Context()); err != nil || reader.Latest() != 200 {
		t.Fatalf("latest %d, %v", reader.Latest(), err)
	}
	world.Again("models")
	if err := reader.Look(t.Context()); err != nil || reader.Latest() != 0 || len(world.Topics["models"].Partitions[0].Records) > 0 {
		t.Errorf("a reader: latest %d, %d records, %v", reader.Latest(), len(world.Topics["models"].Partitions[0].Records), err)
	}
	if err := p.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	if models, versions := modelsOf(t, world, nil); !slices.Equal(versions, []int64{100, 200}) || models.ByAlias(Stable) == nil {
		t.Errorf("versions %v, aliases %v", versions, models.Aliases)
	}
	if err := reader.Look(t.Context()); err != nil || reader.Latest() != 200 {
		t.Errorf("a reader then: latest %d, %v", reader.Latest(), err)
	}
}

// TestPruneDeletesWhatNobodyCanRead, and nothing else.
func TestPruneDeletesWhatNobodyCanRead(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	publish(t, publisher(t, world, Own{Term: 1}, nil), 100, nil)
	for _, key := range []string{"adult/v/x/3", "adult/stable", "adult/v/300", "adult/new/1/2", "other/v/x/3"} {
		if _, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: []byte(key), Value: []byte("[")}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"adult/stable", "adult/v/300", "adult/v/x/3"}
	for _, dry := range []bool{true, false} {
		before := len(world.Topics["models"].Partitions[0].Records)
		keys, err := topicOf(world, nil).Prune(t.Context(), dry)
		if written := len(world.Topics["models"].Partitions[0].Records) - before; err != nil || !slices.Equal(keys, want) || (written > 0) == dry {
			t.Errorf("dry %v: keys %v, %d written, %v", dry, keys, written, err)
		}
	}
	world.Clean("models")
	if models, versions := modelsOf(t, world, nil); !slices.Equal(versions, []int64{100}) || len(models.Refused) > 0 {
		t.Errorf("versions %v, refused %v", versions, models.Refused)
	}
}

func keyPair(t *testing.T) (*signature.Signer, *signature.Verifier) {
	t.Helper()
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier
}

// TestADeletedAliasStaysDeleted: the state wants no candidate, and somebody writes a record that does not count under its key: it is deleted.
func TestADeletedAliasStaysDeleted(t *testing.T) {
	signer, verifier := keyPair(t)
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 3, Signer: signer}, verifier)
	if err := p.Assign(t.Context(), &Assignment{Aliases: map[string]Target{Candidate: {}}}); err != nil || len(world.Topics["models"].Partitions[0].Records) > 0 {
		t.Fatalf("something was written, or %v", err)
	}
	for _, value := range []string{"[]", `{"term":1,"version":1,"weights_sha256":"","key":"adult/v/1/1"}`} {
		if _, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: []byte("adult/candidate"), Value: []byte(value)}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := p.Repair(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if last := world.LastUnder("models", "adult/candidate"); last.Value != nil {
			t.Errorf("under the alias stands %q", last.Value)
		}
	}
	if n := len(world.Topics["models"].Partitions[0].Records); n != 4 {
		t.Errorf("%d records on the topic", n)
	}
}
