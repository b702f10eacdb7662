package observe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/release"
)

// Owed are the steps that the snapshot holds, which its owner may have told or not. The next owner tells them whether the releases can be
// restored or not.
func (w *Observer) Owed() (all []chronicle.Announcement) {
	saved, _ := stateOf(w.saved.Release)
	if saved == nil || w.releases.off() {
		return nil
	}
	for _, e := range saved.Steps {
		all = append(all, chronicle.Announcement{ID: e.ID, Release: e.Release})
	}
	return all
}

// Load reads the documents that the machine keeps. One that is gone is told to it. If the history lacks a step that the snapshot
// holds, a checkpoint is due.
func (w *Observer) Load(ctx context.Context, p *modeltopic.Publisher, history *chronicle.Recorder) error {
	r := w.releases
	if r.off() {
		return nil
	}
	untold := history.Lacks(chronicle.EntriesOf(w.Owed()))
	// Of the publisher, which belongs to the learner now and to the keeper later.
	r.models, r.term = p.Topic, p.Term()
	kept, _ := isolate.Ask(w.releasing, func() []release.Version { return slices.Clone(r.machine.Kept()) })
	found := map[release.Version]*member{}
	for _, version := range kept {
		d, err := p.Document(ctx, placeOf(version))
		if found[version], err = usable(version, d, err); err != nil {
			return err
		}
	}
	isolate.Ask(w.releasing, func() struct{} {
		w.probe.At(PartReleases, "load")
		r.untold = untold
		for _, version := range kept {
			if m := found[version]; m == nil || m.version != version {
				r.machine.Gone(version)
			} else {
				r.readers[version] = *m
			}
		}
		w.releaseNews.Store(r.pending())
		return struct{}{}
	})
	return nil
}

// Unmoved is where the alias stable points, if it is not this state that moved it there; off says that releases are switched off.
func (w *Observer) Unmoved(p *modeltopic.Publisher) (alias *modeltopic.Alias, off bool) {
	found, there := p.Alias(modeltopic.Stable)
	off = w.releases.off()
	moved, works := isolate.Ask(w.releasing, func() bool { return !off && !w.releases.machine.Aliases().Stable.IsZero() })
	if !there || moved || !works {
		return nil, off
	}
	if !off {
		isolate.Ask(w.releasing, func() struct{} { w.releases.unmoved = &found; return struct{}{} })
	}
	return &found, off
}

// errStopped answers commands to releases that are cut off.
func (w *Observer) errStopped() error {
	return fmt.Errorf("a defect has stopped the releases since %s, so the request was not carried out: restart `fairstream run`, and send the request again; "+
		"the condition releases_stopped and the log of the process have the details", w.releasing.Stopped().At.UTC().Format(time.RFC3339))
}

// Command carries out what a person asks for. A version that the machine does not keep is read from the model topic first, while the learner
// waits: that is no work of the part, since Kafka may be away for long.
func (w *Observer) Command(ctx context.Context, c Command) (Outcome, error) {
	if w.releases.off() {
		return Outcome{}, ErrNoReleases
	}
	missing, ok := isolate.Ask(w.releasing, func() bool {
		_, read := w.releases.readers[c.Version]
		return c.Version.Version > 0 && !read
	})
	if !ok {
		return Outcome{}, w.errStopped()
	}
	var found *member
	if missing {
		var err error
		if found, err = w.releases.find(ctx, c.Version); err != nil {
			return Outcome{}, fmt.Errorf("version %v could not be read: %w", c.Version, err)
		}
	}
	type answer struct {
		made Outcome
		err  error
	}
	a, ok := isolate.Ask(w.releasing, func() (a answer) {
		w.probe.At(PartReleases, "command")
		a.made.Before = w.releases.aliases()
		a.err = w.releases.command(c, found)
		a.made.After = w.releases.aliases()
		w.releaseNews.Store(w.releases.pending())
		return a
	})
	if !ok {
		return Outcome{}, w.errStopped()
	}
	return a.made, a.err
}

// Draft is a document in the making, before the releases are offered it.
type Draft struct {
	// Document is all that is known of it at first, and the whole of it once it is made.
	Document *document.Document

	draft *model.Draft
	// Of a document that is to be released: what tries it on golden records, and what these say once it is made.
	try    func() (tried, bool)
	golden goldens
	tried  *tried
}

// Draft takes what a document of this moment needs. The error says that the weights have diverged.
func (w *Observer) Draft() (*Draft, error) {
	draft, err := w.decider.Draft()
	if err != nil {
		return nil, err
	}
	d := &Draft{Document: &draft.About, draft: draft}
	if !w.releases.off() && w.releasing.Try(func() { d.golden = weigh(golden(draft.Levels(mostLevels)), draft.Margin) }) {
		d.try = func() (tried, bool) {
			return isolate.Ask(w.trying, func() tried {
				w.probe.At(PartReleases, "try")
				return try(w.releases.versionOf(d.Document), d.Document, d.golden)
			})
		}
	}
	return d, nil
}

// Make makes the document and, if it is to be released, tries it. It takes long, and may be called on any goroutine.
func (d *Draft) Make() error {
	if _, err := d.draft.Document(); err != nil || d.try == nil {
		return err
	}
	if found, ok := d.try(); ok {
		d.tried = &found
	}
	return nil
}

// Offer shows the releases a version that was made and is about to be published.
func (w *Observer) Offer(d *Draft) {
	if d.tried == nil {
		return
	}
	isolate.Ask(w.releasing, func() struct{} {
		w.probe.At(PartReleases, "offer")
		w.releases.offer(d.Document, d.tried)
		return struct{}{}
	})
}
