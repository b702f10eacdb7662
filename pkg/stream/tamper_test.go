package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// keys are a signer and who trusts it.
func keys(t *testing.T) (*signature.Signer, *signature.Verifier) {
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

// toTamper is a job of two owners with publications, steps of releases and a changed configuration, ended properly.
func toTamper(t *testing.T, signer *signature.Signer, verifier *signature.Verifier) (*clustertest.Memory, Options) {
	t.Helper()
	world, options := releasing(0)
	options.Model = adultModel()
	options.KeepVersions = 3
	options.Signer, options.Verifier = signer, verifier
	options.Configuration = json.RawMessage(`{"stream":{"keep_versions":3},"tau":0.05}`)
	inStages(t, world, options, adultLines()[:2500])
	options.Configuration = json.RawMessage(`{"stream":{"keep_versions":3},"tau":0.15}`)
	options.Actor, options.Reason = "ada", "decision 17"
	inStages(t, world, options, adultLines()[2500:5000])
	return world, options
}

func logOf(world *clustertest.Memory) []kafka.Message {
	return slices.Clone(world.Topics[testTopics.History].Partitions[0].Records)
}

func replaceHistory(world *clustertest.Memory, log []kafka.Message) {
	world.Topics[testTopics.History].Partitions[0].Records = log
}

func entryOf(t *testing.T, m kafka.Message) history.Entry {
	t.Helper()
	e, err := history.Decode(m.Value)
	if err != nil {
		t.Fatal(err)
	}
	return *e
}

// changed is an entry that somebody altered.
func changed(t *testing.T, log []kafka.Message, kind history.Kind, change func(*history.Entry)) []kafka.Message {
	t.Helper()
	i := lastOf(t, log, kind)
	e := entryOf(t, log[i])
	change(&e)
	value, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(value, log[i].Value) {
		t.Fatalf("an entry of kind %s was not changed", kind)
	}
	log[i].Value = value
	return log
}

// lastOf is the place of the last entry of a kind but those at the end of the log.
func lastOf(t *testing.T, log []kafka.Message, kind history.Kind) int {
	t.Helper()
	for i := len(log) - 2; i >= 0; i-- {
		if entryOf(t, log[i]).Kind == kind {
			return i
		}
	}
	t.Fatalf("no entry of kind %s", kind)
	return 0
}

// rechained gives each entry the SHA-256 of the one before, as somebody does who writes the whole history again.
func rechained(t *testing.T, log []kafka.Message) []kafka.Message {
	t.Helper()
	chain := history.NewChain(history.Head{}, history.Everything)
	for i := range log {
		value, _, err := chain.Next(entryOf(t, log[i]))
		if err != nil {
			t.Fatal(err)
		}
		log[i].Value = value
		if _, _, _, err := chain.Follow(int64(i), value); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// appended continues the chain with an entry like the last one of a kind.
func appended(t *testing.T, log []kafka.Message, kind history.Kind, change func(*history.Entry)) []kafka.Message {
	t.Helper()
	chain := history.NewChain(history.Head{}, history.Everything)
	var last history.Entry
	for i, m := range log {
		e, standing, _, err := chain.Follow(int64(i), m.Value)
		if err != nil || e == nil {
			t.Fatalf("standing %d, %v", standing, err)
		}
		if e.Kind == kind {
			last = *e
		}
	}
	if last.Kind == "" {
		t.Fatalf("no entry of kind %s", kind)
	}
	last.Term = chain.Head().Term
	change(&last)
	value, _, err := chain.Next(last)
	if err != nil {
		t.Fatal(err)
	}
	return append(log, kafka.Message{Key: log[0].Key, Value: value})
}

type tampering struct {
	name   string
	tamper func(t *testing.T, log []kafka.Message) []kafka.Message
}

// ofKind changes the last entry of a kind.
func ofKind(kind history.Kind, change func(*history.Entry)) func(*testing.T, []kafka.Message) []kafka.Message {
	return func(t *testing.T, log []kafka.Message) []kafka.Message {
		t.Helper()
		return changed(t, log, kind, change)
	}
}

func replaced(before, after string) func(*testing.T, []kafka.Message) []kafka.Message {
	return func(t *testing.T, log []kafka.Message) []kafka.Message {
		t.Helper()
		i := len(log) / 2
		value := strings.Replace(string(log[i].Value), before, after, 1)
		if value == string(log[i].Value) {
			t.Fatalf("no %q in %s", before, value)
		}
		log[i].Value = []byte(value)
		return log
	}
}

func added(kind history.Kind, change func(*history.Entry)) func(*testing.T, []kafka.Message) []kafka.Message {
	return func(t *testing.T, log []kafka.Message) []kafka.Message {
		t.Helper()
		return appended(t, log, kind, change)
	}
}

// harmful are tamperings that an audit finds, with keys and without.
func harmful() []tampering {
	without := func(from, to int) func(*testing.T, []kafka.Message) []kafka.Message {
		return func(_ *testing.T, log []kafka.Message) []kafka.Message {
			at := func(i int) int { return (i + len(log)) % len(log) }
			return slices.Delete(log, at(from), at(to-1)+1)
		}
	}
	then := func(first func(*testing.T, []kafka.Message) []kafka.Message) func(*testing.T, []kafka.Message) []kafka.Message {
		return func(t *testing.T, log []kafka.Message) []kafka.Message {
			t.Helper()
			return rechained(t, first(t, log))
		}
	}
	return []tampering{
		{"the time", ofKind(history.Publication, func(e *history.Entry) { e.Time = e.Time.Add(time.Hour) })},
		{"the actor", ofKind(history.Configuration, func(e *history.Entry) { e.Who.Actor = "maria" })},
		{"the reason", ofKind(history.Configuration, func(e *history.Entry) { e.Who.Reason = "because" })},
		{"the host", ofKind(history.Owned, func(e *history.Entry) { e.Who.Host = "elsewhere" })},
		{"the term before", ofKind(history.Owned, func(e *history.Entry) { e.Owner.Before = 7 })},
		{"the term", ofKind(history.Publication, func(e *history.Entry) { e.Term = 1 })},
		{"a higher term", ofKind(history.Publication, func(e *history.Entry) { e.Term = 9 })},
		{"the version", ofKind(history.Publication, func(e *history.Entry) { e.Publication.Version++ })},
		{"the weights", ofKind(history.Publication, func(e *history.Entry) { e.Publication.WeightsSHA256 = strings.Repeat("0", 64) })},
		{"a verdict", ofKind(history.Publication, func(e *history.Entry) { e.Publication.Constraints[0].Status = "violated?" })},
		{"tau", ofKind(history.Publication, func(e *history.Entry) { e.Publication.Constraints[0].Tau = 1 })},
		{"a changed key", ofKind(history.Configuration, func(e *history.Entry) { e.Configuration.Whole = json.RawMessage(`{"tau":0.05}`) })},
		{"the stable version", ofKind(history.Release, func(e *history.Entry) { e.Release.Reason = "promoted by maria" })},
		{"the configuration's hash", ofKind(history.Release, func(e *history.Entry) { e.ConfigSHA256 = "" })},
		{"the first is gone", without(0, 1)},
		{"one in the middle is gone", without(7, 8)},
		{"the last is gone", without(-1, 0)},
		{"the last three are gone", without(-3, 0)},
		{"all are gone", func(*testing.T, []kafka.Message) []kafka.Message { return nil }},
		{"two changed places", func(_ *testing.T, log []kafka.Message) []kafka.Message {
			log[5], log[6] = log[6], log[5]
			return log
		}},
		{"in the reverse order", func(_ *testing.T, log []kafka.Message) []kafka.Message {
			slices.Reverse(log)
			return log
		}},
		{"a space", replaced(`{`, `{ `)},
		{"a key twice", replaced(`"term":`, `"term":1,"term":`)},
		{"no entry at all", func(_ *testing.T, log []kafka.Message) []kafka.Message {
			log[len(log)/2].Value = []byte("{}")
			return log
		}},
		{"written again with another actor", then(ofKind(history.Configuration, func(e *history.Entry) { e.Who.Actor = "maria" }))},
		{"written again without one", then(without(4, 5))},
		{"an added publication", added(history.Publication, func(e *history.Entry) {
			e.Publication.Version += 150
			e.ID, e.Publication.Key = fmt.Sprintf("publication/%d/%d", e.Term, e.Publication.Version), modeltopic.DocumentKey("adult", modeltopic.Place{Term: e.Term, Version: e.Publication.Version})
		})},
		{"an added step", added(history.Release, func(e *history.Entry) {
			e.Release.Number, e.Release.Reason, e.Who.Actor = e.Release.Number+1, "promoted by maria", "maria"
			e.ID = fmt.Sprintf("release/%d/%d", e.Term, e.Release.Number)
		})},
		{"an added copy of a step", added(history.Release, func(e *history.Entry) { e.ID = "release/again" })},
		{"a step told otherwise", added(history.Release, func(e *history.Entry) { e.Release.Reason = "promoted by maria" })},
		{"an added version of before", added(history.Publication, func(e *history.Entry) { e.Publication.Version, e.ID = e.Publication.Version-1, "publication/again" })},
		{"an added owner", added(history.Owned, func(e *history.Entry) { e.Term, e.ID = e.Term+1, "owner/more" })},
		{"an added owner of the same term", added(history.Owned, func(e *history.Entry) { e.ID = "owner/again" })},
		{"an added reset", added(history.Owned, func(e *history.Entry) { e.Kind, e.Owner, e.ID = history.Reset, nil, "reset/again" })},
		{"an added configuration", added(history.Configuration, func(e *history.Entry) {
			e.ID, e.Configuration.Whole = "configuration/again", json.RawMessage(`{"stream":{"keep_versions":3},"tau":1}`)
		})},
	}
}

// TestEveryTamperingIsFound: whatever somebody does to the topic, without keys and with them, the audit is not whole, or names what is unsigned.
func TestEveryTamperingIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("reads in one goroutine: left out by -short")
	}
	for _, withKeys := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var signer *signature.Signer
			var verifier *signature.Verifier
			all := harmful()
			if withKeys {
				signer, verifier = keys(t)
				all = append(all, tampering{"an added loss", added(history.Publication, func(e *history.Entry) {
					e.Kind, e.Publication, e.ID = history.DataLoss, nil, "data_loss/x"
					e.Loss = &history.Loss{Topic: "people", Kind: "below-start", Offset: 5, Resume: 9, Lost: 4}
				})}, tampering{"an added alarm", added(history.Publication, func(e *history.Entry) {
					e.Kind, e.Publication, e.ID, e.Decisions = history.Decisions, nil, "decisions/x", &history.Judged{Number: 1, Change: "alarm"}
				})})
			}
			world, options := toTamper(t, signer, verifier)
			audit := func() *history.Audit {
				a, err := AuditHistory(t.Context(), world, testTopics, options.Job, history.Period{}, time.Hour, verifier)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			complete := logOf(world)
			if a := audit(); !a.Chain.Whole || len(a.Releases) < 2 || len(a.Owners) != 2 || len(a.Changes) != 1 || len(a.Signatures.Entries.Refused) != 0 ||
				a.Signatures.Entries.Before != 0 || withKeys != (a.Signatures.Entries.Signed == a.Chain.Entries) {
				t.Fatalf("before: %+v, %+v, %d steps", a.Chain, a.Signatures, len(a.Releases))
			}
			for _, one := range all {
				replaceHistory(world, one.tamper(t, slices.Clone(complete)))
				if a := audit(); a.Chain.Whole && len(a.Signatures.Entries.Refused) == 0 {
					t.Errorf("with keys %t, unnoticed: %s", withKeys, one.name)
				}
			}
			for _, one := range []tampering{
				{"an entry again", func(_ *testing.T, log []kafka.Message) []kafka.Message { return append(log, log[3], log[len(log)-1]) }},
				{"another job", func(_ *testing.T, log []kafka.Message) []kafka.Message {
					return slices.Insert(log, 4, kafka.Message{Key: []byte("other"), Value: log[2].Value})
				}},
			} {
				replaceHistory(world, one.tamper(t, slices.Clone(complete)))
				if a := audit(); !a.Chain.Whole || len(a.Signatures.Entries.Refused) != 0 || a.Chain.Entries != len(complete) {
					t.Errorf("with keys %t, %s does no harm: %+v, %+v", withKeys, one.name, a.Chain, a.Signatures.Entries)
				}
			}
		})
	}
}
