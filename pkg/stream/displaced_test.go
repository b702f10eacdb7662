package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/bycommit"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

func aliasesOn(t *testing.T, world *clustertest.Memory) map[string]Alias {
	t.Helper()
	models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
	if err != nil {
		t.Fatal(err)
	}
	return models.Aliases
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

// TestADisplacedRecordIsWrittenAgain: somebody writes a record that does not count under a key of the job, and the cleaner removes the one that
// counts. The owner writes its own again before readers that start later miss it: while it runs, and when it starts.
func TestADisplacedRecordIsWrittenAgain(t *testing.T) {
	signer, verifier := keyPair(t)
	other := []byte(`{"term":1,"version":1,"weights_sha256":"","key":"adult/v/1/1","owner_term":1}`)
	for _, test := range []struct {
		name   string
		signed bool
		value  func(was []byte) []byte
	}{
		{"not signed", true, func(was []byte) []byte { return slices.Clone(was) }},
		{"another one, not signed", true, func([]byte) []byte { return other }},
		{"damaged", false, func(was []byte) []byte { return was[:len(was)-1] }},
		{"deleted", false, func([]byte) []byte { return nil }},
		{"deleted where keys are set", true, func([]byte) []byte { return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world, options := releasing(0)
				if test.signed {
					options.Signer, options.Verifier = signer, verifier
				}
				inStages(t, world, options, adultLines()[:1500])
				now := machineOf(t, world, options).Aliases()
				keys := []string{modeltopic.DocumentKey("adult", placeOf(now.Stable)), modeltopic.DocumentKey("adult", placeOf(now.Previous)), modeltopic.DocumentKey("adult", placeOf(now.Candidate)),
					"adult/stable", "adult/previous", "adult/candidate", "adult/latest"}
				before := map[string][]byte{}
				for _, key := range keys {
					before[key] = world.LastUnder(testTopics.Model, key).Value
				}
				displace := func() {
					for _, key := range keys {
						if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte(key), Value: test.value(before[key])}); err != nil {
							t.Fatal(err)
						}
					}
				}
				whole := func(when string) {
					t.Helper()
					world.Clean(testTopics.Model)
					models, err := ReadSignedModels(t.Context(), world, testTopics.Model, "adult", options.Verifier)
					if err != nil || len(models.Refused) > 0 || len(models.Aliases) != 4 {
						t.Errorf("%s: aliases %v, refused %+v, %v", when, models.Aliases, models.Refused, err)
					}
					for _, key := range keys {
						last := world.LastUnder(testTopics.Model, key)
						record := kafkatest.Record(0, &last)
						same := bytes.Equal(last.Value, before[key])
						if kind, _, _ := modeltopic.ParseKey("adult", last.Key); kind == modeltopic.IsAlias && last.Value != nil {
							same = pointsTo(t, last.Value) == pointsTo(t, before[key]) // another owner may have moved it
						}
						if !same || options.Verifier != nil && modeltopic.Verify(options.Verifier, &record) != nil {
							t.Errorf("%s: under %s stands %.200q", when, key, last.Value)
						}
					}
				}
				b := inBackground(t, world, options)
				time.Sleep(time.Second)
				displace()
				time.Sleep(repairEvery + time.Second)
				whole("while it runs")
				displace()
				world.Clean(testTopics.Model) // nothing that counts is left on the topic
				time.Sleep(repairEvery + time.Second)
				whole("while it runs, and the cleaner was faster")
				if err := b.end(); err != nil {
					t.Fatal(err)
				}
				if test.value(other) == nil {
					return // what is deleted while nobody runs is gone
				}
				displace()
				var told events
				options.Notify = told.add
				b = inBackground(t, world, options)
				time.Sleep(time.Second)
				whole("at the start")
				if elsewhere := of[StateElsewhere](&told); len(elsewhere) > 0 {
					t.Errorf("the owner takes its own repair for another state: %+v", elsewhere)
				}
				if err := b.end(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func pointsTo(t *testing.T, alias []byte) modeltopic.Target {
	t.Helper()
	var a Alias
	if err := json.Unmarshal(alias, &a); err != nil {
		t.Fatal(err)
	}
	return modeltopic.Target{Place: a.Place(), SHA256: a.WeightsSHA256, UnwatchedSince: modeltopic.Seconds(a.UnwatchedSince)}
}

// TestAReplacedDocumentIsWrittenAgain: without signatures somebody writes another document under the key of one that readers need.
func TestAReplacedDocumentIsWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(20 * time.Second)
		const key = "adult/v/1/300"
		good := world.LastUnder(testTopics.Model, key)
		forged := kafka.Message{Key: good.Key, Value: bytes.Replace(good.Value, []byte("adult"), []byte("adulT"), 1), Headers: good.Headers}
		if _, err := world.Append(t.Context(), testTopics.Model, 0, forged); err != nil || bytes.Equal(forged.Value, good.Value) {
			t.Fatal(err)
		}
		time.Sleep(repairEvery + time.Second)
		if now := world.LastUnder(testTopics.Model, key); !bytes.Equal(now.Value, good.Value) || len(of[DocumentRestored](&told)) != 1 {
			t.Errorf("under %s stands %.100q; restored %+v", key, now.Value, of[DocumentRestored](&told))
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestATermAtTheEdgeBricksNothing: one record of the highest term that readers accept, or of more, ends no job, neither one that runs nor the
// next start; readers come back to what the owner publishes. The first term beyond the highest is forged in each place, and of the other cases the commit
// chooses a third.
func TestATermAtTheEdgeBricksNothing(t *testing.T) {
	type forgery struct {
		name string
		term int64
	}
	var always, others []forgery
	for _, name := range []string{"latest", "stable", "owner of latest", "owner of stable", "document"} {
		always = append(always, forgery{name, modeltopic.MostTerm + 1})
		for _, term := range []int64{modeltopic.MostBelieved, modeltopic.MostBelieved + 1, modeltopic.MostTerm - 1, modeltopic.MostTerm, 1<<63 - 1} {
			others = append(others, forgery{name, term})
		}
	}
	if !testing.Short() {
		always = append(always, bycommit.Some(t, "other terms", others, 3)...)
	}
	var prepared *clustertest.Memory
	var ended time.Time // in the time of the bubble, in which each attempt goes on from there
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:1500])
		prepared, ended = world, time.Now()
	})
	for _, one := range always {
		t.Run(fmt.Sprintf("%s %d", one.name, one.term), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(ended))
				name, term := one.name, one.term
				_, options := releasing(0)
				world := prepared.Copy()
				document := world.LastUnder(testTopics.Model, modeltopic.DocumentKey("adult", newestPlace(t, world)))
				place, alias, owner := modeltopic.Place{Term: term, Version: 7}, name, term
				if suffix, is := bytes.CutPrefix([]byte(name), []byte("owner of ")); is {
					alias, place = string(suffix), newestPlace(t, world)
				}
				forged := modeltopic.MoveAlias("adult", alias, owner, modeltopic.Target{Place: place, SHA256: newest(t, world).WeightsSHA256}, nil)
				if name == "document" {
					forged = kafka.Message{Key: fmt.Appendf(nil, "adult/v/%d/7", term), Value: document.Value, Headers: document.Headers}
				}
				forge := func() {
					if _, err := world.Append(t.Context(), testTopics.Model, 0, forged); err != nil {
						t.Fatal(err)
					}
				}
				forge()
				for i := range 3 { // starts
					from := 1500 + 400*i
					inStages(t, world, options, adultLines()[from:from+300])
					agrees(t, world, options)
					models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
					if err != nil || models.Newest().Version < int64(from) || models.Aliases[LatestAlias].Version != models.Newest().Version {
						t.Fatalf("start %d: newest %v, aliases %v, %v", i, models.Newest().Place(), models.Aliases, err)
					}
					b := inBackground(t, world, options)
					time.Sleep(time.Second)
					forge()
					time.Sleep(repairEvery + time.Second)
					world.Put(testTopics.Input, 0, adultLines()[from+300:from+400]...)
					time.Sleep(repairEvery + time.Second)
					if err := b.end(); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}

func newestPlace(t *testing.T, world *clustertest.Memory) modeltopic.Place {
	t.Helper()
	d := newest(t, world)
	return modeltopic.Place{Term: d.Lineage.Term, Version: d.Version}
}

// TestANewJobMeetsADamagedRecord: a job that has no state begins although the model topic has records that do not count.
func TestANewJobMeetsADamagedRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		for _, key := range []string{"adult/stable", "adult/v/x/300"} {
			if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte(key), Value: []byte("[")}); err != nil {
				t.Fatal(err)
			}
		}
		options := testOptions()
		var told events
		options.Notify = told.add
		run(t, world, options)
		if newest(t, world).Version != 300 || len(of[ModelRefused](&told)) != 2 {
			t.Errorf("refused %+v", of[ModelRefused](&told))
		}
	})
}
