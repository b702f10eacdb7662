package modeltopic

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Publish looks what the topic holds of the job, and repairs what readers need.
func (t Topic) Publish(ctx context.Context, own Own) (*Publisher, error) {
	p := &Publisher{Reader: *t.Open(), own: own, protected: map[Place]kafka.Message{}, missing: map[Place]bool{}}
	p.Claim(own.Term)
	return p, p.Repair(ctx)
}

// TellOutranked tells once of aliases that claim a later owner: one that took the job over, or a forged one.
func (p *Publisher) TellOutranked() {
	if later := p.shelf.owner; later > max(p.own.Term, p.outranked) {
		p.outranked = later
		p.own.Notify(Outranked{Term: later, Own: p.own.Term})
	}
}

// Repair makes the topic hold what the owner wrote: the documents that readers need, the aliases, and the alias latest on the newest document. A
// publication that was held up on its way may arrive after the job changed hands: its alias is then the last in the log, and the only one after
// compaction. The same goes for a record of somebody else, whether it counts or not.
func (p *Publisher) Repair(ctx context.Context) error {
	if err := p.Look(ctx); err != nil {
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
		p.own.Notify(AliasRepaired{Alias: name, Version: to.Version, Term: to.Term})
	}
	if stands {
		return nil
	}
	message := MoveAlias(p.Job, Latest, p.own.Term, Target{Place: newest.Place(), SHA256: newest.WeightsSHA256}, p.own.Signer)
	if err := p.write(ctx, message); err != nil {
		return fmt.Errorf("alias %s could not be repaired: %w", Latest, err)
	}
	p.own.Notify(AliasRepaired{Alias: Latest, Version: newest.Version, Term: newest.Term, Late: late})
	return nil // the next look reads it; outrank must not meet it
}

// lateLatest is where the alias latest points, the newest document, and whether that is the same.
func (p *Publisher) lateLatest() (late Alias, newest Model, stands bool) {
	newest, there := p.Newest()
	late = p.shelf.aliases[Latest]
	stands = !there || late.target() == (Target{Place: newest.Place(), SHA256: newest.WeightsSHA256}) && !p.shelf.isDisplaced(Latest)
	return late, newest, stands
}
