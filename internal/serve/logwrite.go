package serve

import "context"

// Run writes until Close, or until ctx ends. What is not written then is lost, and counted.
func (l *Log) Run(ctx context.Context) error {
	for {
		select {
		case <-l.wake:
		case <-ctx.Done():
		}
		all, closed := l.take()
		switch {
		case ctx.Err() != nil:
			l.settle(all, ctx.Err())
			return ctx.Err()
		case len(all) > 0:
			l.write(ctx, all)
			l.ring() // more may have come meanwhile
		case closed:
			return nil
		}
	}
}

// write writes entries. If Kafka refuses them for good, each is written by itself: what is wrong with one does not concern the others.
func (l *Log) write(ctx context.Context, all []*entries) {
	err := l.attempt(ctx, all)
	if err == nil || len(all) == 1 || ctx.Err() != nil {
		l.settle(all, err)
		return
	}
	for i := range all {
		l.settle(all[i:i+1], l.attempt(ctx, all[i:i+1]))
	}
}

// attempt writes entries, and waits for brokers that are away.
func (l *Log) attempt(ctx context.Context, all []*entries) (err error) {
	defer func() {
		if err != nil {
			l.producer = nil // it still has what failed
		}
	}()
	if l.producer == nil {
		if l.producer, err = l.o.Open(ctx); err != nil {
			return err
		}
	}
	for _, e := range all {
		if e.abandoned.Load() {
			continue
		}
		for _, message := range e.messages() {
			if err := l.producer.Send(ctx, &message); err != nil {
				return err
			}
		}
	}
	return l.producer.Flush(ctx)
}

// settle counts what became of entries, and tells who waits for them.
func (l *Log) settle(all []*entries, err error) {
	decisions, bytes := 0, 0
	for _, e := range all {
		decisions, bytes = decisions+len(e.marks), bytes+len(e.buffer)
		switch {
		case err == nil && !e.abandoned.Load():
			l.written.Add(int64(len(e.marks)))
		case err != nil && !l.o.Wait:
			l.lost.Add(int64(len(e.marks)))
		}
		e.done <- err
	}
	if err != nil {
		l.o.Failed(decisions, err)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.decisions -= decisions
	l.bytes -= bytes
}
