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

// repair makes the topic hold what the owner wrote: the documents that readers need, the aliases, and the alias latest on the newest document. A
// publication that was held up on its way may arrive after the job changed hands: its alias is then the last in the log, and the only one after
// compaction. The same goes for a record of somebody else, whether it counts or not.
func (p *publisher) repair(ctx context.Context) error {
	if err := p.look(ctx); err != nil {
		return err
	}
	if err := p.protect(ctx); err != nil {
		return err
	}
	late, newest, stands := p.lateLatest() // before a forged one is deleted
	moved, err := p.align(ctx)
	if err != nil {
		return err
	}
	for _, name := range moved {
		to := p.shelf.aliases[name]
		p.notify(AliasRepaired{Alias: name, Version: to.Version, Term: to.Term})
	}
	if stands {
		return nil
	}
	message, err := modeltopic.MoveAlias(p.job, LatestAlias, p.term, modeltopic.Target{Place: newest.place().public(), SHA256: newest.WeightsSHA256}, p.signer)
	if err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	if err := p.write(ctx, message); err != nil {
		return fmt.Errorf("alias %s could not be repaired: %w", LatestAlias, err)
	}
	p.notify(AliasRepaired{Alias: LatestAlias, Version: newest.Version, Term: newest.Term, Late: late})
	return nil // the next look reads it; outrank must not meet it
}

// lateLatest is where the alias latest points, the newest document, and whether that is the same.
func (p *publisher) lateLatest() (late Alias, newest Model, stands bool) {
	newest, there := p.newest()
	late = p.shelf.aliases[LatestAlias]
	stands = !there || targetOfAlias(late) == (target{newest.place(), newest.WeightsSHA256, 0}) && !p.shelf.isDisplaced(LatestAlias)
	return late, newest, stands
}
