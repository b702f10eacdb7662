package stream

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// repairEvery is how often an owner looks whether the alias latest still points to the newest document, those of releases to
// what the state says, and whether the documents of aliases are still there.
const repairEvery = 10 * time.Second

// tellOutranked tells once of aliases that claim a later owner: one that took the job over, or a forged one.
func (p *publisher) tellOutranked() {
	if later := p.shelf.owner; later > max(p.term, p.outranked) {
		p.outranked = later
		p.notify(Outranked{Term: later, Own: p.term})
	}
}

// repair writes the alias latest again if it points below the newest document. A publication that was held up on its
// way may arrive after the job changed hands: its alias is then the last in the log, and the only one after compaction.
func (p *publisher) repair(ctx context.Context) error {
	if err := p.look(ctx); err != nil {
		return err
	}
	if err := p.protect(ctx); err != nil {
		return err
	}
	assigned, err := p.align(ctx)
	if err != nil {
		return err
	}
	for _, name := range assigned {
		to := p.assigned.aliases[name]
		p.notify(AliasRepaired{Alias: name, Version: to.version, Term: to.term})
	}
	places := p.places()
	if len(places) == 0 {
		return nil
	}
	newest := p.shelf.documents[places[len(places)-1]]
	late := p.shelf.aliases[LatestAlias]
	if (place{late.Term, late.Version}).compare(newest.place()) >= 0 {
		return nil
	}
	message, err := modeltopic.MoveAlias(p.job, LatestAlias, p.term, newest.place().public(), newest.WeightsSHA256, p.signer)
	if err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	err = p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) error {
		_, err := p.cluster.Append(ctx, p.topic, 0, message)
		return err
	})
	if err != nil {
		return fmt.Errorf("alias %s could not be repaired: %w", LatestAlias, err)
	}
	p.notify(AliasRepaired{Alias: LatestAlias, Version: newest.Version, Term: newest.Term, Late: late})
	return nil
}
