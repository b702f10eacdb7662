package modeltopic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Publisher writes documents to the topic, deletes old ones, and keeps both documents and aliases there as the owner of the job wants them. It
// belongs to one goroutine.
type Publisher struct {
	Reader
	own Own

	// assigned is what the last snapshot that counts says of aliases and documents; nil if others move the aliases.
	assigned *Assignment
	// protected are the messages of documents that readers need; see protect.go. last is the one that this process published last.
	protected map[Place]kafka.Message
	last      Place
	missing   map[Place]bool // told already
	lost      *shelf         // what a topic had that was made again, until that is written; nil: nothing is to be written again
	outranked int64          // the highest term of another owner that was told
}

// Assignment is what a snapshot that counts says of the model topic: where the aliases of releases point, and which
// documents must stay. The topic follows it: an alias that says otherwise is moved, whoever moved it.
type Assignment struct {
	// Aliases are by name. One that points to no document is deleted. A name that is missing is left as it is.
	Aliases map[string]Target
	// Kept are the documents that releases need besides those that are newest.
	Kept map[Place]bool
	// UnwatchedSince is that of the targets.
	UnwatchedSince time.Time
}

// Own is who publishes, and how.
type Own struct {
	Term int64
	// Keep is the number of the newest documents that are kept.
	Keep int
	// Signer may be nil: nothing is signed.
	Signer *signature.Signer
	Notify func(Event)
}

// Claim makes the publisher write for the owner of a term.
func (p *Publisher) Claim(term int64) { p.own.Term, p.shelf.rule.Own = term, term }

// Term is that of the owner.
func (p *Publisher) Term() int64 { return p.own.Term }

// Look reads on to the end of the topic, and writes again what a topic lost that was made again.
func (p *Publisher) Look(ctx context.Context) error {
	if p.Name == "" {
		return nil // nothing is published
	}
	for {
		lost, err := p.readOn(ctx)
		if p.lost = cmp.Or(p.lost, lost); err != nil {
			return err
		}
		if p.lost == nil {
			break
		}
		if err := p.writeAgain(ctx, p.lost); err != nil {
			return err
		}
		p.lost = nil
	}
	for _, refused := range p.shelf.refused {
		p.own.Notify(refused)
	}
	p.shelf.refused = nil
	return p.shelf.problem()
}

// write appends messages as one batch.
func (p *Publisher) write(ctx context.Context, messages ...kafka.Message) error {
	return p.Cluster.Retry(ctx, "publish to "+p.Name, func(ctx context.Context) error {
		_, err := p.Cluster.Append(ctx, p.Name, 0, messages...)
		return err
	})
}

// writeAgain writes the documents that this process holds and the topic does not, and then the aliases; the next look finds them.
func (p *Publisher) writeAgain(ctx context.Context, lost *shelf) error {
	told := Remade{Topic: p.Name}
	for _, at := range slices.SortedFunc(maps.Keys(p.protected), Place.Compare) {
		if _, there := p.shelf.documents[at]; there {
			continue
		}
		if err := p.write(ctx, p.protected[at]); err != nil {
			return fmt.Errorf("version %d could not be written again: %w", at.Version, err)
		}
		told.Documents++
	}
	held := func(at Place) bool {
		_, there := p.shelf.documents[at]
		_, again := p.protected[at]
		return there || again
	}
	for at := range lost.documents {
		if !held(at) {
			told.Missing++
		}
	}
	var moved []kafka.Message
	for _, name := range slices.Sorted(maps.Keys(lost.aliases)) {
		to := lost.aliases[name]
		if _, there := p.shelf.aliases[name]; there || !held(to.Place()) {
			continue
		}
		moved = append(moved, MoveAlias(p.Job, name, p.own.Term, to.target(), p.own.Signer))
	}
	if told.Aliases = len(moved); moved != nil {
		if err := p.write(ctx, moved...); err != nil {
			return fmt.Errorf("the aliases could not be written again: %w", err)
		}
	}
	p.own.Notify(told)
	return nil
}
