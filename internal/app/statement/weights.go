package statement

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/app/english"
)

// weightWords say how records are weighed, by record.weight and record.propensity.
func (s *Sample) weightWords() string {
	text := ""
	if c := s.names.Of(s.config.Record.Weight); c != nil && s.config.Record.Weight != "" {
		by := [2]map[float64]int{{}, {}}
		for r, of := range s.rows {
			if !of.labelled {
				continue
			}
			if of.positive {
				by[1][c.numbers[r]]++
			} else {
				by[0][c.numbers[r]]++
			}
		}
		x := sorted(c.numbers)
		text = fmt.Sprintf("each record counts as %s says, from %s to %s.", quoted(c.name), c.number(x[0]), c.number(x[len(x)-1]))
		if weightOf(by[0]) != weightOf(by[1]) && len(by[0]) == 1 && len(by[1]) == 1 {
			text += fmt.Sprintf(" Every positive record has the weight %s and every negative one %s: is it meant that weights depend on the label alone, which moves all decisions towards one of them? Without record.weight, rates are as they are.", c.number(weightOf(by[1])), c.number(weightOf(by[0])))
		}
	}
	known, inverse, propensities := 0, 0., 0
	for _, of := range s.rows {
		if of.labelled {
			known++
		}
		if of.propensity > 0 {
			propensities++
			if of.labelled {
				inverse += 1 / of.propensity
			}
		}
	}
	if propensities > 0 {
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("By %s, the records with a label stand for %s of %s", quoted(s.config.Record.Propensity), english.FourDigits(inverse), english.Counted(propensities, "record"))
		if far := inverse / float64(propensities); far > 1+farFromAll || far < 1-farFromAll {
			text += ": these two should be about equal. Is it the probability that the label becomes known?"
		} else {
			text += ", as they should."
		}
	}
	return text
}

// farFromAll is how far the sum of the inverse propensities may be from the number of records, as a share.
const farFromAll = .3

// weightOf is the one weight of some records, 0 if there are several.
func weightOf(of map[float64]int) (weight float64) {
	if len(of) == 1 {
		for x := range of {
			weight = x
		}
	}
	return weight
}
