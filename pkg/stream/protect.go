package stream

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
)

// protect keeps a copy of each document that an alias other than latest points to or that releases need, and writes a document again that was
// deleted nevertheless. An earlier owner may do that: its publication, which also deletes old documents, was held up on
// its way, and an alias came to point to one of them meanwhile.
func (p *publisher) protect(ctx context.Context) error {
	wanted := map[place]bool{}
	for name, alias := range p.shelf.aliases {
		at := place{alias.Term, alias.Version}
		if name == LatestAlias || wanted[at] {
			continue
		}
		wanted[at] = true
		if err := p.protectOne(ctx, name, at); err != nil {
			return err
		}
	}
	for at := range p.shelf.kept {
		if wanted[at] {
			continue
		}
		wanted[at] = true
		if err := p.protectOne(ctx, "", at); err != nil {
			return err
		}
	}
	for at := range p.protected {
		if !wanted[at] {
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
	if !held && m.Version != 0 { // else it never was there, as far as this process saw
		var err error
		if message, held, err = p.messageAt(ctx, m.Offset, at); err != nil {
			return err
		}
	}
	switch {
	case held && there:
		p.protected[at] = message
	case held:
		return p.restore(ctx, name, at, message)
	case !there && !p.missing[at] && name != "":
		p.missing[at] = true
		p.notify(AliasWithoutDocument{Alias: name, Version: at.version, Term: at.term})
	}
	return nil
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
	return message, held, err
}

// restore writes a deleted document again; the next look finds it.
func (p *publisher) restore(ctx context.Context, name string, at place, message kafka.Message) error {
	err := p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) error {
		_, err := p.cluster.Append(ctx, p.topic, 0, message)
		return err
	})
	if err != nil {
		return fmt.Errorf("version %d, which an alias or the releases need, could not be written again: %w", at.version, err)
	}
	p.protected[at] = message
	p.notify(DocumentRestored{Alias: name, Version: at.version, Term: at.term})
	return p.look(ctx)
}
