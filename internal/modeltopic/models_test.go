package modeltopic

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/signature"
)

// TestKeys: what a key stands for, up to the largest term and version.
func TestKeys(t *testing.T) {
	for key, want := range map[string]struct {
		kind Kind
		at   Place
		name string
	}{
		"adult/stable": {IsAlias, Place{}, "stable"}, "adult/": {IsAlias, Place{}, ""}, "adult": {Foreign, Place{}, ""}, "adult2/stable": {Foreign, Place{}, ""},
		"adult/v/1/300": {IsDocument, Place{1, 300}, ""}, "adult/v/0/0": {IsDocument, Place{}, ""},
		fmt.Sprintf("adult/v/%d/%d", MostTerm, MostTerm): {IsDocument, Place{MostTerm, MostTerm}, ""},
		fmt.Sprintf("adult/v/%d/1", MostTerm+1):          {Unreadable, Place{}, ""}, fmt.Sprintf("adult/v/1/%d", MostTerm+1): {Unreadable, Place{}, ""},
		"adult/v/-1/1": {Unreadable, Place{}, ""}, "adult/v/1/-1": {Unreadable, Place{}, ""}, "adult/v/1/x": {Unreadable, Place{}, ""}, "adult/v/x/1": {Unreadable, Place{}, ""},
		"adult/v/300": {OldFormat, Place{}, ""}, "adult/w/300": {Unknown, Place{}, ""}, "adult/v/1/2/3": {Unknown, Place{}, ""}, "adult/w/1/2": {Unknown, Place{}, ""},
	} {
		if kind, at, name := ParseKey("adult", []byte(key)); kind != want.kind || at != want.at || name != want.name {
			t.Errorf("%s: %v %v %q", key, kind, at, name)
		}
	}
	if got := DocumentKey("adult", Place{2, 300}); got != "adult/v/2/300" || AliasKey("adult", "stable") != "adult/stable" {
		t.Error(got)
	}
	for _, c := range []struct {
		p, q Place
		want int
	}{{Place{1, 2}, Place{1, 2}, 0}, {Place{1, 3}, Place{1, 2}, 1}, {Place{1, 9}, Place{2, 2}, -1}} {
		if got := c.p.Compare(c.q); got != c.want {
			t.Errorf("%v and %v: %d", c.p, c.q, got)
		}
	}
}

// TestAliasesAreParsed: a place that can be, and the key of that place.
func TestAliasesAreParsed(t *testing.T) {
	for text, want := range map[string]bool{
		`{"term":1,"version":2,"key":"adult/v/1/2"}`:                               true,
		`{"term":1,"version":2,"key":"adult/v/1/3"}`:                               false,
		`{"term":1,"version":2,"key":"other/v/1/2"}`:                               false,
		`{"term":-1,"version":2,"key":"adult/v/-1/2"}`:                             false,
		`{"term":1,"version":2,"key":"adult/v/1/2","owner_term":-1}`:               false,
		`{"term":1,"version":2,"key":"adult/v/1/2","owner_term":1125899906842624}`: true,
		`{"term":1,"version":2,"key":"adult/v/1/2","owner_term":1125899906842625}`: false,
		`{"term":1125899906842625,"version":2,"key":"adult/v/1125899906842625/2"}`: false,
		`[]`: false,
	} {
		if a, err := ParseAlias("adult", []byte(text)); (err == nil) != want || want && (a.Term != 1 || a.Version != 2) {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
	if Seconds(time.Time{}) != (time.Time{}) || !Seconds(time.UnixMilli(1999)).Equal(time.Unix(1, 0)) {
		t.Error("seconds")
	}
}

// TestWhoMovedAnAlias: the value says it; of an older program the header, which no signature covers; else the document's owner.
func TestWhoMovedAnAlias(t *testing.T) {
	header := func(value string) []kafka.Header { return []kafka.Header{{Key: HeaderOwnerTerm, Value: []byte(value)}} }
	verifier := &signature.Verifier{}
	for i, c := range []struct {
		verifier *signature.Verifier
		headers  []kafka.Header
		alias    Alias
		want     int64
	}{
		{nil, header("9"), Alias{Term: 2, OwnerTerm: 5}, 5}, {nil, header("9"), Alias{Term: 2, OwnerTerm: 1}, 1}, {nil, header("9"), Alias{Term: 2}, 9}, {verifier, header("9"), Alias{Term: 2}, 2}, {nil, header("x"), Alias{Term: 2}, 2}, {nil, nil, Alias{Term: 2}, 2},
		{nil, header(fmt.Sprint(MostTerm)), Alias{Term: 2}, MostTerm}, {nil, header(fmt.Sprint(MostTerm + 1)), Alias{Term: 2}, 2},
	} {
		if got := owner(c.verifier, c.headers, c.alias); got != c.want {
			t.Errorf("%d: %d, want %d", i, got, c.want)
		}
	}
	if got := Header([]kafka.Header{{Key: "a", Value: []byte("1")}, {Key: "a", Value: []byte("2")}, {Key: "b", Value: []byte("3")}}, "a"); string(got) != "2" {
		t.Errorf("%q", got)
	}
}

// TestWhatACommandFinds on the topic: by place, by version, by alias, and which aliases point to a document.
func TestWhatACommandFinds(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	if empty, _ := modelsOf(t, world, nil); empty.Newest() != nil || empty.Find(0, 100) != nil || empty.ByAlias(Latest) != nil || empty.ByAlias(Stable) != nil {
		t.Errorf("%+v", empty)
	}
	publish(t, publisher(t, world, Own{Term: 1, Keep: 10}, nil), 100, nil)
	p := publisher(t, world, Own{Term: 2, Keep: 10}, nil)
	stable := publish(t, p, 100, nil)
	stable.UnwatchedSince = time.Unix(7, 0).UTC()
	publish(t, p, 200, &Assignment{Aliases: map[string]Target{Stable: stable, "other": {Place: stable.Place, SHA256: "ab"}, Candidate: {Place: Place{9, 9}, SHA256: "ab"}}})
	m, versions := modelsOf(t, world, nil)
	if !slices.Equal(versions, []int64{100, 100, 200}) || m.Newest().Version != 200 {
		t.Fatalf("%v", versions)
	}
	for _, c := range []struct {
		found *Model
		want  Place
	}{
		{m.Find(0, 100), Place{2, 100}}, {m.Find(1, 100), Place{1, 100}}, {m.Find(2, 100), Place{2, 100}}, {m.Find(0, 200), Place{2, 200}}, {m.Find(1, 200), Place{}}, {m.Find(0, 300), Place{}},
		{m.ByAlias(Latest), Place{2, 200}}, {m.ByAlias(Stable), Place{2, 100}}, {m.ByAlias("other"), Place{}}, {m.ByAlias(Candidate), Place{}}, {m.ByAlias("none"), Place{}},
	} {
		if c.found == nil && c.want != (Place{}) || c.found != nil && c.found.Place() != c.want {
			t.Errorf("%+v, want %v", c.found, c.want)
		}
	}
	if got := m.AliasesOf(m.Find(2, 100)); !slices.Equal(got, []string{"other", "stable"}) {
		t.Errorf("%q", got)
	}
	if got := m.AliasesOf(m.Newest()); !slices.Equal(got, []string{Latest}) || len(m.AliasesOf(m.Find(1, 100))) > 0 {
		t.Errorf("%q", got)
	}
	if !m.UnwatchedSince(m.Find(2, 100)).Equal(stable.UnwatchedSince) || !m.UnwatchedSince(m.Find(2, 200)).IsZero() {
		t.Errorf("%v", m.UnwatchedSince(m.Find(2, 100)))
	}
	if d, err := m.Newest().Document(); err != nil || d.Version != 200 || d.WeightsSHA256 != m.Newest().WeightsSHA256 {
		t.Errorf("%+v, %v", d, err)
	}
	if none, err := (Topic{Cluster: world, Job: "adult"}).Models(t.Context()); err != nil || len(none.Versions) > 0 {
		t.Errorf("%+v, %v", none, err)
	}
	if _, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: []byte("adult/v/300"), Value: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if _, err := topicOf(world, nil).Models(t.Context()); err == nil || !strings.Contains(err.Error(), "an older format for job adult, at offset ") {
		t.Error(err)
	}
	if _, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: []byte("adult/v/300")}); err != nil {
		t.Fatal(err)
	}
	if _, err := topicOf(world, nil).Models(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestWhatAReaderKnows: aliases, documents and the highest term, as they are on the topic.
func TestWhatAReaderKnows(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 4}, nil)
	first := publish(t, p, 100, nil)
	r := topicOf(world, nil).Open()
	look := func() {
		t.Helper()
		if err := r.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look()
	if d, err := r.Document(t.Context(), first.Place); err != nil || d == nil || d.Version != 100 || r.Highest() != 4 || r.Latest() != 100 {
		t.Errorf("%+v, %v, highest term %d", d, err, r.Highest())
	}
	if d, err := r.Document(t.Context(), Place{4, 101}); err != nil || d != nil {
		t.Errorf("%+v, %v", d, err)
	}
	if alias, there := r.Alias(Latest); !there || alias.Place() != first.Place || alias.OwnerTerm != 0 {
		t.Errorf("%+v, %v", alias, there)
	}
	if _, there := r.Alias(Stable); there {
		t.Error("an alias that nobody moved")
	}
	for _, c := range []struct {
		owner, term, want int64
	}{{6, 1, 6}, {1, 8, 8}} {
		message := MoveAlias("adult", fmt.Sprint("of", c.term), c.owner, Target{Place: Place{c.term, 1}}, nil)
		_, err := world.Append(t.Context(), "models", 0, message)
		if err != nil {
			t.Fatal(err)
		}
		if look(); r.Highest() != c.want {
			t.Errorf("an owner of term %d moved an alias to a document of term %d: the highest is %d", c.owner, c.term, r.Highest())
		}
	}
	if _, err := world.Append(t.Context(), "models", 0, Document("adult", Place{9, 1}, "ab", []byte("["), nil), Document("adult", Place{9, 2}, "ab", []byte("{}"), nil)); err != nil {
		t.Fatal(err)
	}
	look()
	world.Clean("models")
	if d, err := r.Document(t.Context(), Place{9, 1}); err != nil || d != nil || r.Highest() != 9 {
		t.Errorf("a document that cannot be read: %+v, %v; highest term %d", d, err, r.Highest())
	}
	world.Inject = func(operation string) clustertest.Fault {
		if strings.HasPrefix(operation, "read ") {
			return clustertest.Fault{Err: clustertest.ErrFatal}
		}
		return clustertest.Fault{}
	}
	if _, err := r.Document(t.Context(), first.Place); !errors.Is(err, clustertest.ErrInjected) {
		t.Error(err)
	}
	for _, operation := range []string{"describe", "bounds", "read"} {
		world.Inject = func(o string) clustertest.Fault {
			if strings.HasPrefix(o, operation) {
				return clustertest.Fault{Err: clustertest.ErrFatal}
			}
			return clustertest.Fault{}
		}
		if err := topicOf(world, nil).Open().Look(t.Context()); !errors.Is(err, clustertest.ErrInjected) {
			t.Errorf("%s fails: %v", operation, err)
		}
	}
	if err := (Topic{Cluster: world}).Open().Look(t.Context()); err != nil {
		t.Errorf("without a topic: %v", err)
	}
}

// TestADocumentIsWrittenAgain, deleted or overwritten, if an alias points to it or releases need it; others are left.
func TestADocumentIsWrittenAgain(t *testing.T) {
	for name, write := range map[string]func(p Place) kafka.Message{
		"deleted":  func(p Place) kafka.Message { return kafka.Message{Key: []byte(DocumentKey("adult", p))} },
		"replaced": func(p Place) kafka.Message { return Document("adult", p, "ab", []byte("[]"), nil) },
	} {
		for _, needed := range []string{"by an alias", "by releases", "by nobody"} {
			world := clustertest.New(map[string]int{"models": 1})
			var told []Event
			p := publisher(t, world, Own{Term: 1, Keep: 10, Notify: func(e Event) { told = append(told, e) }}, nil)
			old := publish(t, p, 100, nil)
			publish(t, p, 200, nil)
			a := &Assignment{Aliases: map[string]Target{}}
			switch needed {
			case "by an alias":
				a.Aliases[Stable] = old
			case "by releases":
				a.Kept = map[Place]bool{old.Place: true}
			}
			if err := p.Assign(t.Context(), a); err != nil {
				t.Fatal(err)
			}
			before := world.LastUnder("models", DocumentKey("adult", old.Place))
			if _, err := world.Append(t.Context(), "models", 0, write(old.Place)); err != nil {
				t.Fatal(err)
			}
			told = nil
			for range 2 {
				if err := p.Repair(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			after := world.LastUnder("models", DocumentKey("adult", old.Place))
			if restored := string(after.Value) == string(before.Value); restored != (needed != "by nobody") {
				t.Errorf("%s, needed %s: written again: %v", name, needed, restored)
			}
			want := []Event{DocumentRestored{Version: 100, Term: 1}}
			switch needed {
			case "by an alias":
				want[0] = DocumentRestored{Alias: Stable, Version: 100, Term: 1}
			case "by nobody":
				want = nil
			}
			if !slices.Equal(told, want) {
				t.Errorf("%s, needed %s: told %+v", name, needed, told)
			}
		}
	}
}

// TestTheNextOwnerWritesADocumentAgain that an alias points to, deleted or replaced before it started: as it was, though another record follows it.
func TestTheNextOwnerWritesADocumentAgain(t *testing.T) {
	for name, value := range map[string][]byte{"deleted": nil, "replaced": []byte("[]")} {
		world := clustertest.New(map[string]int{"models": 1})
		p := publisher(t, world, Own{Term: 1, Keep: 10}, nil)
		old := publish(t, p, 1, nil)
		records := world.Topics["models"].Partitions[0].Records
		before := string(world.LastUnder("models", DocumentKey("adult", old.Place)).Value)
		alias := records[len(records)-1]
		world.Topics["models"].Partitions[0].Records = records[:1] // the document alone, so that what replaces it follows it
		if _, err := world.Append(t.Context(), "models", 0, kafka.Message{Key: []byte(DocumentKey("adult", old.Place)), Value: value}, alias,
			MoveAlias("adult", Stable, 1, old, nil)); err != nil {
			t.Fatal(err)
		}
		if value == nil { // an alias pointed to it before it was deleted
			if _, err := world.Append(t.Context(), "models", 0, Document("adult", old.Place, old.SHA256, []byte(before), nil), kafka.Message{Key: []byte(DocumentKey("adult", old.Place))}); err != nil {
				t.Fatal(err)
			}
		}
		var told []Event
		next := publisher(t, world, Own{Term: 2, Notify: func(e Event) { told = append(told, e) }}, nil)
		if err := next.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := string(world.LastUnder("models", DocumentKey("adult", old.Place)).Value); after != before || !slices.Contains(told, Event(DocumentRestored{Alias: Stable, Version: 1, Term: 1})) {
			t.Errorf("%s: %.40s, told %+v", name, after, told)
		}
	}
}

// TestAnAliasWithoutADocument is told once.
func TestAnAliasWithoutADocument(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	var told []Event
	p := publisher(t, world, Own{Term: 1, Notify: func(e Event) { told = append(told, e) }}, nil)
	message := MoveAlias("adult", "mine", 1, Target{Place: Place{1, 7}}, nil)
	_, err := world.Append(t.Context(), "models", 0, message)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := p.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(told, []Event{AliasWithoutDocument{Alias: "mine", Version: 7, Term: 1}}) {
		t.Errorf("%+v", told)
	}
}

// TestAnOwnerIsOutranked by an alias that a later owner moved: told once for each higher term, and nothing is moved that readers would refuse.
func TestAnOwnerIsOutranked(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	var told []Event
	p := publisher(t, world, Own{Term: 3, Notify: func(e Event) { told = append(told, e) }}, nil)
	stable := publish(t, p, 100, nil)
	if err := p.Assign(t.Context(), &Assignment{Aliases: map[string]Target{Stable: stable}}); err != nil {
		t.Fatal(err)
	}
	told = nil
	if p.TellOutranked(); len(told) > 0 {
		t.Errorf("%+v", told)
	}
	for _, later := range []int64{5, 4, 5, 6} {
		message := MoveAlias("adult", Stable, later, Target{Place: Place{2, 50}}, nil)
		_, err := world.Append(t.Context(), "models", 0, message)
		if err == nil {
			err = p.Repair(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		p.TellOutranked()
		p.TellOutranked()
	}
	told = slices.DeleteFunc(told, func(e Event) bool { _, is := e.(Outranked); return !is })
	if !slices.Equal(told, []Event{Outranked{Term: 5, Own: 3}, Outranked{Term: 6, Own: 3}}) {
		t.Errorf("%+v", told)
	}
	if a, _ := p.Alias(Stable); a.Version != 50 {
		t.Errorf("%+v", a)
	}
	if p.Claim(7); p.Term() != 7 {
		t.Error(p.Term())
	}
	if err := p.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a, _ := p.Alias(Stable); a.Place() != stable.Place {
		t.Errorf("%+v", a)
	}
}

// TestAForgedTermIsDeleted: no owner can have it, and readers who are none may believe it.
func TestAForgedTermIsDeleted(t *testing.T) {
	world := clustertest.New(map[string]int{"models": 1})
	p := publisher(t, world, Own{Term: 3}, nil)
	stable := publish(t, p, 100, nil)
	if err := p.Assign(t.Context(), &Assignment{Aliases: map[string]Target{Stable: stable}}); err != nil {
		t.Fatal(err)
	}
	forged := MoveAlias("adult", Stable, MostTerm, Target{Place: Place{MostTerm, 1}, SHA256: "ab"}, nil)
	_, err := world.Append(t.Context(), "models", 0, forged, Document("adult", Place{MostTerm, 1}, "ab", []byte("{}"), nil))
	if err == nil {
		err = p.Repair(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	m, versions := modelsOf(t, world, nil)
	if !slices.Equal(versions, []int64{100}) || m.Aliases[Stable].Place() != stable.Place || len(m.Refused) > 0 {
		t.Errorf("%v, %+v, %+v", versions, m.Aliases, m.Refused)
	}
	if last := world.LastUnder("models", DocumentKey("adult", Place{MostTerm, 1})); last.Value != nil {
		t.Errorf("%s", last.Value)
	}
}

// TestAnAssignmentIsNews if the topic does not follow it yet as to who watches.
func TestAnAssignmentIsNews(t *testing.T) {
	p := publisher(t, clustertest.New(map[string]int{"models": 1}), Own{Term: 1}, nil)
	watched, unwatched := &Assignment{}, &Assignment{UnwatchedSince: time.Unix(5, 0)}
	if p.IsNews(nil) || !p.IsNews(watched) {
		t.Error("before there is one")
	}
	if err := p.Assign(t.Context(), watched); err != nil {
		t.Fatal(err)
	}
	if p.IsNews(watched) || p.IsNews(&Assignment{Kept: map[Place]bool{{}: true}}) || !p.IsNews(unwatched) || p.IsNews(nil) {
		t.Error("behind another one")
	}
}

// TestOldDocumentsAreDeleted with a publication, as many as are beyond the newest that are kept; the same version again is one of them.
func TestOldDocumentsAreDeleted(t *testing.T) {
	for keep, want := range map[int][]int64{1: {400}, 2: {300, 400}, 3: {200, 300, 400}, 9: {100, 200, 300, 400}} {
		world := clustertest.New(map[string]int{"models": 1})
		p := publisher(t, world, Own{Term: 1, Keep: keep}, nil)
		for _, version := range []int64{100, 200, 300, 400, 400} {
			publish(t, p, version, nil)
		}
		if _, versions := modelsOf(t, world, nil); !slices.Equal(versions, want) {
			t.Errorf("keeping %d: %v, want %v", keep, versions, want)
		}
	}
}

// TestSignaturesOfTheTopic: documents and aliases have one, and a deletion needs none.
func TestSignaturesOfTheTopic(t *testing.T) {
	signer, verifier := keyPair(t)
	signed := Document("adult", Place{1, 2}, "ab", []byte("{}"), signer)
	unsigned := Document("adult", Place{1, 2}, "ab", []byte("{}"), nil)
	deleted := kafka.Message{Key: signed.Key}
	for i, c := range []struct {
		message  kafka.Message
		verifier *signature.Verifier
		good     bool
	}{{signed, verifier, true}, {unsigned, verifier, false}, {unsigned, nil, true}, {deleted, verifier, true}} {
		r := kafkatest.Record(0, &c.message)
		if err := Verify(c.verifier, &r); (err == nil) != c.good {
			t.Errorf("%d: %v", i, err)
		}
	}
	found := map[string]string{}
	for _, h := range signed.Headers {
		found[h.Key] = string(h.Value)
	}
	if found[HeaderJob] != "adult" || found[HeaderTerm] != "1" || found[HeaderVersion] != "2" || found[HeaderSHA256] != "ab" || found["ce_id"] != "adult/v/1/2" || found["ce_type"] != DocumentEvent {
		t.Errorf("%v", found)
	}
}
