package observe

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// releases decide which version readers are to use (pkg/release). A nil one decides nothing. They belong to the part releasing.
//
// What it knows is a pure function of the records, of the versions that were offered and of what people asked for. It
// offers a version when the checkpoint of its publication is taken, so the snapshot before a document knows of it.
type releases struct {
	machine *release.Machine
	config  release.Config
	grouper *fairness.Grouper
	keyed   bool
	// Whose record was observed, and whose label: one of each counts.
	persons, labelled persons.Recent
	// What a document is read by, and the term of this owner.
	models modeltopic.Topic
	term   int64
	// Records up to the number blind may have come while the releases were cut off. pace is the share that is observed.
	blind int64
	pace  pace
	// resting is the section of a snapshot that waits until release.enabled is true again; machine is nil then.
	resting []byte
	// unmoved is where the alias stable points although no version is stable here; nil if it points nowhere.
	unmoved *modeltopic.Alias
	// untold says that the history lacks a step of the snapshot that the owner began from.
	untold bool
	// readers decide by the versions that the machine keeps, as others do. They are for juries to fork.
	readers map[release.Version]member

	// Panel are the versions that the machine wanted when it had changed its mind so often, nil if there were none: see current. show gives it
	// to the decoders.
	panel *Panel
	wants int64
	show  func(*Panel)

	// Scratch.
	jury    Jury
	record  release.Record
	decided []release.Decision
}

// newReleases returns those of a job that has none yet; nil if nothing is to be released.
func newReleases(o *Settings, d Decider) (*releases, error) {
	if !d.Learns() || !o.Release.On() {
		return nil, nil
	}
	r := &releases{config: o.Release, grouper: d.Grouper(), keyed: o.Model.Record.Key != "", readers: map[release.Version]member{},
		pace: newPace(o.Release)}
	r.config.Regression, r.config.Cluster = d.Config().Learner.Task == model.Regression, o.Monitoring.Cluster
	var err error
	if r.machine, err = release.New(r.config, d.Grouper()); err != nil {
		return nil, fmt.Errorf("observe: %w", err)
	}
	return r, nil
}

// off says that nothing is released.
func (r *releases) off() bool { return r == nil || r.machine == nil }

// observe takes a record, with its label or before it. decidedBy is the panel that decided it already.
func (r *releases) observe(partition int32, s *Sight, decidedBy *Panel) {
	if r.off() {
		return
	}
	e := s.Entry
	if r.pace.note(e.Source.Timestamp) {
		r.follow()
	}
	switch by := r.current(); {
	case by == nil:
		r.machine.Pass(s.Number)
		return
	case decidedBy == by && len(e.decided) > 0:
		r.record.Decisions = e.decided
	case decidedBy == by && len(e.Record.Features) > 0: // not in the sample
		return
	case !by.samples(partition, e.Source, &e.Record):
		return
	default: // decoders leave out a record without features, which may be a label only
		r.decide(by, &e.Record)
	}
	if person := personOf(&e.Record); person != 0 {
		if !r.persons.Meet(person) {
			return
		}
		if e.Record.HasLabel {
			r.labelled.Meet(person)
		}
	}
	r.fill(s.Number, &e.Record, s, e.Record.Time)
	r.machine.Observe(&r.record)
}

// label takes the label of a record that came before it.
func (r *releases) label(s *Sight) {
	if r.off() || s.Waits.Number <= r.blind {
		return
	}
	by := r.current()
	if by == nil || !by.samples(0, s.Entry.Source, s.Record) { // by its key
		return
	}
	if person := personOf(s.Record); person != 0 && !r.labelled.Meet(person) {
		return
	}
	r.decide(by, s.Record)
	r.fill(s.Waits.Number, s.Record, s, s.Entry.Record.Time)
	r.machine.Label(&r.record)
}

// decide decides here what the decoders did not, or for an earlier panel.
func (r *releases) decide(by *Panel, about *record.Record) {
	r.jury.follow(by)
	r.decided = r.jury.decide(r.decided, about)
	r.record.Decisions = r.decided
}

func (r *releases) fill(number int64, complete *record.Record, s *Sight, at time.Time) {
	r.record.Number, r.record.Levels, r.record.Weight, r.record.Time = number, s.Levels, float64(s.Weight), at
	r.record.Labelled, r.record.Label, r.record.Target = complete.HasLabel, complete.Positive, complete.Label
}

// offer shows the machine a version that was tried.
func (r *releases) offer(d *document.Document, found *tried) {
	version := r.versionOf(d)
	integrity := release.Integrity{GoldenRows: found.records, GoldenEqual: found.records - found.different, Bytes: found.bytes,
		Measured: r.measured(d.Constraints)}
	if found.problem != nil {
		integrity.Problem = found.problem.Error()
	} else {
		r.readers[version] = found.read
	}
	r.machine.Offer(version, integrity)
}

// versionOf names a version of this owner.
func (r *releases) versionOf(d *document.Document) release.Version {
	return release.Version{Term: r.term, Version: d.Version, SHA256: d.WeightsSHA256}
}

// measured are the learner's own measurements, by the index of the comparison.
func (r *releases) measured(estimates []fairness.Estimate) (all []release.Measured) {
	for i, c := range r.grouper.Comparisons() {
		for _, e := range estimates {
			same := e.Name == c.Name && e.Criterion == c.Criterion && e.Group == c.GroupLabel() && e.Versus == c.VersusLabel()
			if same && e.Status != fairness.NotEstimable {
				all = append(all, release.Measured{Comparison: i, Value: e.Value, Lo: e.Lo, Hi: e.Hi})
			}
		}
	}
	return all
}

// current is the panel of the versions that the machine wants now. Every record, label, command and document may change what it wants, so
// whoever needs decisions for it asks here, and nobody else has to know when the panel changes.
func (r *releases) current() *Panel {
	if r.wants != r.machine.WantedChanges() {
		r.follow()
	}
	return r.panel
}

// follow replaces the panel by one of the versions that the machine wants now. They decide the present share of the records.
func (r *releases) follow() {
	r.panel, r.wants = nil, r.machine.WantedChanges()
	if wanted := r.machine.Wanted(); len(wanted) > 0 {
		r.panel = &Panel{share: r.pace.present(), keyed: r.keyed}
		for _, version := range wanted {
			one := r.readers[version] // none decides if it is gone
			one.version = version
			r.panel.members = append(r.panel.members, one)
		}
	}
	if r.show != nil {
		r.show(r.panel)
	}
}

// report is what is known of releases now; nil if nothing is released.
func (r *releases) report() *release.Report {
	if r.off() {
		return nil
	}
	report := r.machine.Report()
	report.Share = r.pace.present()
	return report
}
