package inspect

import (
	"errors"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Inspection gathers what records hold of what a configuration names.
type Inspection struct {
	config  model.Config
	cluster string // the field of monitor.cluster, if any
	// unlabelled says that records without a label count in the groups.
	unlabelled bool
	// decoder reads records as run would, open every field of them.
	decoder, open *record.Decoder
	rec, whole    record.Record

	profile    profile.Profile
	heldBack   profile.Profile // of the features of the records that a learner would hold back, to tell columns apart
	grouper    *fairness.Grouper
	levels     []fairness.Level
	sides      []fairness.Side
	counts     []Counts
	features   map[string]bool // fields that are features
	label      clue.Classes    // positive labels and negative ones
	sequence   Labels          // the same, in their order
	original   Labels          // of the records that are no copies
	missing    int64           // records without a label
	snapshot   int64           // rows of a snapshot
	copies     profile.Copies  // among the records with a label
	unlike     profile.Copies  // records that are the same but for the label, among those that are no copies
	lost       swallowed       // lines of the file
	strata     []within        // by comparison; nil where none is within strata
	strataOf   []int           // of the present record, by comparison
	members    []fairness.Side // whatever its stratum
	pairs      []pair          // of groups
	neighbours clue.Neighbours // features beside labels of other records
	beside     clue.Pairs      // features beside each other
	first      table.Table     // of the first records, and of an even selection of all
	even       table.Table
	ends       map[string]*ends // of the numbers of each feature
	parsed     []float64        // the features of the present record as numbers
	written    map[string]*written
	texts      int // that written keeps
	totals     int // lines that are probably sums of others
	known      int // the most values of a record
	attributes []string
	missed     *listed          // nil where record.missing lists nothing of its own
	numbers    fairness.Moments // labels that are numbers
	weight     weights
	rejected   map[record.Reason]int64
	rejection  *record.Rejection // the first
}

// weights are those of the records, how many there are and how many of them are 0.
type weights struct{ records, zeros, sum, squares float64 }

func (w *weights) add(x float64) {
	w.records++
	w.sum += x
	w.squares += x * x
	if x == 0 {
		w.zeros++
	}
}

// evidence are the labels of the records, without those of copies.
func (i *Inspection) evidence() *Labels {
	if copies, _ := i.copies.Found(); copies > 0 {
		return &i.original
	}
	return &i.sequence
}

// New prepares an inspection for a checked configuration with its defaults.
func New(config model.Config) (*Inspection, error) {
	schema, err := config.Schema()
	if err != nil {
		return nil, err
	}
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	c := schema.Config()
	i := &Inspection{
		config:   config,
		first:    table.Table{First: true},
		decoder:  schema.LabelOptional().NewDecoder(),
		open:     profile.AllFeatures(c).NewDecoder(),
		grouper:  grouper,
		levels:   make([]fairness.Level, len(grouper.Attributes())),
		sides:    make([]fairness.Side, len(grouper.Comparisons())),
		features: map[string]bool{},
		ends:     map[string]*ends{},
		written:  map[string]*written{},
		rejected: map[record.Reason]int64{},
	}
	for _, comparison := range grouper.Comparisons() {
		i.counts = append(i.counts, Counts{Comparison: comparison})
	}
	if grouper.Within() {
		i.strata, i.strataOf, i.members = make([]within, len(i.counts)), make([]int, len(i.counts)), make([]fairness.Side, len(i.counts))
	}
	i.attributes = grouper.Attributes()
	i.missed = newListed(config)
	i.pairs = pairsOf(grouper.Comparisons())
	return i, nil
}

// Cluster says which field names a person, as monitor.cluster does.
func (i *Inspection) Cluster(field string) { i.cluster = field }

// CountUnlabelled makes records without a label count in the groups, as those of decisions do.
func (i *Inspection) CountUnlabelled() { i.unlabelled = true }

// Has says whether some record has a field.
func (i *Inspection) Has(name string) bool {
	return (&search{Inspection: i, columns: i.Columns()}).has(name)
}

// Add takes in one record, a JSON object. The error is the record.Rejection of one that cannot be learnt from.
func (i *Inspection) Add(raw []byte) error {
	err := i.decoder.DecodeJSON(&i.rec, raw)
	readable := i.open.DecodeJSON(&i.whole, raw) == nil
	if readable {
		i.profile.Add(&i.whole)
		i.missed.add(raw)
		if i.isTotal(&i.whole) {
			i.totals++
		}
		i.lost.add(&i.whole, i.profile.Records())
	}
	if err != nil {
		i.Reject(err)
		return err
	}
	i.weight.add(i.rec.Weight)
	if i.rec.Snapshot {
		i.snapshot++
	}
	if i.rec.HasLabel && i.rec.Weight > 0 && i.heldBack.Records() < i.config.Learner.Warmup {
		i.heldBack.Add(&i.rec)
	}
	repeated := false
	for f := range i.rec.Features {
		if name := i.rec.Features[f].Name; len(i.features) < profile.MaxColumns {
			i.features[name] = true
		}
	}
	i.parse()
	if i.rec.HasLabel {
		repeated = i.config.Record.Key == "" && i.copies.Add(&i.rec) // with a key, features and label come apart
		if i.config.Learner.Task == model.Classification {
			i.tellLabel(repeated)
			i.neighbours.Add(i.rec.Features, i.parsed, i.rec.Positive)
		}
		i.sequence.Add(i.rec.Positive)
		if !repeated {
			i.addUnlike()
			i.beside.Add(i.rec.Features, i.parsed, i.rec.Positive)
			i.original.Add(i.rec.Positive)
		}
		i.numbers.Add(i.rec.Label, 1)
	} else {
		i.missing++
	}
	if readable {
		i.first.Add(i.whole.Features, i.rec.HasLabel, i.rec.Positive, repeated)
		i.even.Add(i.whole.Features, i.rec.HasLabel, i.rec.Positive, repeated)
	}
	switch {
	case i.config.Record.Key == "" && i.rec.HasLabel:
		i.group(i.rec.Positive)
	case (i.config.Record.Key != "" || i.unlabelled) && i.hasAttribute():
		// Its label comes, or came, in a record of its own: it may meet every criterion's condition.
		i.group(i.rec.Positive || !i.rec.HasLabel)
	default:
		return nil
	}
	i.tellGroups(repeated)
	return nil
}

// parse reads the features of the present record as numbers, where they are, and keeps the first and the newest. Of texts, those of
// attributes included, it keeps how they are written.
func (i *Inspection) parse() {
	i.parsed = i.parsed[:0]
	for a := range i.rec.Attributes {
		if value := &i.rec.Attributes[a]; !value.Missing && math.IsNaN(table.Number(value.Text)) {
			i.addText(i.attributes[a], value.Text, record.Hash(value.Text))
		}
	}
	for f := range i.rec.Features {
		field := &i.rec.Features[f]
		x := math.NaN()
		if !field.Missing {
			x = table.Number(field.Text)
		}
		i.parsed = append(i.parsed, x)
		if field.Missing || !i.features[field.Name] {
			continue
		}
		if math.IsNaN(x) {
			i.addText(field.Name, field.Text, field.Hash)
			continue
		}
		i.writtenOf(field.Name).numerals.add(field.Text)
		e := i.ends[field.Name]
		if e == nil {
			e = &ends{}
			i.ends[field.Name] = e
		}
		e.add(x)
		e.powers.add(x)
		e.rise.add(x)
	}
}

func (i *Inspection) writtenOf(name string) *written {
	w := i.written[name]
	if w == nil {
		w = &written{}
		i.written[name] = w
	}
	return w
}

func (i *Inspection) addText(name string, text []byte, hash uint64) {
	if i.writtenOf(name).add(text, hash, i.texts < allTexts) {
		i.texts++
	}
}

// addUnlike takes in the present record as if it had no label, so that records that differ in it only are the same.
func (i *Inspection) addUnlike() {
	if i.config.Learner.Task != model.Classification || i.config.Record.Key != "" {
		return
	}
	positive, label := i.rec.Positive, i.rec.Label
	i.rec.Positive, i.rec.Label = false, 0
	i.unlike.Add(&i.rec)
	i.rec.Positive, i.rec.Label = positive, label
}

// hasAttribute says whether the record has one of the attributes, as a record that only brings a label does not.
func (i *Inspection) hasAttribute() bool {
	return slices.ContainsFunc(i.rec.Attributes, func(v record.Value) bool { return !v.Missing })
}

// Reject counts a record that cannot be read.
func (i *Inspection) Reject(err error) {
	if rejection, ok := errors.AsType[*record.Rejection](err); ok {
		i.rejected[rejection.Reason]++
		if i.rejection == nil {
			i.rejection = rejection
		}
	}
}
