package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
)

// Keys of the model topic:
//
//	<job>/v/<term>/<version>   a weight document, JSON; never replaced by another
//	<job>/<alias>              an Alias: which document to use for what
//
// Headers say version, term and weights' sum without decoding the value. The alias latest is written with
// every document; others are set by people and programs that release versions. Readers skip keys that they
// do not know.
const (
	versionKind = "v"
	// LatestAlias points to the newest document. A reader prefers a document of a higher term and version:
	// a process that lost its job may write its last alias late.
	LatestAlias = "latest"

	HeaderJob     = "fairstream.job"
	HeaderVersion = "fairstream.version"
	HeaderTerm    = "fairstream.term"
	HeaderSHA256  = "fairstream.weights_sha256"
)

// Alias points to a document.
type Alias struct {
	// Term is that of the owner who published the document.
	Term          int64  `json:"term"`
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
	// Key of the document.
	Key string `json:"key"`
}

func versionKey(job string, p place) string {
	return fmt.Sprintf("%s/%s/%d/%d", job, versionKind, p.term, p.version)
}

func aliasKey(job, name string) string { return job + "/" + name }

// place orders publications: by term, then by version.
type place struct{ term, version int64 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.term, q.term), cmp.Compare(p.version, q.version))
}

// publisher writes documents to the model topic, and deletes old ones.
type publisher struct {
	cluster Cluster
	topic   string
	job     string
	term    int64
	keep    int
	notify  func(Event)

	shelf *shelf
	next  int64 // where the shelf goes on reading
	// protected are the messages of documents that an alias other than latest points to.
	protected map[place]kafka.Message
	missing   map[place]bool // told already
}

// openPublisher looks what the topic holds of the job, and repairs the alias.
func openPublisher(ctx context.Context, cluster Cluster, topic, job string, term int64, keep int, notify func(Event)) (*publisher, error) {
	p := &publisher{cluster: cluster, topic: topic, job: job, term: term, keep: keep, notify: notify, shelf: newShelf(job, false), next: kafka.Earliest,
		protected: map[place]kafka.Message{}, missing: map[place]bool{}}
	return p, p.repair(ctx)
}

// look reads on to the end of the topic.
func (p *publisher) look(ctx context.Context) (err error) {
	if p.next, err = p.cluster.Read(ctx, p.topic, 0, p.next, kafka.End, p.shelf.apply); err != nil {
		return err
	}
	return p.shelf.problem()
}

// places are the documents on the topic, in order.
func (p *publisher) places() []place {
	return slices.SortedFunc(maps.Keys(p.shelf.documents), place.compare)
}

// latest is the version of the newest document, 0 if there is none.
func (p *publisher) latest() int64 {
	if places := p.places(); len(places) > 0 {
		return places[len(places)-1].version
	}
	return 0
}

// highest is the highest term on the topic.
func (p *publisher) highest() (term int64) {
	for at := range p.shelf.documents {
		term = max(term, at.term)
	}
	for _, alias := range p.shelf.aliases {
		term = max(term, alias.Term)
	}
	return term
}

// old are the documents to delete once there is one more: those beyond the newest that are kept, but for
// those that an alias points to.
func (p *publisher) old(one place) []place {
	places := slices.DeleteFunc(p.places(), func(at place) bool { return at == one })
	beyond := places[:max(0, len(places)+1-p.keep)]
	return slices.DeleteFunc(beyond, p.shelf.referred)
}

// publish writes the document, the alias to it and the deletion of documents beyond those that are kept,
// as one batch: readers see all of it or nothing.
func (p *publisher) publish(ctx context.Context, doc *document.Document) (size int, err error) {
	if err := p.look(ctx); err != nil { // aliases that others moved
		return 0, err
	}
	if err := p.protect(ctx); err != nil {
		return 0, err
	}
	doc.Lineage.Term = p.term
	value, err := doc.Encode()
	if err != nil {
		return 0, fmt.Errorf("stream: the weight document: %w", err)
	}
	here := place{p.term, doc.Version}
	old := p.old(here)
	messages, err := p.messages(doc, value, old)
	if err != nil {
		return 0, err
	}
	var offset int64
	err = p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) (err error) {
		offset, err = p.cluster.Append(ctx, p.topic, 0, messages...)
		return err
	})
	if kafka.TooLarge(err) {
		err = fmt.Errorf("%w; for a document with fewer than these %d weights, set smaller learner.vocabulary.levels and .columns, "+
			"after `fairstream state reset`", err, doc.Weights)
	}
	if err != nil {
		return 0, fmt.Errorf("the weights could not be published: %w", err)
	}
	if offset == p.next { // else the next look reads it again
		p.next += int64(len(messages))
		p.shelf.documents[here] = Model{Version: here.version, Term: here.term, WeightsSHA256: doc.WeightsSHA256}
		for _, at := range old {
			delete(p.shelf.documents, at)
		}
	}
	p.notify(Published{doc.Version, p.term, doc.WeightsSHA256, len(value), doc.Measurements, doc})
	return len(value), nil
}

// headers of a document, and of the alias to it.
func (p *publisher) headers(at place, sha256 string) []kafka.Header {
	return []kafka.Header{
		{Key: HeaderJob, Value: []byte(p.job)},
		{Key: HeaderVersion, Value: strconv.AppendInt(nil, at.version, 10)},
		{Key: HeaderTerm, Value: strconv.AppendInt(nil, at.term, 10)},
		{Key: HeaderSHA256, Value: []byte(sha256)},
	}
}

func (p *publisher) messages(doc *document.Document, value []byte, old []place) ([]kafka.Message, error) {
	key := versionKey(p.job, place{p.term, doc.Version})
	alias, err := json.Marshal(Alias{p.term, doc.Version, doc.WeightsSHA256, key})
	if err != nil {
		return nil, fmt.Errorf("stream: the alias: %w", err)
	}
	headers := p.headers(place{p.term, doc.Version}, doc.WeightsSHA256)
	messages := []kafka.Message{
		{Key: []byte(key), Value: value, Headers: headers},
		{Key: []byte(aliasKey(p.job, LatestAlias)), Value: alias, Headers: headers},
	}
	for _, at := range old {
		messages = append(messages, kafka.Message{Key: []byte(versionKey(p.job, at))})
	}
	return messages, nil
}
