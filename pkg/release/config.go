package release

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// Config is the section release of the configuration. A zero field has its default.
type Config struct {
	// Enabled is whether versions are tested before they become stable. Default true.
	Enabled *bool `yaml:"enabled,omitempty"`
	// Limit is the largest absolute difference that a stable version may have. It must not be below the tau of a constraint. With 0, the limit of each
	// constraint is its tau plus 0.02. The limit of a ratio is always tau − 0.02, and that of a mean difference 1.4 tau.
	Limit float64 `yaml:"limit,omitempty"`
	// Delta is by how much the log loss and the share of errors of a version may be above those of the best of the last stable versions.
	// For a regression it is a share of the mean squared error of that best version. In (0, 1).
	Delta float64 `yaml:"delta"`
	// Confidence is 1 minus the probability that one bad version becomes stable. In [0.5, 1).
	Confidence float64 `yaml:"confidence"`
	// MinimumRecords is how many records each side of a comparison needs.
	MinimumRecords int64 `yaml:"minimum_records"`
	// MinimumLabels is how many records with a label the comparison of losses needs.
	MinimumLabels int64 `yaml:"minimum_labels"`
	// MostUnknown is the largest share of records without the attribute of a comparison. In (0, 1].
	MostUnknown float64 `yaml:"most_unknown"`
	// MostBytes is the largest size of a document.
	MostBytes int `yaml:"most_bytes"`
	// Deadline is the number of decided records with full evidence after which a candidate that is not stable is rejected.
	Deadline int64 `yaml:"deadline"`
	// Patience is the number of decided records, with or without a label, after which a candidate is rejected because labels did not come.
	Patience int64 `yaml:"patience"`
	// CoolDown is the number of decided records after a change of the stable version during which no candidate becomes stable.
	CoolDown int64 `yaml:"cool_down"`
	// RunLength is the least mean number of decided records between two tests that wrongly ask for a withdrawal. All comparisons count together.
	RunLength float64 `yaml:"run_length"`
	// AlarmRunLength is the least mean number of decided records between two false alarms about the stable version. Such an alarm says that a
	// difference has left tau. It withdraws no version.
	AlarmRunLength float64 `yaml:"alarm_run_length"`
	// Anchors is how many of the last stable versions are kept: candidates are compared with the best, and a withdrawal returns to one.
	Anchors int `yaml:"anchors"`
	// SmallGroups is what happens if a group of an enforced comparison is too small to be measured before the deadline. With block, the
	// candidate is rejected at the deadline. With waive, the learner's own measurement decides. Values that group: each found are always waived.
	SmallGroups SmallGroups `yaml:"small_groups"`
	// Measured is whether constraints with enforce: false decide as well.
	Measured bool `yaml:"measured,omitempty"`
	// Share is the share of the records that the versions decide, chosen by a hash of their place. In (0, 1].
	Share float64 `yaml:"share"`
	// Rate is the largest number of records in a second that the versions decide. If more come, the share is halved as often as needed,
	// to no less than 1/1024 of it. Seconds are those of Kafka's timestamps. At least 1.
	Rate int64 `yaml:"rate"`

	// Regression says that labels are numbers. It is not part of the section: the caller sets it.
	Regression bool `yaml:"-"`
	// Cluster is the field that names a person, of whom the caller observes one record; empty if there is none. It is not part of the
	// section either. With another one the evidence begins again.
	Cluster string `yaml:"-"`
}

// SmallGroups is a rule about groups that are too small to be measured.
type SmallGroups string

// The rules.
const (
	Block SmallGroups = "block"
	Waive SmallGroups = "waive"
)

// slack is how far the limit of a rate is beyond tau by default: a sequence that has to lie within tau itself would reject most versions
// that a learner keeps just below tau. meanSlack is the same for mean differences, in units of tau.
const (
	slack     = 0.02
	meanSlack = 1.4
)

// On says whether versions are to be tested: by default they are.
func (c Config) On() bool { return c.Enabled == nil || *c.Enabled }

// Default is the configuration of an empty section.
func Default() Config { return Config{}.WithDefaults() }

// WithDefaults returns the configuration with every default filled in.
func (c Config) WithDefaults() Config {
	check.Default(&c.Delta, 0.005)
	check.Default(&c.Confidence, 0.95)
	check.Default(&c.MinimumRecords, 100)
	check.Default(&c.MinimumLabels, 1000)
	check.Default(&c.MostUnknown, 0.5)
	check.Default(&c.MostBytes, 16<<20)
	check.Default(&c.Deadline, 100_000)
	check.Default(&c.Patience, 10*c.Deadline)
	check.Default(&c.CoolDown, 5000)
	check.Default(&c.RunLength, 1_000_000)
	check.Default(&c.AlarmRunLength, 50_000)
	check.Default(&c.Anchors, 5)
	check.Default(&c.SmallGroups, Block)
	check.Default(&c.Share, 1)
	check.Default(&c.Rate, 100_000)
	return c
}

// mostCount bounds every number of records.
const mostCount = 1_000_000_000_000

// Validate returns every problem, each with its path below the section.
func (c Config) Validate() []record.Problem {
	v := check.Section{Prefix: "release."}
	if !(c.Limit >= 0 && c.Limit < 1) {
		v.Add("limit", "%v is outside 0 to 1: use a difference above every tau, such as 0.07, or remove the key", c.Limit)
	}
	if !(c.Delta > 0 && c.Delta < 1) {
		v.Add("delta", "%v is outside (0, 1): use a loss such as 0.005", c.Delta)
	}
	if !(c.Confidence >= 0.5 && c.Confidence < 1) {
		v.Add("confidence", "%v is outside [0.5, 1): use a number such as 0.95", c.Confidence)
	}
	check.Between(&v, "minimum_records", c.MinimumRecords, 1, mostCount)
	check.Between(&v, "minimum_labels", c.MinimumLabels, 100, mostCount)
	if !(c.MostUnknown > 0 && c.MostUnknown <= 1) {
		v.Add("most_unknown", "%v is outside (0, 1]: use a share such as 0.5", c.MostUnknown)
	}
	check.Between(&v, "most_bytes", c.MostBytes, 1, math.MaxInt32)
	check.Between(&v, "deadline", c.Deadline, 1000, mostCount)
	check.Between(&v, "patience", c.Patience, c.Deadline, 100*mostCount)
	check.Between(&v, "cool_down", c.CoolDown, 1, mostCount)
	check.Between(&v, "run_length", c.RunLength, 1000, 1e15)
	check.Between(&v, "alarm_run_length", c.AlarmRunLength, 1000, 1e15)
	check.Between(&v, "anchors", c.Anchors, 2, 20)
	check.OneOf(&v, "small_groups", c.SmallGroups, Block, Waive)
	if !(c.Share > 0 && c.Share <= 1) {
		v.Add("share", "%v is outside (0, 1]: use 1 for all records, or a smaller share", c.Share)
	}
	check.Between(&v, "rate", c.Rate, 1, mostCount)
	return v.Problems
}

// problem is the first problem as an error, nil without one.
func (c Config) problem() error {
	for _, p := range c.Validate() {
		return fmt.Errorf("release: %s: %s", p.Path, p.Message)
	}
	return nil
}

// bound is a comparison with its limit in place of tau.
func (c Config) bound(about fairness.Comparison) (fairness.Comparison, error) {
	switch tau := about.Tau; {
	case about.Criterion.OfMeans():
		about.Tau *= meanSlack
	case about.Criterion.OfRatio():
		about.Tau = max(tau/2, tau-slack)
	case c.Limit == 0:
		about.Tau = min((1+tau)/2, tau+slack)
	case c.Limit < tau:
		return about, fmt.Errorf("release: release.limit: %v is below %v, the tau of %s: use a limit that is above every tau, such as %.3g",
			c.Limit, tau, about.Name, tau+slack)
	default:
		about.Tau = c.Limit
	}
	return about, nil
}

// limits are the settings, and what follows from them about each comparison.
type limits struct {
	config     Config
	grouper    *fairness.Grouper     // nil without comparisons
	bounds     []fairness.Comparison // the comparisons without their groups, and with their limits in place of tau
	withdrawAt float64               // the evidence at which a test says to withdraw
	alarmAt    []float64             // the evidence at which an alarm about means is raised, by comparison
}

func newLimits(config Config, grouper *fairness.Grouper) (*limits, error) {
	config = config.WithDefaults()
	if err := config.problem(); err != nil {
		return nil, err
	}
	l := &limits{config: config, grouper: grouper, withdrawAt: config.RunLength}
	for _, c := range l.comparisons() {
		bound, err := config.bound(c)
		if err != nil {
			return nil, err
		}
		bound.Group, bound.Versus = nil, nil // whose labels would be made at every look
		l.bounds = append(l.bounds, bound)
	}
	l.withdrawAt *= float64(max(1, len(l.bounds)))
	if l.hasMeans() {
		for _, share := range grouper.Shares() {
			l.alarmAt = append(l.alarmAt, config.AlarmRunLength/share)
		}
	}
	return l, nil
}

func (l *limits) comparisons() []fairness.Comparison {
	if l.grouper == nil {
		return nil
	}
	return l.grouper.Comparisons()
}

// decides says whether a comparison decides, or is only shown.
func (l *limits) decides(i int) bool { return l.bounds[i].Enforce || l.config.Measured }

func (l *limits) hasMeans() bool {
	return slices.ContainsFunc(l.bounds, func(c fairness.Comparison) bool { return c.Criterion.OfMeans() })
}

func (l *limits) counted() bool {
	return !l.config.Regression && len(l.bounds) > 0 && !l.hasMeans()
}

// look is the number of records between two looks at the evidence. Sequences hold at every record, so any schedule keeps their level.
const look = 64

func (l *limits) monitorOf(id string, v Version) monitor.Config {
	return monitor.Config{Subject: monitor.Subject{ID: id, Title: "Version " + v.String(), Kind: monitor.Version}, Grouper: l.grouper,
		Confidence: l.config.Confidence, RunLength: l.config.AlarmRunLength, Look: look}
}

// newMonitor returns a monitor for a version; nil if no comparison is one of rates.
func (l *limits) newMonitor(id string, v Version) *monitor.Monitor {
	if !l.counted() {
		return nil
	}
	one, err := monitor.New(l.monitorOf(id, v))
	if err != nil {
		panic("release: settings of a monitor that were valid no longer are")
	}
	return one
}
