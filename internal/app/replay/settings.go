package replay

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// BundledConfig is the configuration for the bundled records, if no configuration is given.
func BundledConfig() *config.Config {
	c := config.Default()
	constraint := adult.DefaultConstraint()
	c.Job = "adult"
	c.Record = adult.RecordConfig()
	c.Constraints = []model.Constraint{{
		Name:      constraint.Name,
		Attribute: model.OneOrMore{constraint.Attribute},
		Group:     model.Values(constraint.Group),
		Versus:    model.Values(constraint.Versus),
		Criterion: fairness.Criterion(constraint.Criterion),
		Tau:       constraint.Tau,
	}}
	return &c
}

// Settings are what the command line and the configuration ask for.
type Settings struct {
	config                config.Config
	Inputs                []string // read in this order
	Holdout, Format, Save string   // Holdout is a file, or a share of the input
	Page                  string   // of --report
	taus                  []float64
	relaxations           []surrogate.Name
	JSON                  bool
	Folds                 int // 0 holds nothing out but what holdout names
	Orders                orders
}

// orders are the random orders in which replay reads its input; without a seed it is the file's order.
type orders struct {
	Seed   uint64
	seeded bool // --shuffle was given
	Number int  // of --orders, 0 without it
}

// mostOrders bounds how often replay --orders learns.
const mostOrders = 100

// seeds are those of the orders, none if the records are read in the file's order.
func (o orders) seeds() []uint64 {
	if !o.seeded && o.Number == 0 {
		return nil
	}
	first := o.Seed
	if !o.seeded {
		first = 1
	}
	seeds := make([]uint64, max(1, o.Number))
	for i := range seeds {
		seeds[i] = first + uint64(i)
	}
	return seeds
}

// words say in which order the records were read, if it was not the file's.
func (o orders) words() string {
	switch seeds := o.seeds(); len(seeds) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" in random order (seed %d)", seeds[0])
	default:
		return fmt.Sprintf(" in %d random orders (seeds %d to %d)", len(seeds), seeds[0], seeds[len(seeds)-1])
	}
}

// mostFolds bounds the learners that are in memory together, one for each fold and tau.
const mostFolds = 100

func (s *Settings) parseTaus(texts []string, given bool) error {
	if given && len(texts) == 0 {
		return errors.New("--tau is empty: give numbers above 0, such as 0.02,0.05,0.10")
	}
	for _, text := range texts {
		tau, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(tau > 0 && tau <= math.MaxFloat64) {
			return fmt.Errorf("--tau %s: give numbers above 0, such as 0.02,0.05,0.10", text)
		}
		s.taus = append(s.taus, tau)
	}
	if s.Save != "" && len(s.taus) > 1 {
		return errors.New("--save keeps one document: give one --tau with it")
	}
	return nil
}

// parseRelaxations reads --relaxation. Several of them are compared at one tau.
func (s *Settings) parseRelaxations(texts []string) error {
	for _, text := range texts {
		name, err := surrogate.Parse(text)
		if err != nil {
			return fmt.Errorf("--relaxation: %w", err)
		}
		if slices.Contains(s.relaxations, name) {
			return fmt.Errorf("--relaxation %s is given twice: remove one", name)
		}
		s.relaxations = append(s.relaxations, name)
	}
	switch {
	case len(s.relaxations) > 0 && len(s.taus) > 1:
		return errors.New("--relaxation compares relaxations at one bound: give one --tau with it")
	case len(s.relaxations) > 1 && s.Save != "":
		return errors.New("--save keeps one document: give one --relaxation with it")
	}
	return nil
}

// checkOrders says what --shuffle and --orders do not go with.
func (s *Settings) checkOrders(given bool) error {
	switch {
	case !given:
		return nil
	case s.Orders.Number < 2 || s.Orders.Number > mostOrders:
		return fmt.Errorf("--orders %d: give a number from 2 to %d", s.Orders.Number, mostOrders)
	case s.Folds == 0:
		return errors.New("--orders is for --folds: add --folds 5, so that each order is measured on all records")
	}
	return nil
}

// checkFolds says what --folds does not go with.
func (s *Settings) checkFolds() error {
	switch {
	case s.Folds < 2 || s.Folds > mostFolds:
		return fmt.Errorf("--folds %d: give a number from 2 to %d", s.Folds, mostFolds)
	case s.Folds*s.variants() > mostFolds:
		return fmt.Errorf("--folds %d with %d values of --tau or --relaxation: they make %d learners, %d are the most", s.Folds, s.variants(), s.Folds*s.variants(), mostFolds)
	case s.Holdout != "":
		return errors.New("--folds and --holdout are two ways to hold records out: give one")
	}
	return s.readableTwice("--folds reads its input twice")
}

// readableTwice is an error that begins with why, if the input can be read once only.
func (s *Settings) readableTwice(why string) error {
	if len(s.Orders.seeds()) > 0 || s.reads(input.Bundled) {
		return nil
	}
	for _, name := range s.Inputs {
		if name == input.StandardInput {
			return fmt.Errorf("%s, and standard input can be read once: name a file, or add --shuffle 1, which keeps the records in memory", why)
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %s is not a regular file", why, name)
		}
	}
	return nil
}

// again says whether the inputs can be read once more, in the order in which they came or from memory.
func (s *Settings) again() bool { return s.readableTwice("") == nil }

// reads says whether the input, or one of several, has a name.
func (s *Settings) reads(name string) bool { return slices.Contains(s.Inputs, name) }

// variants is how many configurations are learnt side by side.
func (s *Settings) variants() int { return max(1, len(s.taus), len(s.relaxations)) }

// variant is what the command line gave for the i-th configuration.
func (s *Settings) variant(i int) (tau *float64, relaxation surrogate.Name) {
	switch {
	case len(s.relaxations) > 0:
		relaxation = s.relaxations[i]
		if len(s.taus) > 0 {
			tau = &s.taus[0]
		}
	case len(s.taus) > 0:
		tau = &s.taus[i]
	}
	return tau, relaxation
}

// Adjust puts --relaxation and --tau on the constraints before the configuration is checked: a threshold is checked
// against the relaxation that it is for, and --tau may be the only tau. Of several values it takes the first; the
// learners check the others.
func (s *Settings) Adjust(c *config.Config) {
	constraints := slices.Clone(c.Constraints)
	for i := range constraints {
		if !constraints[i].Enforced() {
			continue
		}
		if len(s.relaxations) > 0 {
			constraints[i].Relaxation = s.relaxations[0]
		}
		if len(s.taus) > 0 && constraints[i].Tau == 0 {
			constraints[i].Tau = s.taus[0]
		}
	}
	c.Constraints = constraints
}
