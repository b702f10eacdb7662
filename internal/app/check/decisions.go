package check

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// decisions are those of another model that records contain, held against the section monitor.
type decisions struct {
	given   observe.Given
	decoder *record.Decoder
	rec     record.Record

	records, decided, positive int64 // with a decision of monitor.decision, and positive ones
	scored, spoilt, above      int64 // with a score, of these no numbers, and from the threshold on
	low, high                  float64
	byDecision, byLabel        [2]scores // of negative and positive ones
	named                      int64     // with the name of a model
}

const (
	// Of leastDecisions or more, at most mostAlike are alike: else there is hardly a difference to find.
	leastDecisions = 200
	mostAlike      = .98
	// Scores are turned round if each side has leastScored, and the mean of the positive ones is turnedDeviations standard errors below that of the others.
	leastScored      = 30
	turnedDeviations = 6
)

// newDecisions is nil for a job that learns. The configuration becomes the one that monitor reads records with: no field but those of decisions counts.
func newDecisions(of *model.Config, given observe.Given) (*decisions, error) {
	if len(given.Fields()) == 0 {
		return nil, nil
	}
	of.Record.Features = nil
	for _, field := range given.Fields() {
		if !slices.Contains(of.Record.Features, field) { // two keys may name one
			of.Record.Features = append(of.Record.Features, field)
		}
	}
	schema, err := of.Schema()
	if err != nil {
		return nil, err
	}
	return &decisions{given: given, decoder: schema.LabelOptional().NewDecoder(), low: math.Inf(1), high: math.Inf(-1)}, nil
}

// add takes in one record, a JSON object. One that cannot be read is counted elsewhere.
func (d *decisions) add(raw []byte) {
	if d == nil || d.decoder.DecodeJSON(&d.rec, raw) != nil {
		return
	}
	d.records++
	decision, positive, score := false, false, math.NaN()
	for i := range d.rec.Features {
		f := &d.rec.Features[i]
		if f.Missing {
			continue
		}
		switch f.Name {
		case d.given.Decision.Field:
			d.decided++
			decision = true
			if positive = string(f.Text) == string(d.given.Decision.Positive); positive {
				d.positive++
			}
		case d.given.Model:
			d.named++
		}
		if f.Name == d.given.Score.Field {
			score = d.score(f.Text)
		}
	}
	if decision {
		d.byDecision[at(positive)].add(score)
	}
	if d.rec.HasLabel {
		d.byLabel[at(d.rec.Positive)].add(score)
	}
}

// scores are the scores of some records.
type scores struct{ n, mean, squares float64 }

func (s *scores) add(x float64) {
	if math.IsNaN(x) {
		return
	}
	s.n++
	off := x - s.mean
	s.mean += off / s.n
	s.squares += off * (x - s.mean)
}

func at(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// farBelow says whether positive records have lower scores than negative ones, by turnedDeviations standard errors.
func farBelow(of [2]scores) bool {
	if min(of[0].n, of[1].n) < leastScored {
		return false
	}
	deviation := math.Sqrt(of[0].squares/(of[0].n*of[0].n) + of[1].squares/(of[1].n*of[1].n))
	return of[0].mean-of[1].mean > turnedDeviations*deviation
}

// score takes in one, and returns it, NaN if it is not a number.
func (d *decisions) score(text []byte) float64 {
	d.scored++
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		d.spoilt++
		return math.NaN()
	}
	d.low, d.high = min(d.low, x), max(d.high, x)
	if x >= d.given.Threshold() {
		d.above++
	}
	return x
}

// findings are what is odd of the decisions; columns are those of the records.
func (d *decisions) findings(columns []profile.Column, values func(field string) string) (found []find.Finding) {
	if d == nil || d.records == 0 {
		return nil
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	add := func(fatal bool, path, text string, arguments ...any) {
		found = append(found, find.Finding{Fatal: fatal, Path: path, Text: english.Sprintf(text, arguments...)})
	}
	absent := func(fatal bool, path, field, so string) {
		if slices.Contains(names, field) {
			add(fatal, path, "%q is missing in every record: %s. Name another field", field, so)
			return
		}
		add(fatal, path, "no record has a field %q%s: %s", field, english.DidYouMeanField(field, names), so)
	}
	decision, score := d.given.Decision, d.given.Score
	if decision.Field != "" {
		switch {
		case d.decided == 0 && d.scored == 0:
			absent(true, "monitor.decision.field", decision.Field, "each record becomes a dead letter (missing_decision), unless it brings only a label. Name the field that contains the decision, or give monitor the topic of decisions in topics.input")
		case d.decided == 0:
			absent(false, "monitor.decision.field", decision.Field, "decisions are made of the score alone")
		case d.positive == 0:
			add(true, "monitor.decision.positive", "none of %d decisions is %q, so all of them count as negative%s. Set it to the value of a positive decision", d.decided, string(decision.Positive), values(decision.Field))
		case refuses(decision, columns):
			add(false, "monitor.decision.positive", "%q has the name of a refusal%s. Set it to the value of a decision in a person's favour, unless refusals are to be compared", string(decision.Positive), values(decision.Field))
		default:
			d.alike(add, "monitor.decision.positive", d.decided, d.positive, values(decision.Field))
		}
	}
	if score.Field != "" {
		numbers := d.scored - d.spoilt
		switch {
		case d.scored == 0:
			if d.decided > 0 || decision.Field == "" {
				absent(decision.Field == "", "monitor.score.field", score.Field, "name the field that contains the score")
			}
		case numbers == 0:
			add(true, "monitor.score.field", "%q contains no number in any of the %d records, so each becomes a dead letter (bad_score): name the field that contains the score", score.Field, d.scored)
		case decision.Field != "":
		case d.above == 0 || d.above == numbers:
			d.outside(add, numbers)
		default:
			d.alike(add, "monitor.score.threshold", numbers, d.above, "")
		}
		switch {
		case farBelow(d.byDecision):
			add(false, "monitor.score.field", "%q is lower where the decision is positive (%s on average) than where it is negative (%s): monitor takes it for the probability of a positive label. Name the field with that one, or write 1 less the score",
				score.Field, english.FourDigits(d.byDecision[1].mean), english.FourDigits(d.byDecision[0].mean))
		case farBelow(d.byLabel):
			add(false, "monitor.score.field", "%q is lower where the label is positive (%s on average) than where it is negative (%s): is it the probability of the other label? Then the decisions are turned round, too. Write 1 less the score, or change record.label.positive",
				score.Field, english.FourDigits(d.byLabel[1].mean), english.FourDigits(d.byLabel[0].mean))
		}
		if d.spoilt > 0 && numbers > 0 {
			add(false, "monitor.score.field", "%q contains no number in %d of %d records, and these become dead letters (bad_score)", score.Field, d.spoilt, d.scored)
		}
	}
	if d.given.Model != "" && d.named == 0 {
		absent(true, "monitor.model", d.given.Model, "each record becomes a dead letter (missing_model). Name the field that contains the name of the model, or remove the key")
	}
	return found
}

// meaning says what a positive decision is; nothing for a job that learns.
func (d *decisions) meaning() string {
	switch {
	case d == nil:
		return ""
	case d.decided > 0:
		return english.Sprintf("a positive decision means %s in %s, as in %d of %d decisions (%s). Every other value is a negative one.",
			words.Quote(string(d.given.Decision.Positive)), words.Quote(d.given.Decision.Field), d.positive, d.decided, english.Share(int(d.positive), int(d.decided)))
	case d.scored > d.spoilt:
		return english.Sprintf("a decision is positive where %s is at least %s, as in %d of %d records (%s).",
			words.Quote(d.given.Score.Field), english.Number(d.given.Threshold()), d.above, d.scored-d.spoilt, english.Share(int(d.above), int(d.scored-d.spoilt)))
	}
	return ""
}

// outside tells of a threshold that no score is below, or none reaches.
func (d *decisions) outside(add func(fatal bool, path, text string, arguments ...any), numbers int64) {
	t := d.given.Threshold()
	what, advice := "positive", "Set it between the scores"
	if d.above == 0 {
		what = "negative"
	}
	if d.low >= 0 && d.high > 1 && d.high <= 100 && t > 0 && t < 1 {
		advice = "If the scores are per cent, set it to " + english.Number(100*t) + ", or write scores from 0 to 1 where the records are made, as calibration needs them"
	} else if d.low >= 0 && d.high <= 1 && t > 1 && t <= 100 {
		advice = "If it is per cent, set it to " + english.Number(t/100)
	}
	add(numbers >= leastDecisions, "monitor.score.threshold", "every one of %d decisions is %s: %q goes from %s to %s, and the threshold is %s. %s",
		numbers, what, d.given.Score.Field, english.FourDigits(d.low), english.FourDigits(d.high), english.Number(t), advice)
}

// alike tells of decisions that are nearly all the same.
func (d *decisions) alike(add func(fatal bool, path, text string, arguments ...any), path string, of, positive int64, values string) {
	most, what := max(positive, of-positive), "positive"
	if positive < of-positive {
		what = "negative"
	}
	if of < leastDecisions || float64(most) <= mostAlike*float64(of) {
		return
	}
	add(false, path, "%d of %d decisions are %s, which leaves hardly any difference between groups to find%s. Is this the right value?", most, of, what, values)
}

// Words of decisions.
var (
	refusals = strings.Fields("reject rejected rejection deny denied denial decline declined refuse refused refusal abgelehnt ablehnung refusé rechazado")
	favours  = strings.Fields("accept accepted acceptance approve approved approval grant granted admit admitted offer offered angenommen genehmigt zusage accepté aprobado")
)

// refuses says whether the positive decision has the name of a refusal, and another that of its opposite.
func refuses(decision observe.GivenDecision, columns []profile.Column) bool {
	is := func(words []string, text string) bool {
		return slices.Contains(words, strings.ToLower(strings.TrimSpace(text)))
	}
	at := slices.IndexFunc(columns, func(c profile.Column) bool { return c.Name == decision.Field })
	return at >= 0 && is(refusals, string(decision.Positive)) &&
		slices.ContainsFunc(columns[at].Shown, func(v profile.Value) bool { return is(favours, v.Text) })
}

// fit leaves out what findings say about learning, which a monitor does not do. It needs no labels.
func (d *decisions) fit(found []find.Finding, label string, labelled bool) []find.Finding {
	if d == nil {
		return found
	}
	var left []find.Finding
	for _, f := range found {
		switch {
		case strings.HasPrefix(f.Path, "learner.") || f.Path == "record.ignore" || f.Path == "record.features" || f.Path == "record" && strings.HasPrefix(f.Text, "there is no feature"):
			continue
		case strings.HasPrefix(f.Path, "record.label.") && !labelled && label == defaultLabel:
			continue
		case strings.HasPrefix(f.Path, "record.label.") || f.Path == "constraints":
			f.Fatal = false
		}
		left = append(left, f)
	}
	return left
}

// defaultLabel is the label of a configuration that names none.
const defaultLabel = "label"
