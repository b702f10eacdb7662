package learn

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Run answers requests until the input ends. It reads a request ahead of the one that it answers: whoever sends the next one before it
// takes an answer would otherwise wait for this program, and this program for it, as soon as an answer is longer than a pipe holds.
func Run(s *program.Streams) error {
	out := bufio.NewWriter(s.Out)
	requests, used := make(chan request), make(chan []byte, 2)
	used <- nil
	used <- nil
	go ahead(bufio.NewReaderSize(s.In, 1<<16), requests, used)
	var l session
	for r := range requests {
		if r.err == io.EOF {
			break
		}
		if r.err != nil {
			return r.err
		}
		kind := byte(good)
		answer, err := l.do(r.what, r.payload)
		if err != nil {
			kind, answer = bad, []byte(err.Error())
		}
		if err := errors.Join(writeAnswer(out, kind, answer), out.Flush()); err != nil {
			return err
		}
		used <- r.payload
	}
	return nil
}

// session is a learner, and what answers about it.
type session struct {
	config  config.Config
	learner *model.Learner // nil without a configuration
	schema  *record.Schema
	weights weigher // of the document, made when it is asked for; nil after each record

	answer []byte
	batch  batch
}

// do carries out a request. The answer is valid until the next one.
func (l *session) do(what byte, payload []byte) ([]byte, error) {
	if l.learner == nil && what != configure {
		return nil, errors.New("learn: a configuration comes first")
	}
	switch what {
	case configure:
		return nil, l.configure(payload)
	case restore:
		return nil, l.restore(payload)
	case learn:
		return l.learn(payload)
	case predict:
		return l.predict(payload)
	case publish:
		return l.publish()
	case save:
		return l.learner.AppendState(nil), nil
	}
	return nil, fmt.Errorf("learn: no request is called %q", what)
}

// configure begins with a learner that has seen nothing. Variables of the environment have no say: what is learnt is a matter of
// the configuration and the records alone.
func (l *session) configure(text []byte) error {
	loaded, err := config.Load(config.Sources{Text: text}, config.Learning)
	if err != nil {
		return err
	}
	learner, err := model.New(loaded.Model())
	if err != nil {
		return err
	}
	schema, err := loaded.Model().Schema()
	if err != nil {
		return err
	}
	l.config, l.learner, l.schema, l.weights = loaded.Config, learner, schema, nil
	return nil
}

func (l *session) restore(state []byte) error {
	learner, err := model.Restore(l.config.Model(), state)
	if err != nil {
		return err
	}
	l.learner, l.weights = learner, nil
	return nil
}

func (l *session) learn(csv []byte) ([]byte, error) {
	if err := l.batch.read(csv, l.schema, true); err != nil {
		return nil, err
	}
	l.weights, l.answer = nil, l.answer[:0]
	for i := range l.batch.records {
		made := l.learner.Add(&l.batch.records[i])
		if !made.Known {
			made.Margin = math.NaN()
		}
		l.number(made.Margin)
	}
	return l.answer, nil
}

func (l *session) predict(csv []byte) ([]byte, error) {
	if l.weights == nil {
		doc, err := l.document()
		if err != nil {
			return nil, err
		}
		if l.weights, err = newWeigher(doc); err != nil {
			return nil, err
		}
	}
	if err := l.batch.read(csv, l.schema.LabelOptional(), false); err != nil {
		return nil, err
	}
	l.answer = l.answer[:0]
	probabilities := make([]float64, len(l.batch.records))
	for i := range l.batch.records {
		margin, probability := l.weights(&l.batch.records[i])
		l.number(margin)
		probabilities[i] = probability
	}
	for _, p := range probabilities {
		l.number(p)
	}
	return l.answer, nil
}

func (l *session) number(x float64) {
	l.answer = binary.LittleEndian.AppendUint64(l.answer, math.Float64bits(x))
}

func (l *session) document() (*document.Document, error) {
	doc, err := l.learner.Document()
	if err != nil {
		return nil, err
	}
	doc.Job = l.config.Job
	doc.Lineage.Program = program.Version()
	return doc, nil
}

func (l *session) publish() ([]byte, error) {
	doc, err := l.document()
	if err != nil {
		return nil, err
	}
	return doc.Encode()
}

// weigher is what a document makes of a record: its margin, and its probability or NaN.
type weigher func(*record.Record) (margin, probability float64)

func newWeigher(doc *document.Document) (weigher, error) {
	if doc.Task == model.Regression {
		regressor, err := doc.Regressor()
		if err != nil {
			return nil, err
		}
		return func(r *record.Record) (margin, probability float64) { return regressor.Predict(r), math.NaN() }, nil
	}
	classifier, err := doc.Classifier()
	if err != nil {
		return nil, err
	}
	return func(r *record.Record) (margin, probability float64) {
		decision := classifier.Decide(r)
		return decision.Margin, decision.Probability
	}, nil
}
