package statement

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// leastHalved is of how many records just half are rarely positive by chance.
const leastHalved = 1000

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
		text := fmt.Sprintf("the number %s is predicted. The labels are from %s to %s, half of them below %s.", quoted(label.Field), of.number(x[0]), of.number(x[len(x)-1]), of.number(x[len(x)/2]))
		if len(slices.Compact(x)) == 2 && s.known >= leastHalved {
			text += " These are two values only: are positive and negative decisions meant (learner.task: classification, and record.label.positive)?"
		}
		return text
	}
	text := english.Sprintf("a positive decision means %s in %s. %d of %d records have that label (%s), and every other value is negative.",
		quoted(string(label.Positive)), quoted(label.Field), s.positive, s.known, english.Share(int(s.positive), int(s.known)))
	if 2*s.positive == s.known && s.known >= leastHalved {
		text += " That is exactly half: was the file balanced? Then rates and probabilities hold for no other records."
	}
	if shares := s.byQuarter(s.all()); shares != nil {
		text += fmt.Sprintf(" In the four quarters of the records it is %s.", english.And(shares))
		if s.unlikeByQuarter(s.all()) {
			text += " Does the label mean the same throughout, and were records of both labels kept alike?"
		}
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
		shares = append(shares, english.Percent(float64(positive[q])/float64(known[q])))
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

// timesRarer is how many times as frequent the rarer label is in one quarter as in another where they are unlike.
const timesRarer = 1.5

// unlikeByQuarter says whether the labels differ between the quarters of rows by more than chance and by much.
func (s *Sample) unlikeByQuarter(rows []int) bool {
	known, rarer := s.labelsByQuarter(rows)
	if all, of := rarer[0]+rarer[1]+rarer[2]+rarer[3], known[0]+known[1]+known[2]+known[3]; 2*all > of {
		for q := range rarer {
			rarer[q] = known[q] - rarer[q]
		}
	}
	for q := range quarters {
		for o := range q {
			if min(known[q], known[o]) < leastCompared {
				continue
			}
			p, r := float64(rarer[q])/float64(known[q]), float64(rarer[o])/float64(known[o])
			if max(p, r) >= timesRarer*min(p, r) && chance.OfShares(p, r, known[q], known[o]) >= beyondChance+math.Log(quarters*(quarters-1)) {
				return true
			}
		}
	}
	return false
}

// adverse are words of labels that are bad for a person, and decided those of labels that somebody has decided.
var (
	adverse = strings.Fields(`default defaulted rejected reject rejection denied deny denial declined refused fraud churn churned attrition cancelled canceled
		dismissed fired laidoff evicted eviction expelled suspended sanctioned sanction penalized fined arrested rearrest rearrested reoffended recidivism recid
		convicted guilty delinquent delinquency late overdue bankrupt bankruptcy insolvent unemployed unemployment jobless homeless dropout fail failed failing failure died death
		mortality readmitted readmission bad chargedoff chargeoff writtenoff lapsed terminated foreclosed foreclosure repossessed recidivist incarcerated detained
		deactivated deactivation arrest blacklisted blocked banned suspension npa writeoff demoted disqualified uninsured absconded relapsed deported
		abgelehnt kündigung kuendigung gekündigt gekuendigt ausfall zahlungsausfall betrug arbeitslos sanktioniert verurteilt
		refusé refuse défaut defaut fraude licencié chômage rechazado denegado impago moroso despedido desempleado
		respinto respinta insolvente insolvenza frode licenziato negado inadimplente inadimplencia inadimplência afgewezen wanbetaling wanbetaler ontslagen
		odrzucono odrzucony odmowa zwolniony niespłacony zamítnuto zamitnuto reddedildi temerrüt temerrut reprovado demitido evadiu evasão evasao avslag дефолт 延滞 貸倒 解約 退職 不合格 不採用`)
	decided = strings.Fields(`granted approved approval accepted admitted hired invited shortlisted selected promoted awarded offered denied deny denial declined
		rejected refused sanctioned dismissed expelled arrested decision decided
		bewilligt genehmigt abgelehnt eingestellt eingeladen accordé accorde accordée accepté embauché embauche refusé
		aprobado contratado rechazado denegado admitido approvato approvata assunto respinto aprovado goedgekeurd aangenomen beviljad godkänd przyznano przyznany`)
)

// hasWord says whether a text has one of some words, which it may write as two: charged_off.
func hasWord(text string, words []string) bool {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range parts {
		if slices.Contains(words, word) || i > 0 && slices.Contains(words, parts[i-1]+word) {
			return true
		}
	}
	return false
}

// isAdverse says whether a positive label is bad for a person, by its value or, where that says yes, by its name.
func isAdverse(label record.Label) bool {
	denies := []string{"no", "not", "non", "never", "without", "nicht", "kein", "keine"}
	yes := slices.Contains([]string{"1", "true", "yes", "y", "t", "s", "ja", "oui", "si", "sí", "sim", "sì", "tak", "ano", "evet"}, strings.ToLower(string(label.Positive)))
	is := func(text string) bool { return hasWord(text, adverse) && !hasWord(text, denies) }
	return is(string(label.Positive)) || yes && is(label.Field)
}

// harmWords say of a label that is bad for a person that a positive decision is, too, and of which rates other limits would be.
func (s *Sample) harmWords() string {
	label := s.config.Record.Label
	if !isAdverse(label) {
		return ""
	}
	text := fmt.Sprintf(" Judging by its wording, that is bad for a person, so a positive decision is the harm: the model predicts who gets %s, and limits are about those decisions.", quoted(string(label.Positive)))
	var names []string
	for _, c := range s.grouper.Comparisons() {
		of := string(c.Criterion)
		if c.Known() && (c.Criterion.NeedsLabel() || c.Criterion.OfRatio()) && !slices.Contains(names, of) {
			names = append(names, of)
		}
	}
	if len(names) > 0 {
		text += fmt.Sprintf(" If %s should be about those who are spared it, set record.label.positive to the other value.", english.And(names))
	}
	return text
}

// decidedWords say of a label that somebody has decided what rates that depend on it are about.
func (s *Sample) decidedWords() string {
	if label := s.config.Record.Label; !hasWord(label.Field, decided) && !hasWord(string(label.Positive), decided) {
		return ""
	}
	text := " Judging by its wording, this label is what somebody decided, so the model learns those decisions, unfair ones too."
	if slices.ContainsFunc(s.grouper.Comparisons(), func(c fairness.Comparison) bool { return c.Known() && c.Criterion.NeedsLabel() }) {
		text += " Rates among positive or negative labels are then about the people whom earlier deciders chose or did not."
	}
	return text
}
