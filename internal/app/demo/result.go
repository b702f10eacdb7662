package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// readBack takes the weights from the model topic, with a client of its own, and measures them on the
// records that were held out, beside those without constraints that the state's learner knows.
func (d *Demo) readBack(ctx context.Context, seconds float64) (_ *findings.Result, err error) {
	client, err := kafka.Open(d.config.Kafka, kafka.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	topics := d.config.Topics
	found, err := stream.ReadModels(ctx, stream.Kafka(client), topics.Model, d.config.Job)
	if err != nil {
		return nil, err
	}
	newest := found.Newest()
	if newest == nil {
		return nil, fmt.Errorf("topic %s holds no weights of job %s", topics.Model, d.config.Job)
	}
	document, err := newest.Document()
	if err != nil {
		return nil, err
	}
	bounds, err := client.Bounds(ctx, topics.Input)
	if err != nil {
		return nil, err
	}
	if document.Records != bounds[0].End {
		return nil, fmt.Errorf("topic %s was given %d records, and the weights were learnt from %d", topics.Input, bounds[0].End, document.Records)
	}
	state, err := stream.ReadState(ctx, stream.Kafka(client), topics.State, d.config.Job)
	if err != nil {
		return nil, err
	}
	learner, err := state.Learner(d.config.Model())
	if err != nil {
		return nil, err
	}
	r := findings.NewResult(document, seconds)
	r.Holdout, err = replay.OfBundled(ctx, learner, document)
	return r, err
}

// demoFolds is how many holdouts the demo measures: one proves little.
const demoFolds = 5

// writeHoldouts says what was measured on what, and how far one holdout may be trusted.
func writeHoldouts(w io.Writer, s *replay.Summary) {
	fmt.Fprintf(w, `
The lines above measured accuracy on each record before it was learnt, and the
difference on recent records, scored again with the current weights. The table
measures a holdout: records that the model has never learnt. One holdout proves
little, so the next lines hold out each fifth of the records in turn:

`)
	for _, c := range s.Constraints {
		fmt.Fprintf(w, "  difference   %+.3f on average, %+.3f at most\n  within %-5v in %d of %d holdouts\n", *c.Mean, *c.Furthest, c.Tau, c.Within, c.Holdouts)
	}
	for _, q := range s.Qualities {
		fmt.Fprintf(w, "  %-12s %.3f on average\n", q.Name, *q.Mean)
	}
}

// report tells what came of it.
func (d *Demo) report(ctx context.Context, r *findings.Result) error {
	if d.JSON {
		line, err := r.Line()
		if err == nil {
			_, err = d.Out.Write(line)
		}
		return err
	}
	var text strings.Builder
	english.Fprintf(&text, "\nLearnt %s in %.1f s; read version %d back from %s.\n",
		english.Counted(r.Records, "record"), r.Seconds, r.Model.Version, d.config.Topics.Model)
	findings.WriteSingle(&text, r)
	folds, err := replay.FoldsOfBundled(ctx, d.config.Config, demoFolds)
	if err != nil {
		return err
	}
	writeHoldouts(&text, folds)
	text.WriteString(`
Try next:
  fairstream init --input FILE                           a configuration for your own records
  fairstream replay --input adult --tau 0.02,0.05,0.10   what other limits cost
  fairstream broker                                      a broker, to try every step by hand
  fairstream run --config config.yaml                    your own topic
  fairstream config keys                                 the keys that matter, explained
`)
	_, err = d.Out.Write([]byte(text.String()))
	return err
}
