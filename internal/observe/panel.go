package observe

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// Panel are the frozen versions that decide records at present. It never changes: when the releases need others, there is
// another panel. A decision is a pure function of document and record, so it does not matter who makes it.
type Panel struct {
	members []member // of each version; they decide nothing themselves
	share   float64
	keyed   bool // records are told apart by their key
}

// samples says whether a record is decided: a share is, by hash of the key or else of the place, so that a label which
// comes later finds its record in the sample.
func (p *Panel) samples(partition int32, source *kafka.Record, r *record.Record) bool {
	if p.share >= 1 {
		return true
	}
	if p.keyed {
		return record.Sampled(p.share, r.Key)
	}
	var at [12]byte
	binary.BigEndian.PutUint32(at[:], uint32(partition))
	binary.BigEndian.PutUint64(at[4:], uint64(source.Offset))
	return record.Sampled(p.share, at[:])
}

// Jury decides by the documents of a panel. It belongs to one goroutine.
type Jury struct {
	panel   *Panel
	members []member // forks of the panel's
}

// member decides by one document; by none if it is gone.
type member struct {
	version    release.Version
	classifier *document.Classifier
	regressor  *document.Regressor
}

// follow makes the jury that of another panel. Members of both stay.
func (j *Jury) follow(p *Panel) {
	if j.panel == p {
		return
	}
	var members []member
	for i := range p.members {
		one := &p.members[i]
		if at := slices.IndexFunc(j.members, func(m member) bool { return m.version == one.version }); at >= 0 {
			members = append(members, j.members[at])
			continue
		}
		members = append(members, one.fork())
	}
	j.panel, j.members = p, members
}

// fork is the same member for another goroutine: what it decides by is read once, since that takes long.
func (m *member) fork() member {
	other := member{version: m.version}
	if m.classifier != nil {
		other.classifier = m.classifier.Fork()
	}
	if m.regressor != nil {
		other.regressor = m.regressor.Fork()
	}
	return other
}

// margin is that of the published weights.
func (m *member) margin(r *record.Record) float64 {
	if m.regressor != nil {
		return m.regressor.Margin(r)
	}
	return m.classifier.Margin(r)
}

func newMember(version release.Version, d *document.Document) (m member, err error) {
	m.version = version
	switch {
	case d == nil:
	case d.Task == document.Regression:
		m.regressor, err = d.Regressor()
	default:
		m.classifier, err = d.Classifier()
	}
	if err != nil {
		err = fmt.Errorf("observe: the document of version %v: %w", version, err)
	}
	return m, err
}

// decide replaces to by the decisions about a record, in the order of the panel's versions. It does not allocate once its
// buffers have grown.
func (j *Jury) decide(to []release.Decision, r *record.Record) []release.Decision {
	to = to[:0]
	for i := range j.members {
		var made release.Decision
		switch m := &j.members[i]; {
		case m.classifier != nil:
			d := m.classifier.Decide(r)
			made = release.Decision{Known: true, Positive: d.Positive, Score: d.Score}
		case m.regressor != nil:
			made = release.Decision{Known: true, Score: m.regressor.Predict(r)}
		}
		to = append(to, made)
	}
	return to
}
