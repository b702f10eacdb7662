package report

// Page is what the page shows.
type Page struct {
	Job, Program, Input string
	// Learnt says what was learnt from, Measured what was measured on, Spread what the lines about a number mean.
	Learnt, Measured, Spread string
	// Varied is what differs between the variants: tau or relaxation.
	Varied   string
	Variants []Variant
	// Unconstrained is the model without constraints, nil if there is none.
	Unconstrained *Variant
	// Constant is the accuracy of a constant decision, or its error in a regression.
	Constant Number
	Notes    []string
}

// Variant is one model, or the models of several folds together.
type Variant struct {
	Name        string
	Qualities   []Number
	Constraints []Constraint
	Pairs       []Pair
	Columns     []Column
}

// Number is a number with an interval; NaN stands for what is not known.
type Number struct {
	Name          string
	Value, Lo, Hi float64
}

// Constraint is the difference of one constraint.
type Constraint struct {
	Name, Criterion, Group, Versus string
	Difference                     Number
	Tau                            float64
	Enforced                       bool
	Status                         string // the verdict, or in how many holdouts the difference was within tau
}

// Pair is two groups, as they are treated.
type Pair struct {
	Name          string
	Group, Versus Side
	Ratio         Number // the impact ratio
}

// Side is one of them.
type Side struct {
	Label   string
	Records int64
	Rates   []Number // in the same order on both sides
	// Right and Wrong are decisions, by what was decided.
	RightPositive, WrongPositive, RightNegative, WrongNegative float64
	Calibration                                                []CalibrationPoint
}

// CalibrationPoint is a range of scores with records.
type CalibrationPoint struct {
	Score   float64 // mean
	Rate    Number  // share of positive labels
	Records int64
}

// Column is what one column adds to the difference of the mean margins of each pair, with the constraint and without.
type Column struct {
	Name              string
	Importance, Share float64
	With, Without     []float64 // by pair; Without is nil without an unconstrained model
}
