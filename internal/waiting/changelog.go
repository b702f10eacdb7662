package waiting

import "context"

// Send hands on what was put since the last call, if it is enough for a batch. To be called now and then: it waits if the changelog is behind.
func (s *Store) Send(ctx context.Context) error {
	if len(s.letter.messages) < mailMessages && s.letter.bytes < mailBytes {
		return nil
	}
	return s.post(ctx)
}

func (s *Store) post(ctx context.Context) error {
	select {
	case s.mail <- s.letter:
		s.letter = mail{}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Seal ends an epoch. The mark for a snapshot comes when all that it counts is on the changelog.
func (s *Store) Seal(ctx context.Context) (sealed <-chan Mark, err error) {
	s.mark.Epoch++
	last := &s.mark.Lineage[len(s.mark.Lineage)-1]
	last.Number, last.Epoch = s.mark.Number, s.mark.Epoch
	mark, done := s.mark, make(chan Mark, 1)
	mark.Lineage = append([]Stretch(nil), s.mark.Lineage...)
	s.letter.seal, s.letter.sealed = mark, done
	return done, s.post(ctx)
}

// Counted says that the snapshot of a mark counts. It may be called on any goroutine.
func (s *Store) Counted(ctx context.Context, mark Mark) error {
	select {
	case s.mail <- mail{counted: mark.Epoch}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Flush waits until the changelog has all that was put and removed.
func (s *Store) Flush(ctx context.Context) error {
	done := make(chan struct{})
	s.letter.flushed = done
	if err := s.post(ctx); err != nil {
		return err
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
