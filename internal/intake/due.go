package intake

import (
	"errors"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
)

// mostDue is how many labels at most are learnt before one record: if time leaps, a parcel must not hold all that become due.
const mostDue = 16

// Due takes out the records that have waited for too long, or for which there is no room, up to the first whose label is held. It gives the sight of that
// record, which is learnt with this label now, before the record of e; nil: there is none, or so many came before e already. The errors are those of Join.
func (b *Labels) Due(e *observe.Entry, p *Parcel, d Awaiter, before int) (s *observe.Sight, err error) {
	if b.limit.Age == 0 && b.store.Held() > 0 && before < mostDue { // there was an age before
		return b.release(e, p, b.store.OldestHeld, b.store.DropHeld)
	}
	for before < mostDue && (b.overdue || b.full()) {
		oldest, waits, err := b.store.Oldest()
		late := waits && b.limit.Age > 0 && b.now.since(oldest.Came, oldest.Number) > b.limit.Age.Milliseconds()
		if b.overdue = late; err != nil || !late && !b.full() {
			return nil, err
		}
		if oldest.Held {
			if s, err = b.release(e, p, b.store.OldestPayload, b.store.DropOldest); s != nil || err != nil {
				return s, err
			}
			continue
		}
		if late {
			b.count.Expired++
			err = b.never(d)
		} else {
			b.count.Dropped++
		}
		if err == nil {
			err = b.store.DropOldest()
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// release makes a sight of a record whose label is held, and takes it out; nil if it cannot be read any more.
func (b *Labels) release(e *observe.Entry, p *Parcel, read func() ([]byte, error), drop func() error) (s *observe.Sight, err error) {
	payload, err := read()
	if err != nil {
		return nil, err
	}
	label, waits, ok := readLabel(payload)
	earlier, value, whole := readPayload(waits)
	complete := p.another()
	if ok = ok && whole; ok {
		err := b.decoder.Decode(complete, &kafka.Record{Value: value})
		if _, pending := errors.AsType[*format.Pending](err); pending {
			return nil, err
		}
		ok = err == nil
	}
	if err := drop(); err != nil {
		return nil, err
	}
	if !ok { // record.limits became narrower, or the schema is not known any more
		b.count.Lost++
		return nil, nil
	}
	s = p.Sight(e)
	s.Levels = nil
	b.joined(s, complete, earlier, label)
	return s, nil
}

// never tells of the oldest record, which got no label. One whose schema is not there yet, as after a restart, is not told of.
func (b *Labels) never(d Awaiter) error {
	if !d.Counts() {
		return nil
	}
	payload, err := b.store.OldestPayload()
	if err != nil {
		return err
	}
	if _, value, ok := readPayload(payload); ok && b.decoder.Decode(&b.gone, &kafka.Record{Value: value}) == nil {
		d.Never(&b.gone)
	}
	return nil
}
