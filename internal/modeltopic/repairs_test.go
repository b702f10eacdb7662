package modeltopic

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestRepairsThatFailAreToldOf, whichever call of one fails, and the next one does what was left.
func TestRepairsThatFailAreToldOf(t *testing.T) {
	old := Place{1, 100}
	repair := func(p *Publisher) error { return p.Repair(t.Context()) }
	append1 := func(message kafka.Message) func(world *clustertest.Memory) {
		return func(world *clustertest.Memory) {
			if _, err := world.Append(t.Context(), "models", 0, message); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		damage func(world *clustertest.Memory)
		do     func(p *Publisher) error
	}{
		"a document is deleted":          {append1(kafka.Message{Key: []byte(DocumentKey("adult", old))}), repair},
		"a document is replaced":         {append1(Document("adult", old, "ab", []byte("[]"), nil)), repair},
		"the topic is made again":        {func(world *clustertest.Memory) { world.Again("models") }, repair},
		"latest is deleted":              {append1(kafka.Message{Key: []byte(AliasKey("adult", Latest))}), repair},
		"published beside a deleted one": {append1(kafka.Message{Key: []byte(DocumentKey("adult", old))}), func(p *Publisher) error { _, err := p.Publish(t.Context(), documented(t, 400), nil); return err }},
		"published to one that is new":   {func(world *clustertest.Memory) { world.Again("models") }, func(p *Publisher) error { _, err := p.Publish(t.Context(), documented(t, 400), nil); return err }},
	} {
		for n := 0; ; n++ {
			memory := clustertest.New(map[string]int{"models": 1})
			world := &failing{Cluster: memory, left: 1 << 30}
			p, err := Topic{Cluster: world, Name: "models", Job: "adult"}.Publish(t.Context(), Own{Term: 1, Keep: 3, Notify: func(Event) {}})
			if err != nil {
				t.Fatal(err)
			}
			stable := publish(t, p, 100, nil)
			publish(t, p, 200, nil)
			publish(t, p, 300, &Assignment{Aliases: map[string]Target{Stable: stable}, Kept: map[Place]bool{}})
			if err := p.Repair(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.damage(memory)
			world.left = n
			err = c.do(p)
			failed := world.left < 0
			if failed != errors.Is(err, errAway) {
				t.Errorf("%s, call %d fails: %v", name, n+1, err)
			}
			world.left = 1 << 30
			for range 2 {
				if err := c.do(p); err != nil {
					t.Errorf("%s, after call %d failed: %v", name, n+1, err)
				}
			}
			models, versions := modelsOf(t, memory, nil)
			if at := models.ByAlias(Stable); at == nil || at.Version != 100 || models.ByAlias(Latest) == nil || !slices.Contains(versions, 300) {
				t.Errorf("%s, after call %d failed: versions %v, aliases %v", name, n+1, versions, models.Aliases)
			}
			if !failed {
				break
			}
		}
	}
}

// TestWhatIsToldOfATopicMadeAgain: what was written again, and what this process does not have.
func TestWhatIsToldOfATopicMadeAgain(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	var told []Event
	p := publisher(t, world, Own{Term: 1, Notify: func(e Event) { told = append(told, e) }}, nil)
	stable := publish(t, p, 100, nil)
	publish(t, p, 200, nil)
	publish(t, p, 300, &Assignment{Aliases: map[string]Target{Stable: stable}, Kept: map[Place]bool{}})
	if err := p.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	told = nil
	for range 2 {
		if err := p.Look(t.Context()); err != nil || len(told) != 0 {
			t.Errorf("nothing happened, and %+v is told, %v", told, err)
		}
	}
	world.Again("models")
	if err := p.Look(t.Context()); err != nil || !slices.Equal(told, []Event{Remade{Topic: "models", Documents: 2, Aliases: 2, Missing: 1}}) {
		t.Errorf("%+v, %v", told, err)
	}
}

// TestADocumentThatIsTooLarge says which settings make smaller ones.
func TestADocumentThatIsTooLarge(t *testing.T) {
	const tooLarge, notLeader = 10, 6
	for cause, advised := range map[error]bool{wire.Code(tooLarge): true, wire.Code(notLeader): false} {
		world := clustertest.New(map[string]int{"models": 1})
		p := publisher(t, world, Own{Term: 1}, nil)
		world.Inject = func(operation string) clustertest.Fault {
			if strings.HasPrefix(operation, "append") {
				return clustertest.Fault{Err: &kafka.Error{Operation: "append", Topic: "models", Class: kafka.Fatal, Err: cause}}
			}
			return clustertest.Fault{}
		}
		unfit := documented(t, 100)
		unfit.Model = []byte("{")
		if size, err := p.Publish(t.Context(), unfit, nil); err == nil || size != 0 || !strings.HasPrefix(err.Error(), "modeltopic: the weight document: ") {
			t.Errorf("a document that cannot be written: %d bytes, %v", size, err)
		}
		_, err := p.Publish(t.Context(), documented(t, 100), nil)
		if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "the weights could not be published: ") || strings.Contains(err.Error(), "learner.vocabulary.levels") != advised {
			t.Errorf("%v", err)
		}
	}
}

// TestHeadersOfModels are numbers in digits, and a document is one of its job and place alone.
func TestHeadersOfModels(t *testing.T) {
	message := MoveAlias("adult", Stable, 10, Target{Place: Place{11, 12}, SHA256: "ab"}, nil)
	has := map[string]string{}
	for _, h := range message.Headers {
		has[h.Key] = string(h.Value)
	}
	for key, want := range map[string]string{HeaderOwnerTerm: "10", HeaderTerm: "11", HeaderVersion: "12", HeaderSHA256: "ab", HeaderJob: "adult"} {
		if has[key] != want {
			t.Errorf("%s is %q, want %q", key, has[key], want)
		}
	}
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 1}, nil)
	at := publish(t, p, 100, nil).Place
	value := world.LastUnder("models", DocumentKey("adult", at)).Value
	for name, c := range map[string]struct {
		job   string
		at    Place
		value []byte
		is    bool
	}{
		"it": {"adult", at, value, true}, "of another job": {"loans", at, value, false}, "of another version": {"adult", Place{1, 200}, value, false}, "of another term": {"adult", Place{2, 100}, value, false}, "nothing": {"adult", at, nil, false},
	} {
		if isDocument(c.job, c.at, c.value) != c.is {
			t.Errorf("%s: %v", name, !c.is)
		}
	}
	if err := (&Publisher{}).Look(t.Context()); err != nil {
		t.Errorf("without a topic: %v", err)
	}
}
