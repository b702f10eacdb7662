package statement

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// leastHalved is of how many records just half are rarely positive by chance.
const leastHalved = 1000

// mostLimits is how many constraints are put in words.
const mostLimits = 4

// decision says what is decided, or predicted.
func (s *Sample) decision() string {
	label := s.config.Record.Label
	if s.Decision != "" {
		return s.Decision
	}
	if s.known == 0 {
		return "no record has a label yet."
	}
	if s.config.Learner.Task == model.Regression {
		var x []float64
		for r := range s.rows {
			if s.rows[r].labelled {
				x = append(x, s.rows[r].label)
			}
		}
		x = sorted(x)
		of := column{}
		return fmt.Sprintf("the number %s is predicted. The labels are from %s to %s, half of them below %s.", quoted(label.Field), of.number(x[0]), of.number(x[len(x)-1]), of.number(x[len(x)/2]))
	}
	text := english.Sprintf("a positive decision means %s in %s. %d of %d records have that label (%s), and every other value is negative.",
		quoted(string(label.Positive)), quoted(label.Field), s.positive, s.known, english.Share(int(s.positive), int(s.known)))
	if 2*s.positive == s.known && s.known >= leastHalved {
		text += " That is exactly half: was the file balanced? Then rates and probabilities hold for no other records."
	}
	if shares := s.byQuarter(s.all()); shares != nil {
		text += fmt.Sprintf(" In the four quarters of the records it is %s.", english.And(shares))
	}
	return text + s.harmWords() + s.decidedWords()
}

// all are the rows in their order.
func (s *Sample) all() []int {
	rows := make([]int, len(s.rows))
	for r := range rows {
		rows[r] = r
	}
	return rows
}

// byQuarter are the shares of positive labels in the four quarters of some rows; nil where there are few, or no classes.
func (s *Sample) byQuarter(rows []int) (shares []string) {
	if len(rows) < quarters*leastCompared || s.known == 0 || s.config.Learner.Task == model.Regression {
		return nil
	}
	known, positive := s.labelsByQuarter(rows)
	for q := range quarters {
		if known[q] == 0 {
			shares = append(shares, "none is known")
			continue
		}
		shares = append(shares, share(float64(positive[q])/float64(known[q])))
	}
	return shares
}

// labelsByQuarter are how many labels are known in each quarter of some rows, and how many of them are positive.
func (s *Sample) labelsByQuarter(rows []int) (known, positive [quarters]int) {
	for i, r := range rows {
		if of := s.rows[r]; of.labelled {
			q := quarters * i / len(rows)
			known[q]++
			if of.positive {
				positive[q]++
			}
		}
	}
	return known, positive
}

// limits say what each constraint allows, and what the labels are like.
func (s *Sample) limits() (said []string) {
	more := 0
	for k, c := range s.grouper.Comparisons() {
		if !c.Known() {
			continue
		}
		if len(said) == mostLimits {
			more++
			continue
		}
		said = append(said, s.limit(k, c))
	}
	if more > 0 {
		said = append(said, english.Counted(more, "more comparison")+" not shown.")
	}
	if len(said) == 0 {
		said = append(said, "there is none, so groups may be treated in any way.")
	}
	return said
}

func (s *Sample) limit(k int, c fairness.Comparison) string {
	group, versus := quoted(c.GroupLabel()), quoted(c.VersusLabel())
	among, what := "", "the shares of "+group+" and of "+versus+" that get a positive decision"
	switch c.Criterion.Parts()[0] {
	case fairness.EqualOpportunity:
		among = "of the records with a positive label, "
	case fairness.PredictiveEquality:
		among = "of the records with a negative label, "
	case fairness.MeanDifference:
		what = "the mean predictions for " + group + " and for " + versus
	}
	text := among + what + " may differ by " + english.Number(c.Tau)
	switch {
	case c.Criterion.OfRatio():
		text = among + "the smaller of " + what + " is to be at least " + english.Number(c.Tau) + " of the larger"
	case !c.Criterion.OfMeans():
		text = among + what + " may differ by " + english.Number(100*c.Tau) + " points"
	}
	if c.Strata != "" {
		text += ", within each value of " + quoted(c.Strata)
	}
	if !c.Enforce {
		text += ", which is measured and not kept"
	}
	text += "."
	var n, positive [2]int
	outside, unknown := 0, 0
	for r, of := range s.rows {
		at := 0
		switch s.sides[k][r] {
		case fairness.Versus:
			at = 1
		case fairness.Group:
		case fairness.Neither:
			outside++
			continue
		default:
			unknown++
			continue
		}
		if of.labelled {
			n[at]++
			if of.positive {
				positive[at]++
			}
		}
	}
	if c.Criterion.OfMeans() {
		text += s.ofSpread(c.Tau)
	}
	if n[0] > 0 && n[1] > 0 && s.config.Learner.Task == model.Classification {
		text += english.Sprintf(" Of the labels, %s are positive for %s (%d records) and %s for %s (%d).", share(float64(positive[0])/float64(n[0])), group, n[0],
			share(float64(positive[1])/float64(n[1])), versus, n[1])
	}
	if of := len(s.rows); outside > 0 {
		text += fmt.Sprintf(" In neither group: %s of the records%s.", english.Share(outside, of), s.valuesOn(k, c, fairness.Neither))
	}
	if c.Rest {
		text += fmt.Sprintf(" The rest is%s.", strings.TrimPrefix(cmp.Or(s.valuesOn(k, c, fairness.Versus), ", everybody else"), ","))
	}
	if of := len(s.rows); unknown > 0 {
		text += fmt.Sprintf(" Without %s: %s.", attributes(c), english.Share(unknown, of))
	}
	if c.Criterion == fairness.DemographicParity && n[0] > 0 && n[1] > 0 {
		if p, q := float64(positive[0])/float64(n[0]), float64(positive[1])/float64(n[1]); c.Tau >= max(p, q) {
			text += " Both are below that limit, so that it hardly bounds anything. Is a ratio (impact-ratio) or a smaller tau meant?"
		}
	}
	return text + s.gaps(k)
}

// valuesOn lists the values of the attribute of a comparison on one side, with their records, the most frequent first; nothing if there are many.
func (s *Sample) valuesOn(k int, c fairness.Comparison, side fairness.Side) string {
	if len(c.Group) != 1 {
		return ""
	}
	of := s.names.Of(c.Group[0].Attribute)
	if of == nil || of.texts == nil {
		return ""
	}
	rows := map[uint64]int{}
	for r, is := range s.sides[k] {
		if is == side {
			rows[of.hashes[r]]++
		}
	}
	hashes := slices.SortedFunc(maps.Keys(rows), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(rows[b], rows[a]), cmp.Compare(of.texts[a], of.texts[b]))
	})
	var words []string
	for _, hash := range hashes {
		words = append(words, english.Sprintf("%s (%d)", quoted(of.texts[hash]), rows[hash]))
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + some(words, mostValuesShown)
}

// mostValuesShown is how many values of a side are named.
const mostValuesShown = 5

// adverse are words of labels that are bad for a person, and decided those of labels that somebody has decided.
var (
	adverse = strings.Fields(`default defaulted rejected reject rejection denied deny denial declined refused fraud churn churned attrition cancelled canceled
		dismissed fired laidoff evicted eviction expelled suspended sanctioned sanction penalized fined arrested rearrest rearrested reoffended recidivism recid
		convicted guilty delinquent delinquency late overdue bankrupt bankruptcy insolvent unemployed unemployment jobless homeless dropout failed died death
		mortality readmitted readmission bad
		abgelehnt kündigung kuendigung gekündigt gekuendigt ausfall zahlungsausfall betrug arbeitslos sanktioniert verurteilt
		refusé refuse défaut defaut fraude licencié chômage rechazado denegado impago moroso despedido desempleado
		respinto respinta insolvente insolvenza frode licenziato negado inadimplente inadimplencia inadimplência afgewezen wanbetaling odrzucono дефолт 延滞`)
	decided = strings.Fields(`granted approved approval accepted admitted hired invited shortlisted selected promoted awarded offered denied deny denial declined
		rejected refused sanctioned dismissed expelled arrested decision decided
		bewilligt genehmigt abgelehnt eingestellt eingeladen accordé accorde accordée accepté embauché embauche refusé
		aprobado contratado rechazado denegado admitido approvato approvata assunto respinto aprovado goedgekeurd aangenomen beviljad godkänd przyznano przyznany`)
)

// hasWord says whether a text has one of some words.
func hasWord(text string, words []string) bool {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(parts, func(word string) bool { return slices.Contains(words, word) })
}

// isAdverse says whether a positive label is bad for a person, by its value or, where that says yes, by its name.
func isAdverse(label record.Label) bool {
	denies := []string{"no", "not", "non", "never", "without", "nicht", "kein", "keine"}
	yes := slices.Contains([]string{"1", "true", "yes", "y", "t", "ja", "oui", "si"}, strings.ToLower(string(label.Positive)))
	is := func(text string) bool { return hasWord(text, adverse) && !hasWord(text, denies) }
	return is(string(label.Positive)) || yes && is(label.Field)
}

// harmWords say of a label that is bad for a person that a positive decision is, too, and of which rates other limits would be.
func (s *Sample) harmWords() string {
	label := s.config.Record.Label
	if !isAdverse(label) {
		return ""
	}
	text := fmt.Sprintf(" By its words that is bad for a person, so a positive decision is then the harm: who gets %s is predicted, and limits are about those decisions.", quoted(string(label.Positive)))
	var names []string
	for _, c := range s.grouper.Comparisons() {
		of := string(c.Criterion)
		if c.Known() && (c.Criterion.NeedsLabel() || c.Criterion.OfRatio()) && !slices.Contains(names, of) {
			names = append(names, of)
		}
	}
	if len(names) > 0 {
		text += fmt.Sprintf(" If %s is meant for those who are spared it, the other value is the one for record.label.positive.", english.And(names))
	}
	return text
}

// decidedWords say of a label that somebody has decided what rates that depend on it are about.
func (s *Sample) decidedWords() string {
	if label := s.config.Record.Label; !hasWord(label.Field, decided) && !hasWord(string(label.Positive), decided) {
		return ""
	}
	text := " By its words this label is what somebody decided, so what is learnt are those decisions, unfair ones too."
	if slices.ContainsFunc(s.grouper.Comparisons(), func(c fairness.Comparison) bool { return c.Known() && c.Criterion.NeedsLabel() }) {
		text += " Rates among positive or negative labels are then about the people whom earlier deciders chose or did not."
	}
	return text
}

// gaps are the differences between the groups in each quarter of the records, if one of them is unlike the others by more than chance.
func (s *Sample) gaps(k int) string {
	var n, positive [quarters][2]float64
	for r, of := range s.rows {
		side := s.sides[k][r]
		if !of.labelled || side != fairness.Group && side != fairness.Versus {
			continue
		}
		q, at := quarters*r/len(s.rows), 0
		if side == fairness.Versus {
			at = 1
		}
		n[q][at]++
		if of.positive {
			positive[q][at]++
		}
	}
	difference := func(n, positive [2]float64) (gap, variance float64) {
		p, q := positive[0]/n[0], positive[1]/n[1]
		return p - q, p*(1-p)/n[0] + q*(1-q)/n[1]
	}
	var said []string
	unlike := false
	for q := range quarters {
		var others, positiveOthers [2]float64
		for o := range quarters {
			for at := range 2 {
				if o != q {
					others[at], positiveOthers[at] = others[at]+n[o][at], positiveOthers[at]+positive[o][at]
				}
			}
		}
		if min(n[q][0], n[q][1], others[0], others[1]) < leastOfClass {
			return ""
		}
		gap, variance := difference(n[q], positive[q])
		rest, varianceOfRest := difference(others, positiveOthers)
		said = append(said, fmt.Sprintf("%.0f", 100*gap))
		if deviation := math.Sqrt(variance + varianceOfRest); deviation > 0 {
			unlike = unlike || tail(math.Abs(gap-rest)/deviation) >= beyondChance
		}
	}
	if !unlike {
		return ""
	}
	return fmt.Sprintf(" In the four quarters of the records that difference is %s points.", english.And(said))
}

// ofSpread says what a bound of means is beside the spread of the labels.
func (s *Sample) ofSpread(tau float64) string {
	n, mean, squares := 0., 0., 0.
	for _, of := range s.rows {
		if of.labelled {
			n++
			off := of.label - mean
			mean += off / n
			squares += off * (of.label - mean)
		}
	}
	if n < 2 || squares == 0 {
		return ""
	}
	return fmt.Sprintf(" That is %s of their standard deviation, %s.", english.FourDigits(tau/math.Sqrt(squares/n)), english.FourDigits(math.Sqrt(squares/n)))
}

func attributes(c fairness.Comparison) string {
	var names []string
	for _, term := range c.Group {
		names = append(names, quoted(term.Attribute))
	}
	return english.And(names)
}
