package stream

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// What stands on the model topic is in internal/modeltopic. The alias latest is written with every document. The aliases
// of releases are moved as the releases decide (releases.go); others are set by people and programs.
const (
	// LatestAlias points to the newest document. A reader prefers a document of a higher term and version:
	// a process that lost its job may write its last alias late.
	LatestAlias = modeltopic.Latest
	// StableAlias, CandidateAlias and PreviousAlias point to the released version, the one that is tested, and the one that was
	// released before.
	StableAlias    = modeltopic.Stable
	CandidateAlias = modeltopic.Candidate
	PreviousAlias  = modeltopic.Previous

	HeaderJob     = modeltopic.HeaderJob
	HeaderVersion = modeltopic.HeaderVersion
	HeaderTerm    = modeltopic.HeaderTerm
	HeaderSHA256  = modeltopic.HeaderSHA256
)

// Alias points to a document.
type Alias = modeltopic.Alias

func versionKey(job string, p place) string { return modeltopic.DocumentKey(job, p.public()) }

// place orders publications: by term, then by version.
type place struct{ term, version int64 }

func (p place) compare(q place) int { return p.public().Compare(q.public()) }

func (p place) public() modeltopic.Place { return modeltopic.Place{Term: p.term, Version: p.version} }

// publisher writes documents to the model topic, and deletes old ones.
type publisher struct {
	cluster Cluster
	topic   string
	job     string
	term    int64
	keep    int
	notify  func(Event)
	signer  *signature.Signer // nil: nothing is signed

	shelf *shelf
	id    kafka.TopicID // of the topic that the shelf was read from
	next  int64         // where the shelf goes on reading
	// assigned is what the last snapshot that counts says of aliases and documents; nil if others move the aliases.
	assigned *assignment
	// protected are the messages of documents that readers need; see protect.go. last is the one that this process published last.
	protected map[place]kafka.Message
	last      place
	missing   map[place]bool // told already
	outranked int64          // the highest term of another owner that was told
}

// openPublisher looks what the topic holds of the job, and repairs the alias. Of options, Job, Topics, KeepVersions,
// Notify, Signer and Verifier are used.
func openPublisher(ctx context.Context, cluster Cluster, o *Options, term int64) (*publisher, error) {
	p := &publisher{cluster: cluster, topic: o.Topics.Model, job: o.Job, keep: o.KeepVersions, notify: o.Notify, signer: o.Signer,
		shelf: newShelf(o.Job, false), next: kafka.Earliest, protected: map[place]kafka.Message{}, missing: map[place]bool{}}
	p.shelf.rule.Verifier = o.Verifier
	p.own(term)
	return p, p.repair(ctx)
}

// own makes the publisher write for the owner of a term.
func (p *publisher) own(term int64) { p.term, p.shelf.rule.Own = term, term }

// look reads on to the end of the topic.
func (p *publisher) look(ctx context.Context) error {
	if p.topic == "" {
		return nil // nothing is published
	}
	for {
		lost, err := p.readOn(ctx)
		if err != nil {
			return err
		}
		if lost == nil {
			break
		}
		if err := p.writeAgain(ctx, lost); err != nil {
			return err
		}
	}
	for _, refused := range p.shelf.refused {
		p.notify(ModelRefused(refused))
	}
	p.shelf.refused = nil
	return p.shelf.problem()
}

// newest is the newest document on the topic.
func (p *publisher) newest() (m Model, there bool) {
	if places := p.places(); len(places) > 0 {
		m, there = p.shelf.documents[places[len(places)-1]]
	}
	return m, there
}

// places are the documents on the topic, in order.
func (p *publisher) places() []place {
	return slices.SortedFunc(maps.Keys(p.shelf.documents), place.compare)
}

// latest is the version of the newest document, 0 if there is none.
func (p *publisher) latest() int64 {
	newest, _ := p.newest()
	return newest.Version
}

// highest is the highest term on the topic.
func (p *publisher) highest() (term int64) {
	term = p.shelf.owner
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

// publish writes the document, the alias to it, the deletion of documents beyond those that are kept, and the aliases of
// releases, as one batch: readers see all of it or nothing. a is nil if others move the aliases.
func (p *publisher) publish(ctx context.Context, doc *document.Document, a *assignment) (size int, err error) {
	if a != nil {
		p.assigned, p.shelf.kept = a, a.kept
	}
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
	moved, _, err := p.moves()
	if err != nil {
		return 0, err
	}
	err = p.write(ctx, append(messages, moved...)...)
	if kafka.TooLarge(err) {
		err = fmt.Errorf("%w; for a document with fewer than these %d weights, set smaller learner.vocabulary.levels and .columns, "+
			"after `fairstream state reset`", err, doc.Weights)
	}
	if err != nil {
		return 0, fmt.Errorf("the weights could not be published: %w", err)
	}
	p.last, p.protected[here] = here, messages[len(p.shelf.forged)]
	p.notify(Published{doc.Version, p.term, doc.WeightsSHA256, len(value), doc.Measurements, doc})
	return len(value), p.look(ctx)
}

// write appends messages as one batch.
func (p *publisher) write(ctx context.Context, messages ...kafka.Message) error {
	return p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) error {
		_, err := p.cluster.Append(ctx, p.topic, 0, messages...)
		return err
	})
}

func (p *publisher) messages(doc *document.Document, value []byte, old []place) ([]kafka.Message, error) {
	at := modeltopic.Place{Term: p.term, Version: doc.Version}
	alias, err := modeltopic.MoveAlias(p.job, LatestAlias, p.term, modeltopic.Target{Place: at, SHA256: doc.WeightsSHA256}, p.signer)
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	messages := append(p.forgeries(), modeltopic.Document(p.job, at, doc.WeightsSHA256, value, p.signer), alias)
	for _, at := range old {
		messages = append(messages, kafka.Message{Key: []byte(versionKey(p.job, at))})
	}
	return messages, nil
}
