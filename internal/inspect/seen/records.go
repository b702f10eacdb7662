package seen

import (
	"time"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Records is what is kept of records: what they hold of what a configuration names.
type Records struct {
	Config model.Config
	// Cluster is the field of monitor.cluster, if any.
	Cluster string
	// WithUnlabelled says that records without a label count in the groups, as those of decisions do.
	WithUnlabelled bool
	// Labels is how many further messages only brought the label of one of the records (record.key).
	Labels int
	// Early is how many messages only brought the label of a record that came after them.
	Early int
	// Delays are how long after their records such messages came, by record.time, and Age is the one at which records no longer wait for them
	// (stream.labels.age), 0 if they do.
	Delays []time.Duration
	Age    time.Duration

	Profile    profile.Profile
	Grouper    *fairness.Grouper
	Attributes []string
	Features   map[string]bool   // fields that are features
	Label      clue.Classes      // positive labels and negative ones
	Sequence   Labels            // the same, in their order
	IDs        distinct.Contents // of record.id
	Copies     profile.Copies    // among the records with a label
	Unlike     profile.Copies    // records that are the same but for the label, among those that are no copies
	Lost       Swallowed         // lines of the file
	Strata     []Within          // by comparison; nil where none is within strata
	Pairs      []Pair            // of groups
	Neighbours clue.Neighbours   // features beside labels of other records
	Beside     clue.Pairs        // features beside each other
	First      table.Table       // of the first records, and of an even selection of all
	Even       table.Table
	Ends       map[string]*Ends    // of the numbers of each feature
	Written    map[string]*Written // of the texts of each feature and attribute
	Totals     int                 // lines that are probably sums of others
	Missed     *Listed             // nil where record.missing lists nothing of its own
	Weights    Weights
	Rejected   map[record.Reason]int64
	Rejection  *record.Rejection // the first

	heldBack profile.Profile // of the features of the records that a learner would hold back, to tell columns apart; unless isTold
	leftOut  []string        // columns that a learner left out of the features, if isTold
	isTold   bool
	kept     distinct.Names[kept] // by feature
	original Labels               // of the records that are no copies
	missing  int64                // records without a label
	snapshot int64                // rows of a snapshot
	numbers  fairness.Moments     // labels that are numbers
	counts   []Counts
	texts    int // that Written keeps
	known    int // the most values of a record
	present
}

// Counts are the records of one comparison: by side, and how many of them have a positive label. Records that
// do not meet the criterion's condition are in Excluded.
type Counts struct {
	fairness.Comparison
	Group, Versus, Neither, Unknown, Excluded int64
	GroupPositive, VersusPositive             int64
	KnownPositive, UnknownPositive            int64 // with the attribute, on any side, and without
	NoStratum, NoStratumPositive              int64 // of Unknown, those that have the attributes
}

// present is the record that is taken in.
type present struct {
	// decoder reads records as run would, open every field of them.
	decoder, open *record.Decoder
	rec, whole    record.Record
	features      []*kept   // what is kept of the features; nil of one that is not looked at
	parsed        []float64 // the features as numbers
	levels        []fairness.Level
	sides         []fairness.Side // by comparison
	strataOf      []int           // by comparison
	members       []fairness.Side // whatever its stratum
}

// kept is what is kept of a feature: nil before its first number, and before its first value.
type kept struct {
	ends    *Ends
	written *Written
}

// Weights are those of the records, how many there are and how many of them are 0.
type Weights struct{ Records, Zeros, sum, squares float64 }

func (w *Weights) add(x float64) {
	w.Records++
	w.sum += x
	w.squares += x * x
	if x == 0 {
		w.Zeros++
	}
}

// Count is how many records of equal weight would count as much; 0 where all weights are.
func (w *Weights) Count() float64 {
	if w.squares == 0 {
		return 0
	}
	return w.sum * w.sum / w.squares
}

// New has seen no record. The configuration is a checked one with its defaults.
func New(config model.Config) (*Records, error) {
	schema, err := config.Schema()
	if err != nil {
		return nil, err
	}
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	comparisons := grouper.Comparisons()
	r := &Records{
		Config:     config,
		Grouper:    grouper,
		Attributes: grouper.Attributes(),
		Features:   map[string]bool{},
		Pairs:      pairsOf(comparisons),
		First:      table.Table{First: true},
		Ends:       map[string]*Ends{},
		Written:    map[string]*Written{},
		Missed:     newListed(config),
		Rejected:   map[record.Reason]int64{},
		present: present{
			decoder: schema.LabelOptional().NewDecoder(),
			open:    profile.AllFeatures(schema.Config()).NewDecoder(),
			levels:  make([]fairness.Level, len(grouper.Attributes())),
			sides:   make([]fairness.Side, len(comparisons)),
		},
	}
	for _, comparison := range comparisons {
		r.counts = append(r.counts, Counts{Comparison: comparison})
	}
	if grouper.Within() {
		r.Strata, r.strataOf, r.members = make([]Within, len(comparisons)), make([]int, len(comparisons)), make([]fairness.Side, len(comparisons))
	}
	return r, nil
}

// LeaveOut tells which columns a learner left out of the features after the same records, so that it need not be found out.
func (r *Records) LeaveOut(columns []string) { r.isTold, r.leftOut = true, columns }
