package stream

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
)

// protect keeps a copy of each document that readers need: the newest, those that other aliases point to, and those of the releases. It writes a
// document again that was deleted, replaced or overwritten nevertheless. An earlier owner may do that: its publication, which also deletes old
// documents, was held up on its way, and an alias came to point to one of them meanwhile. So may whoever may write to the topic.
func (p *publisher) protect(ctx context.Context) error {
	wanted := map[place]string{} // the alias, if there is one
	for at := range p.shelf.kept {
		wanted[at] = ""
	}
	for name, alias := range p.shelf.aliases {
		if name != LatestAlias { // a late one may point to a document that was deleted as too old
			wanted[place{alias.Term, alias.Version}] = name
		}
	}
	newest, _ := p.newest()
	for _, at := range []place{newest.place(), p.last} {
		if at != (place{}) {
			wanted[at] = cmp.Or(wanted[at], LatestAlias)
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

func (p *publisher) protectOne(ctx context.Context, name string, at place) error {
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
		held = held && isDocument(p.job, at, message.Value) // else the second one is the better one
	}
	if !held && m.Version != 0 { // else it never was there, as far as this process saw
		var err error
		if message, held, err = p.messageAt(ctx, m.Offset, at); err != nil {
			return err
		}
	}
	displaced := p.shelf.displaced[versionKey(p.job, at)]
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
		p.notify(AliasWithoutDocument{Alias: name, Version: at.version, Term: at.term})
	}
	return nil
}

// isDocument says whether readers can use a document.
func isDocument(job string, at place, value []byte) bool {
	d, err := document.Parse(value)
	return err == nil && d.Job == job && (place{d.Lineage.Term, d.Version}) == at
}

// messageAt reads a document again; held is false if the cleaner has removed it.
func (p *publisher) messageAt(ctx context.Context, offset int64, at place) (message kafka.Message, held bool, err error) {
	key := versionKey(p.job, at)
	_, err = p.cluster.Read(ctx, p.topic, 0, offset, offset+1, func(r *kafka.Record) error {
		if string(r.Key) == key && r.Value != nil {
			message, held = r.Message(), true
		}
		return nil
	})
	if loss := (*kafka.DataLoss)(nil); errors.As(err, &loss) {
		err = nil // made again or cut a moment ago: the next look notices
	}
	return message, held, err
}

// restore writes a deleted document again; the next look finds it.
func (p *publisher) restore(ctx context.Context, name string, at place, message kafka.Message) error {
	if err := p.write(ctx, message); err != nil {
		return fmt.Errorf("version %d, which an alias or the releases need, could not be written again: %w", at.version, err)
	}
	p.protected[at] = message
	p.notify(DocumentRestored{Alias: name, Version: at.version, Term: at.term})
	return p.look(ctx)
}
