package modeltopic

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
)

// protect keeps a copy of each document that readers need: the newest, those that other aliases point to, and those of the releases. It writes a
// document again that was deleted, replaced or overwritten nevertheless. An earlier owner may do that: its publication, which also deletes old
// documents, was held up on its way, and an alias came to point to one of them meanwhile. So may whoever may write to the topic.
func (p *Publisher) protect(ctx context.Context) error {
	wanted := map[Place]string{} // the alias, if there is one
	for at := range p.shelf.kept {
		wanted[at] = ""
	}
	for name, alias := range p.shelf.aliases {
		if name != Latest { // a late one may point to a document that was deleted as too old
			wanted[alias.Place()] = name
		}
	}
	newest, _ := p.Newest()
	for _, at := range []Place{newest.Place(), p.last} {
		if at != (Place{}) {
			wanted[at] = cmp.Or(wanted[at], Latest)
		}
	}
	for at, name := range wanted {
		if err := p.protectOne(ctx, name, at); err != nil {
			return err
		}
	}
	for at := range p.protected {
		if _, still := wanted[at]; !still {
			delete(p.protected, at)
		}
	}
	return nil
}

func (p *Publisher) protectOne(ctx context.Context, name string, at Place) error {
	m, there := p.shelf.documents[at]
	if !there {
		m = p.shelf.gone[at]
	}
	message, held := p.protected[at]
	if original := p.shelf.originals[at]; !held && original.Version != 0 {
		var err error
		if message, held, err = p.messageAt(ctx, original.Offset, at); err != nil {
			return err
		}
		held = held && isDocument(p.Job, at, message.Value) // else the second one is the better one
	}
	if !held && m.Version != 0 { // else it never was there, as far as this process saw
		var err error
		if message, held, err = p.messageAt(ctx, m.Offset, at); err != nil {
			return err
		}
	}
	displaced := p.shelf.displaced[DocumentKey(p.Job, at)]
	switch {
	case held && there && !displaced && sha256.Sum256(message.Value) == m.sum:
		p.protected[at] = message
	case held:
		return p.restore(ctx, name, at, message)
	case displaced: // and the cleaner has removed the one that counts
		delete(p.shelf.documents, at)
	}
	if there = there && !displaced; !there && !p.missing[at] && name != "" {
		p.missing[at] = true
		p.own.Notify(AliasWithoutDocument{Alias: name, Version: at.Version, Term: at.Term})
	}
	return nil
}

// isDocument says whether readers can use a document.
func isDocument(job string, at Place, value []byte) bool {
	d, err := document.Parse(value)
	return err == nil && d.Job == job && (Place{d.Lineage.Term, d.Version}) == at
}

// restore writes a deleted document again; the next look finds it.
func (p *Publisher) restore(ctx context.Context, name string, at Place, message kafka.Message) error {
	if err := p.write(ctx, message); err != nil {
		return fmt.Errorf("version %d, which an alias or the releases need, could not be written again: %w", at.Version, err)
	}
	p.protected[at] = message
	p.own.Notify(DocumentRestored{Alias: name, Version: at.Version, Term: at.Term})
	return p.Look(ctx)
}
