package modeltopic

import (
	"context"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
)

// old are the documents to delete once there is one more: those beyond the newest that are kept, but for
// those that an alias points to.
func (p *Publisher) old(one Place) []Place {
	places := slices.DeleteFunc(p.places(), func(at Place) bool { return at == one })
	beyond := places[:max(0, len(places)+1-p.own.Keep)]
	return slices.DeleteFunc(beyond, p.shelf.referred)
}

// Publish writes the document, the alias to it, the deletion of documents beyond those that are kept, and the aliases of
// releases, as one batch: readers see all of it or nothing. a is nil if others move the aliases.
func (p *Publisher) Publish(ctx context.Context, doc *document.Document, a *Assignment) (size int, err error) {
	if a != nil {
		p.assigned, p.shelf.kept = a, a.Kept
	}
	if err := p.Look(ctx); err != nil { // aliases that others moved
		return 0, err
	}
	if err := p.protect(ctx); err != nil {
		return 0, err
	}
	doc.Lineage.Term = p.own.Term
	value, err := doc.Encode()
	if err != nil {
		return 0, fmt.Errorf("modeltopic: the weight document: %w", err)
	}
	here := Place{p.own.Term, doc.Version}
	old := p.old(here)
	messages := p.messages(doc, value, old)
	moved, _ := p.moves()
	err = p.write(ctx, append(messages, moved...)...)
	if kafka.TooLarge(err) {
		err = fmt.Errorf("%w; for a document with fewer than these %d weights, set smaller learner.vocabulary.levels and .columns, "+
			"after `fairstream state reset`", err, doc.Weights)
	}
	if err != nil {
		return 0, fmt.Errorf("the weights could not be published: %w", err)
	}
	p.last, p.protected[here] = here, messages[len(p.shelf.forged)]
	p.own.Notify(Published{doc.Version, p.own.Term, doc.WeightsSHA256, len(value), doc.Measurements, doc})
	return len(value), p.Look(ctx)
}

func (p *Publisher) messages(doc *document.Document, value []byte, old []Place) []kafka.Message {
	at := Place{Term: p.own.Term, Version: doc.Version}
	alias := MoveAlias(p.Job, Latest, p.own.Term, Target{Place: at, SHA256: doc.WeightsSHA256}, p.own.Signer)
	messages := append(p.forgeries(), Document(p.Job, at, doc.WeightsSHA256, value, p.own.Signer), alias)
	for _, at := range old {
		messages = append(messages, kafka.Message{Key: []byte(DocumentKey(p.Job, at))})
	}
	return messages
}
