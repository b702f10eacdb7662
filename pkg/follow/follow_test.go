package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/signature"
)

// log is a compacted topic without a network.
type log struct {
	mutex   sync.Mutex
	records []kafka.Message // a nil key: removed by the cleaner
	changed chan struct{}
	fail    error // of the next read
}

func newLog() *log { return &log{changed: make(chan struct{})} }

func (l *log) put(messages ...kafka.Message) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.records = append(l.records, messages...)
	close(l.changed)
	l.changed = make(chan struct{})
}

// compact removes all but the last record of each key.
func (l *log) compact() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	last := map[string]int{}
	for i := range l.records {
		last[string(l.records[i].Key)] = i
	}
	for i := range l.records {
		if last[string(l.records[i].Key)] != i || l.records[i].Value == nil {
			l.records[i] = kafka.Message{}
		}
	}
}

// break_ ends the present reads with an error.
func (l *log) breakWith(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.fail = err
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *log) Read(ctx context.Context, _ string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if partition != 0 {
		return from, fmt.Errorf("a model topic has no partition %d", partition)
	}
	l.mutex.Lock()
	if from == kafka.Earliest {
		from = 0
	}
	if to == kafka.End {
		to = int64(len(l.records))
	}
	for from < to {
		if err := l.fail; err != nil {
			l.fail = nil
			l.mutex.Unlock()
			return from, err
		}
		if from < int64(len(l.records)) {
			message := l.records[from]
			l.mutex.Unlock()
			if message.Key != nil {
				r := kafkatest.Record(from, &message)
				if err := use(&r); err != nil {
					return from, err
				}
			}
			from++
			l.mutex.Lock()
			continue
		}
		changed := l.changed
		l.mutex.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return from, ctx.Err()
		}
		l.mutex.Lock()
	}
	l.mutex.Unlock()
	return from, nil
}

// published is a document and the alias latest, as run writes them.
func published(t testing.TB, at modeltopic.Place, signer *signature.Signer) []kafka.Message {
	t.Helper()
	value, sum := encoded(t, "adult", at, float64(at.Version))
	alias := modeltopic.MoveAlias("adult", LatestAlias, at.Term, modeltopic.Target{Place: at, SHA256: sum}, signer)
	return []kafka.Message{modeltopic.Document("adult", at, sum, value, signer), alias}
}

func encoded(t testing.TB, job string, at modeltopic.Place, intercept float64) (value []byte, sum string) {
	t.Helper()
	encoder, err := features.NewFrozen(features.Parts{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, encoder.Size())
	weights[features.Intercept] = intercept
	d, err := document.New(document.Classification, encoder.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	d.Job, d.Version, d.Lineage.Term = job, at.Version, at.Term
	if d.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"income","positive":">50K"}}}`)); err != nil {
		t.Fatal(err)
	}
	if value, err = d.Encode(); err != nil {
		t.Fatal(err)
	}
	return value, d.WeightsSHA256
}

func moved(t testing.TB, name string, owner int64, at modeltopic.Place, signer *signature.Signer) kafka.Message {
	t.Helper()
	_, sum := encoded(t, "adult", at, float64(at.Version))
	message := modeltopic.MoveAlias("adult", name, owner, modeltopic.Target{Place: at, SHA256: sum}, signer)
	return message
}

// told collects events.
type told struct {
	mutex    sync.Mutex
	swaps    []Swapped
	refused  []Refused
	waiting  []Waiting
	outages  []Outage
	withheld []Withheld
}

func (c *told) add(e Event) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch e := e.(type) {
	case Swapped: // without its document, which would stay in memory
		c.swaps = append(c.swaps, Swapped{Model: &Model{Term: e.Model.Term, Version: e.Model.Version, Alias: e.Model.Alias}})
	case Refused:
		c.refused = append(c.refused, e)
	case Waiting:
		c.waiting = append(c.waiting, e)
	case Withheld:
		c.withheld = append(c.withheld, e)
	case Outage:
		c.outages = append(c.outages, e)
	}
}

func (c *told) places() (all []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, s := range c.swaps {
		all = append(all, fmt.Sprintf("%s %d/%d", s.Model.Alias, s.Model.Term, s.Model.Version))
	}
	return all
}

func (c *told) refusals() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.refused)
}

func (c *told) reasons() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.withheld)
}

// following opens a follower of a log.
func following(t testing.TB, l *log, o Options) (*Follower, *told) {
	t.Helper()
	var c told
	o.Topic, o.Job, o.Notify = "people.models", "adult", c.add
	f, err := open(l, o, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, &c
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func (f *Follower) is(at modeltopic.Place) func() bool {
	return func() bool { m := f.Current(); return m != nil && m.Term == at.Term && m.Version == at.Version }
}

// TestNeverBack: late publications of an earlier owner change nothing, neither while they arrive nor after compaction.
func TestNeverBack(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{Alias: LatestAlias})
	if f.Current() != nil {
		t.Fatal("a model before the first one")
	}
	for _, at := range []modeltopic.Place{{Term: 1, Version: 100}, {Term: 1, Version: 200}, {Term: 2, Version: 150}} {
		l.put(published(t, at, nil)...)
		eventually(t, "the swap", f.is(at))
	}
	l.put(published(t, modeltopic.Place{Term: 1, Version: 300}, nil)...)
	l.put(published(t, modeltopic.Place{Term: 2, Version: 160}, nil)...)
	eventually(t, "the swap", f.is(modeltopic.Place{Term: 2, Version: 160}))
	eventually(t, "the news", func() bool { return len(c.places()) >= 4 }) // a swap is told after it is made
	if got := c.places(); !slices.Equal(got, []string{"latest 1/100", "latest 1/200", "latest 2/150", "latest 2/160"}) {
		t.Errorf("swapped to %q", got)
	}
	l.put(published(t, modeltopic.Place{Term: 1, Version: 400}, nil)...) // the only alias after compaction
	l.compact()
	again, c := following(t, l, Options{Alias: LatestAlias})
	if m, err := again.Wait(t.Context()); err != nil || !again.is(modeltopic.Place{Term: 2, Version: 160})() {
		t.Errorf("after compaction %+v, %v", m, err)
	}
	eventually(t, "the news", func() bool { return len(c.places()) >= 1 })
	if got := c.places(); len(got) != 1 {
		t.Errorf("used on the way: %q", got)
	}
}

// TestStable: latest until stable appears; a withdrawal to an earlier version counts, a late move by an earlier owner
// does not; a document that comes after its alias is waited for.
func TestStable(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{})
	p := func(term, version int64) modeltopic.Place { return modeltopic.Place{Term: term, Version: version} }
	for _, at := range []modeltopic.Place{p(1, 100), p(1, 200), p(2, 300)} {
		l.put(published(t, at, nil)...)
	}
	eventually(t, "latest", f.is(p(2, 300)))
	l.put(moved(t, StableAlias, 2, p(1, 200), nil))
	eventually(t, "stable", f.is(p(1, 200)))
	l.put(published(t, p(2, 400), nil)...)
	l.put(moved(t, StableAlias, 3, p(2, 400), nil))
	eventually(t, "the promotion", f.is(p(2, 400)))
	l.put(moved(t, StableAlias, 3, p(1, 100), nil))
	eventually(t, "the withdrawal", f.is(p(1, 100)))
	l.put(moved(t, StableAlias, 2, p(2, 300), nil)) // late
	l.put(moved(t, StableAlias, 4, p(4, 500), nil)) // before its document
	eventually(t, "waiting", func() bool { c.mutex.Lock(); defer c.mutex.Unlock(); return len(c.waiting) == 1 })
	if !f.is(p(1, 100))() {
		t.Error("the last good one is not in use")
	}
	l.put(published(t, p(4, 500), nil)...)
	eventually(t, "the document", f.is(p(4, 500)))
	if len(c.refused) != 1 {
		t.Errorf("refused %+v", c.refused)
	}
	l.put(kafka.Message{Key: []byte("adult/stable")}, kafka.Message{Key: []byte("adult/v/4/500")}) // deleted
	l.put(published(t, p(4, 600), nil)...)
	time.Sleep(20 * time.Millisecond)
	if !f.is(p(4, 500))() {
		t.Errorf("after the deletion %+v", f.Current())
	}
}

// TestForget: a follower that forgets uses nothing while its alias is deleted, and the next document when it is back. It knows when it has read the topic.
func TestForget(t *testing.T) {
	l := newLog()
	p := modeltopic.Place{Term: 1, Version: 100}
	l.put(published(t, p, nil)...)
	forgets, _ := following(t, l, Options{Alias: "candidate", Forget: true})
	keeps, _ := following(t, l, Options{Alias: "candidate"})
	for _, f := range []*Follower{forgets, keeps} {
		if err := f.WaitRead(t.Context()); err != nil || f.Current() != nil {
			t.Fatalf("%v, %+v", err, f.Current())
		}
	}
	for range 2 {
		l.put(moved(t, "candidate", 1, p, nil))
		eventually(t, "the candidate", forgets.is(p))
		eventually(t, "the candidate", keeps.is(p))
		l.put(kafka.Message{Key: []byte("adult/candidate")})
		eventually(t, "nothing", func() bool { return forgets.Current() == nil })
	}
	l.put(published(t, modeltopic.Place{Term: 1, Version: 200}, nil)...)
	if !keeps.is(p)() {
		t.Errorf("%+v", keeps.Current())
	}
	waited := make(chan *Model)
	go func() {
		m, _ := forgets.Wait(context.Background())
		waited <- m
	}()
	bounded, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if m, err := forgets.Wait(bounded); m != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while there is none: %+v, %v", m, err)
	}
	l.put(moved(t, "candidate", 1, modeltopic.Place{Term: 1, Version: 200}, nil))
	if m := <-waited; m == nil || m.Version != 200 {
		t.Errorf("the next one is %+v", m)
	}
}

// TestAReplayedMoveOutranksNobody: the signature covers the value, so the term of the owner in the header does not count.
func TestAReplayedMoveOutranksNobody(t *testing.T) {
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	l := newLog()
	f, c := following(t, l, Options{Alias: StableAlias, PublicKeys: []string{public}})
	p := func(version int64) modeltopic.Place { return modeltopic.Place{Term: 1, Version: version} }
	for _, at := range []modeltopic.Place{p(100), p(200), p(300)} {
		l.put(published(t, at, signer)...)
	}
	old := moved(t, StableAlias, 1, p(100), signer)
	l.put(old, moved(t, StableAlias, 2, p(200), signer))
	eventually(t, "the second", f.is(p(200)))
	for i := range old.Headers {
		if old.Headers[i].Key == modeltopic.HeaderOwnerTerm {
			old.Headers[i].Value = []byte("1000")
		}
	}
	l.put(old)
	eventually(t, "refused", func() bool { return c.refusals() == 1 })
	l.put(moved(t, StableAlias, 2, p(300), signer))
	eventually(t, "the third", f.is(p(300)))
}

// TestForged: whatever is wrong with a document or an alias, it is refused and told, and the last good one stays.
func TestForged(t *testing.T) {
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	stranger, _, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	other, err := signature.NewSigner(stranger)
	if err != nil {
		t.Fatal(err)
	}
	first, next := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	good := func() []kafka.Message { return published(t, next, signer) }
	altered := func(messages []kafka.Message, i int, value []byte) []kafka.Message {
		messages[i].Value = value
		return messages
	}
	wrongJob, sum := encoded(t, "other", next, 200)
	wrongVersion, _ := encoded(t, "adult", modeltopic.Place{Term: 1, Version: 201}, 200)
	value := good()[0].Value
	bent := slices.Clone(value)
	bent[slices.Index(bent, '2')] = '3'
	for _, test := range []struct {
		name     string
		messages []kafka.Message
		keys     []string
		used     bool
	}{
		{"signed", good(), []string{public}, true},
		{"signed, and nobody asks", good(), nil, true},
		{"not signed, and nobody asks", published(t, next, nil), nil, true},
		{"not signed", published(t, next, nil), []string{public}, false},
		{"signed by a stranger", published(t, next, other), []string{public}, false},
		{"altered after signing", altered(good(), 0, append(slices.Clone(value), ' ')), []string{public}, false},
		{"not JSON", altered(good(), 0, []byte("{")), nil, false},
		{"a wrong hash", altered(good(), 0, []byte(string(value[:len(value)-3])+"9}}")), nil, false},
		{"of another job", []kafka.Message{modeltopic.Document("adult", next, sum, wrongJob, signer)}, []string{public}, false},
		{"of another version", []kafka.Message{modeltopic.Document("adult", next, sum, wrongVersion, signer)}, []string{public}, false},
		{"under another key", []kafka.Message{{Key: []byte("adult/v/1/200"), Value: good()[0].Value, Headers: published(t, first, signer)[0].Headers}}, []string{public}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLog()
			f, c := following(t, l, Options{Alias: LatestAlias, PublicKeys: test.keys})
			l.put(published(t, first, signer)...)
			eventually(t, "the first", f.is(first))
			l.put(test.messages...)
			last := modeltopic.Place{Term: 1, Version: 900}
			l.put(published(t, last, signer)...)
			eventually(t, "the last", func() bool { return slices.Contains(c.places(), "latest 1/900") }) // a swap is told after it is made
			want := 2
			if test.used {
				want = 3
			}
			if got := c.places(); len(got) != want {
				t.Errorf("used %q", got)
			}
			if told := len(c.refused) > 0; told == test.used {
				t.Errorf("refused %+v", c.refused)
			}
		})
	}
}

// TestForgedAlias: an alias whose hash is not that of its document, or whose key is not that of its version, moves nothing.
func TestForgedAlias(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{Alias: StableAlias})
	at := modeltopic.Place{Term: 1, Version: 100}
	l.put(published(t, at, nil)...)
	for _, value := range []string{`{`, `{"term":1,"version":100,"weights_sha256":"ab","key":"adult/v/1/100"}`, `{"term":1,"version":100,"weights_sha256":"ab","key":"adult/v/1/99"}`} {
		l.put(kafka.Message{Key: []byte("adult/stable"), Value: []byte(value)})
	}
	eventually(t, "three refused", func() bool { c.mutex.Lock(); defer c.mutex.Unlock(); return len(c.refused) == 3 })
	if f.Current() != nil {
		t.Errorf("used %+v", f.Current())
	}
	l.put(moved(t, StableAlias, 1, at, nil))
	eventually(t, "a good one", f.is(at))
	wrong := kafka.Message{Key: []byte("adult/stable"), Value: []byte(`{"term":1,"version":100,"weights_sha256":"ab","key":"adult/v/1/100"}`)}
	l.put(moved(t, StableAlias, 1, modeltopic.Place{Term: 1, Version: 200}, nil), wrong)
	for v := range int64(3) { // each record is a reason to look again
		l.put(published(t, modeltopic.Place{Term: 1, Version: 300 + v}, nil)...)
	}
	l.put(moved(t, StableAlias, 1, modeltopic.Place{Term: 1, Version: 300}, nil))
	eventually(t, "the next", f.is(modeltopic.Place{Term: 1, Version: 300}))
	if n := c.refusals(); n > 4 {
		t.Errorf("told %d times", n)
	}
}

// TestADamagedDocumentIsToldOnce: an alias points to it, and each record that follows is a reason to look again.
func TestADamagedDocumentIsToldOnce(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{Alias: StableAlias})
	at, next := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	l.put(kafka.Message{Key: []byte("adult/v/1/100"), Value: []byte("{")}, moved(t, StableAlias, 1, at, nil))
	eventually(t, "refused", func() bool { return c.refusals() == 1 })
	l.put(published(t, next, nil)...)
	l.put(published(t, modeltopic.Place{Term: 1, Version: 300}, nil)...)
	l.put(moved(t, StableAlias, 1, next, nil))
	eventually(t, "a good one", f.is(next))
	if n := c.refusals(); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// manyVersions is how many versions TestManyVersions publishes: all of them with FAIRSTREAM_TEST_VERSIONS=10000.
func manyVersions() int64 {
	if n, err := strconv.ParseInt(os.Getenv("FAIRSTREAM_TEST_VERSIONS"), 10, 64); err == nil {
		return n
	}
	return 300
}
