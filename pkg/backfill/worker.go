package backfill

import (
	"encoding/json"
	"fmt"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Worker takes in some of the records of a pass, in another process than the backfill: see Elsewhere. It is used by one goroutine.
type Worker struct {
	reader *reader
	kind   kind
	part   part
	fresh  func() part // one that has found nothing
}

// NewWorker returns a worker that has taken in nothing yet. The configuration is that of the backfill, data the task that Elsewhere.Pass was given.
func NewWorker(config model.Config, data []byte) (*Worker, error) {
	var t task
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("backfill: the task of a pass is damaged: %w", err)
	}
	w := &Worker{reader: newReader(t.Keys, t.ByTime), kind: t.Kind}
	if err := w.begin(config, &t); err != nil {
		return nil, fmt.Errorf("backfill: the task of a pass: %w", err)
	}
	w.part = w.fresh()
	return w, nil
}

func (w *Worker) begin(config model.Config, t *task) error {
	switch t.Kind {
	case surveyPass:
		var sample int
		if err := json.Unmarshal(t.Of, &sample); err != nil {
			return err
		}
		w.fresh = func() part { return w.reader.surveying(config, sample) }
	case samplePass, newestPass:
		var s Survey
		if err := json.Unmarshal(t.Of, &s); err != nil {
			return err
		}
		wants := s.isSampled
		if t.Kind == newestPass {
			wants = s.isNewest
		}
		w.fresh = func() part { return w.reader.gathering(wants) }
	case sumsPass:
		var s saved
		if err := json.Unmarshal(t.Of, &s); err != nil {
			return err
		}
		f := &fit{survey: &s.Survey, reader: w.reader, Rounds: s.Rounds}
		if err := f.open(config, s.Learner); err != nil {
			return err
		}
		candidates, err := f.candidates()
		if err != nil {
			return err
		}
		w.fresh = func() part { return f.summing(0, candidates) }
	default:
		return fmt.Errorf("its kind %q is unknown: use workers of the version of the program that begins the backfill", t.Kind)
	}
	return nil
}

// Take takes in the record at a position of a file, which has a number among the names. The record is the caller's again afterwards.
func (w *Worker) Take(file int, position int64, r *record.Record) {
	w.part.take(w.reader.place(file, position, r), r)
}

// Join takes in what Part of another worker of the same pass returned.
func (w *Worker) Join(sent []byte) error {
	other := w.fresh()
	if err := open(sent, w.kind, other); err != nil {
		return err
	}
	w.part.join(other)
	return nil
}

// Part is what the worker has found.
func (w *Worker) Part() []byte { return seal(w.kind, w.part) }
