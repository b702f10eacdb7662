package backfill

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
)

// Configure says what is wrong on the command line and in the configuration. files are those of the configuration.
func (b *Backfill) Configure(c config.Config, of []string) (err error) {
	if b.TimeField != "" {
		c.Record.Time.Field = b.TimeField
	}
	b.config = c
	if b.Sample < 0 {
		return errors.New("--sample is negative: give a number of records, such as 1000000")
	}
	if problems := c.Model().WithDefaults().Inheritable(); len(problems) > 0 {
		return errors.Join(problems...)
	}
	if b.files, err = find(b.Inputs, b.Format, b.Far); err != nil {
		return err
	}
	if b.files.schema, err = c.Model().Schema(); err != nil {
		return err
	}
	b.files.compared = compared(c.Model())
	b.files.limit = rejectLimit{c.Stream.RejectLimit.Share, c.Stream.RejectLimit.Window}
	reads := slices.Concat(b.files.Names(), of)
	outputs := []output.File{{Flag: "--output", Name: b.Output, Kind: stateKind}, {Flag: "--output", Name: partName(b.Output), Kind: partKind}}
	if b.Save != "" {
		outputs = append(outputs, output.File{Flag: "--save", Name: b.Save, Kind: documentKind})
	}
	for i, one := range outputs {
		others := reads
		for k := range outputs {
			if k != i {
				others = append(slices.Clone(others), outputs[k].Name)
			}
		}
		if err := one.Check(others...); err != nil {
			return err
		}
	}
	if b.Far != nil {
		return nil // workers look at the files
	}
	if err := b.files.look(); err != nil {
		return err
	}
	return b.files.sameColumns()
}

// Run learns the history and writes the state.
func (b *Backfill) Run(ctx context.Context) (err error) {
	done, err := b.alone()
	if err != nil {
		return err
	}
	defer done()
	if b.of, err = b.fingerprint(); err != nil {
		return err
	}
	saved, err := b.saved()
	if err = errors.Join(err, b.sweep()); err != nil {
		return err
	}
	if b.estimate(); saved != nil {
		b.say("Going on from %s.\n", partName(b.Output))
	}
	o := backfill.Options{Model: b.config.Model(), Source: b.files, Shards: b.shards(), ByTime: b.TimeField != "",
		Sample: b.Sample, Saved: saved, Save: b.save, Tell: b.tell}
	if b.Far != nil {
		job := jobOf(b.config, b.Format)
		if err := errors.Join(b.files.lookFar(ctx, job), b.files.sameColumns()); err != nil {
			return err
		}
		o.Elsewhere = passes{b.files, job}
	}
	stop := b.watch(watchEvery)
	result, err := backfill.Run(ctx, o)
	stop()
	if err != nil {
		return b.ended(ctx, b.forget(err))
	}
	return b.forget(b.finish(result))
}

// ended says what remains of a backfill that was stopped.
func (b *Backfill) ended(ctx context.Context, err error) error {
	if _, missing := os.Stat(partName(b.Output)); missing == nil && ctx.Err() != nil {
		b.say("%s has what was done so far: the same command continues from there.\n", partName(b.Output))
	}
	return err
}

// finish writes what was learnt.
func (b *Backfill) finish(result *backfill.Result) (err error) {
	of := backfill.Provenance{Program: program.Version(), Finished: time.Now().UTC(), TimeField: b.TimeField}
	if of.Files, of.Rejected, err = b.files.provenance(); err != nil {
		return err
	}
	state := backfill.State{Provenance: result.Provenance(of), Learner: result.Learner.AppendState(nil)}
	data, err := state.Append(nil)
	if err != nil {
		return err
	}
	if err := (output.File{Name: b.Output, Kind: stateKind}).Write(data); err != nil {
		return err
	}
	doc, err := result.Learner.Document()
	if err != nil {
		return err
	}
	if b.Save != "" {
		doc.Job, doc.Rejected = b.config.Job, b.files.rejected.Total
		doc.Lineage.Program, doc.Lineage.Input = program.Version(), english.List(b.Inputs)
		text, err := doc.Encode()
		if err != nil {
			return err
		}
		if err := (output.File{Name: b.Save, Kind: documentKind}).Write(append(text, '\n')); err != nil {
			return err
		}
	}
	english.Fprintf(b.Out, "Wrote %s: version %d, from %s in %d rounds, and the newest %d one after the other.\n", b.Output, result.Learner.Version(),
		english.Counted(result.Rounds.Summed, "record"), result.Rounds.Passes, result.Survey.Newest)
	b.measured(doc)
	for _, m := range result.Rounds.Measured {
		if !m.Estimable {
			b.say("The constraint %s had no effect in the rounds: too few of the %s that were held out belong to one of its groups. The learner of the newest records takes it from there.\n",
				m.Name, english.Counted(result.Rounds.Held, "record"))
		}
	}
	if result.Rounds.Unfinished {
		b.say("The rounds ended before the objective stopped falling: the weights are usable, but not yet the best.\n")
	}
	return os.Remove(partName(b.Output))
}
