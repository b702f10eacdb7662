package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// claims holds words against tables.
type claims struct {
	*testing.T
	tables map[string]*table
}

func (c claims) number(name, key, column string) float64 {
	c.Helper()
	t, row, err := lookUp(func(name string) (*table, error) { return c.tables[name], nil }, name, key, column)
	if err != nil {
		c.Fatal(err)
	}
	return t.value(row, column)
}

func (c claims) text(name, key, column string) string {
	c.Helper()
	t, row, err := lookUp(func(name string) (*table, error) { return c.tables[name], nil }, name, key, column)
	if err != nil {
		c.Fatal(err)
	}
	return row[slices.Index(t.columns, column)]
}

func (c claims) holds(holds bool, what string) {
	c.Helper()
	if !holds {
		c.Error("it does not hold that " + what)
	}
}

// always holds in the quick version too: what follows from the mathematics, or is far from chance.
func (c claims) always() {
	for _, row := range c.tables["printed"].rows {
		verdict := row[len(row)-1]
		c.holds(verdict == "no model meets it" || row[0] == "approximation-2" && verdict == "only with the bias reversed", "no printed threshold can be met fairly")
	}
	c.holds(c.text("exponents", "0.75 / 0.5", "theorem_1") == "no" && c.text("exponents", "0.75 / 0.5", "theorem_2") == "yes", "(3/4, 1/2) is Theorem 2's only")
	c.holds(c.number("exponents", "0.75 / 0.5", "rate") == .25, "the rate at (3/4, 1/2) is 1/4")
	c.holds(c.number("exponents", "0.6 / 0.6", "rate") == 0 && c.number("exponents", "0.6 / 0.6", "slope_violation") > -.05, "on a = b nothing shrinks")
	c.holds(c.number("exponents", "0.7 / 0.35", "rate") == 0, "the rate on a = 2b is 0")
	c.holds(c.text("exponents", "0.5 / 0.75", "theorem_2") == "no" && c.number("exponents", "0.5 / 0.75", "slope_violation") > -.05, "b > a does not converge")
	c.holds(c.text("lemma", "0.75 / 0.5 / 1", "holds") == "no" && c.text("lemma", "0.75 / 0.5 / 2", "holds") == "yes", "the lemma fails at t = 1 only")
	for _, row := range c.tables["rates"].rows {
		c.holds(c.tables["rates"].value(row, "slope") < -.15, row[0]+" falls about as T^-1/4")
	}
	steps := c.tables["theta"].rows[len(c.tables["theta"].rows)-1][0]
	for _, problem := range []string{"half-space", "norm"} {
		level := func(factor string) float64 { return c.number("theta", steps+" / "+problem+" / "+factor, "level") }
		c.holds(level("0") > 0 && level("0") > level("1") && level("1") > level("1.25"), "θ lowers the violation of "+problem)
		c.holds(level("1.25") <= 0, "5/4 of the bias ends the violation of "+problem)
	}
	c.holds(c.number("controls", "theorem 2 / norm", "violation") > 3*c.number("controls", "δ = 0 / norm", "violation"), "δ = 0 leaves less than a third of norm's violation")
	c.holds(c.number("controls", "δ = 0 / half-space", "violation") == 0, "δ = 0 ends half-space's violation")
	for _, row := range c.tables["controls"].rows {
		t := c.tables["controls"]
		c.holds(row[0] != "powers of t, θ" || t.value(row, "level") < 0, "θ ends the violation of "+row[1]+" with powers of t")
	}
	for _, row := range c.tables["constants"].rows {
		c.holds(c.tables["constants"].value(row, "theta_theorem_2") > 1e6*c.tables["constants"].value(row, "half_sigma_0"), "the theorem's θ is out of reach for "+row[0])
	}
	facts := c.tables["spam-facts"]
	c.holds(facts.value(facts.rows[0], "repetitions_where_it_binds") == 0, "τ = 1/2 never binds")
	c.holds(facts.value(facts.rows[1], "repetitions_where_it_binds") > 0, "the small τ binds")
	c.holds(facts.value(facts.rows[0], "largest_free_covariance") < 1./15, "no covariance is above 1/15")
	c.holds(c.number("without-constraint", "no constraint / 1", "RD") < c.number("without-constraint", "no constraint / 0.001", "RD")/2, "μ = 1 alone more than halves the risk difference")
}

// rates are the bars of section 4.
func (c claims) rates() {
	binding := 0
	for _, row := range c.tables["rates"].rows {
		if row[1] == "binding" {
			binding++
		}
		value := func(column string) float64 { return c.tables["rates"].value(row, column) }
		c.holds(value("steps") == 1e6 && value("slope") <= -.2 && value("slope_gap") <= -.2, row[0]+" falls with a slope of at most -.2 up to a million steps")
		v := value("slope_violation")
		c.holds(v <= -.2 || math.IsNaN(v) && value("violation") < 1e-9, row[0]+" has no violation, or one that falls so")
	}
	c.holds(binding >= 6, "six problems with a constraint that binds are among them")
	for _, row := range c.tables["iterates"].rows {
		for i := 6; i < len(row); i++ {
			column := c.tables["iterates"].columns
			c.holds(c.tables["iterates"].value(row, column[i]) < c.tables["iterates"].value(row, column[i-1]), "the iterates of "+row[0]+" come nearer")
		}
	}
	least := func(problem string) string {
		best, at := math.Inf(1), ""
		for _, row := range c.tables["gallery"].rows {
			if e := c.tables["gallery"].value(row, "error"); row[0] == problem && e < best {
				best, at = e, row[1]
			}
		}
		return at
	}
	c.holds(least("half-space") == namePenalty && least("norm") == namePenalty && least("disc") == nameAccelerated, "a baseline is best on three of the four")
	c.holds(least("one of two") == nameTight, "CSSPA with θ is best on the fourth")
}

// controls are the words of section 4 about δ, powers of t, θ and plain expectations.
func (c claims) controls() {
	at := func(control, problem, column string) float64 {
		return c.number("controls", control+" / "+problem, column)
	}
	for _, problem := range []string{"half-space", "norm"} {
		ratio := at("powers of t", problem, "violation") / at("theorem 2", problem, "violation")
		c.holds(ratio > 2 && ratio < 3, "powers of t leave two to three times the violation of "+problem)
		slope := at("powers of t", problem, "slope_violation")
		c.holds(slope > -1./6 && slope < -.05, "the violation of "+problem+" falls with powers of t, and more slowly than T^-1/4 log T")
		c.holds(math.Abs(at("θ estimated", problem, "level")) < at("theorem 2", problem, "level")/3, "an estimated θ takes away most of the violation of "+problem)
	}
	norm := func(control string) float64 { return at(control, "norm", "level") }
	c.holds(norm("δ = 0") < norm("theorem 2")/10, "at a small K nearly all of norm's violation is δ's")
	c.holds(norm("warm multiplier") > .8*norm("theorem 2") && norm("warm multiplier") < norm("theorem 2"), "a warm multiplier takes away the small rest")
	c.holds(norm("δ = 0, warm multiplier") < 0, "with neither there is no violation")
	half := norm("K = 3/10, δ = 0") / norm("K = 3/10")
	c.holds(half > .4 && half < .6, "at K = 3/10 about half of it is the cold start")
	part := func(table, key string) float64 { return norm("theorem 2") / c.number(table, key, "level") }
	c.holds(math.Abs(part("theta", "1000000 / norm / 1")-12) < 1, "θ = bias leaves a twelfth of norm's violation")
	c.holds(math.Abs(part("controls", "θ estimated / norm")-7) < 1, "an estimated bias leaves a seventh")
	c.holds(c.number("theta", "1000000 / norm / 1.25", "level") < 0, "5/4 of the bias leaves none")
	alpha0 := func(key string) float64 { return c.number("trade-off", key, "alpha0") }
	for _, a := range []string{"approximation-1", "approximation-2", "approximation-3"} {
		c.holds(alpha0("Algorithm 1, RD by its definition / approximation-2 / 0.1") >= 9.99*alpha0("Algorithm 1, thresholds that work / "+a+" / 0.1"), "its α_0 is ten times or more that of "+a)
	}
	c.holds(math.Abs(at("classical saddle point", "plain expectations", "slope_gap")+.5) < .1 && math.Abs(at("classical saddle point", "plain expectations", "slope_violation")+.5) < .1, "classical steps have T^-1/2")
	c.holds(math.Abs(at("theorem 2", "plain expectations", "slope_gap")+.25) < .02, "CSSPA has T^-1/4 on plain expectations")
	for _, row := range c.tables["applications"].rows {
		t := c.tables["applications"]
		c.holds(math.Abs(t.value(row, "objective")-t.value(row, "optimum")) < 2*t.value(row, "objective_se")+.01*math.Abs(t.value(row, "optimum")), "Solve finds the optimum of "+row[0])
		c.holds(t.value(row, "violation") < 3*t.value(row, "level_se"), "Solve leaves no violation above the doubt of the draws in "+row[0])
	}
}

// duels are the words of sections 2 and 3.
func (c claims) duels() {
	for _, name := range []string{"convergence-leads", "spam-leads"} {
		t := c.tables[name]
		for _, row := range t.rows {
			if row[2] != nameAccelerated {
				continue
			}
			c.holds(t.value(row, "gap") == t.value(row, "checkpoints"), row[1]+"'s gap is always below CSCGDA's: "+name+", "+row[0])
			c.holds(t.value(row, "error_less") > 2*t.value(row, "error_less_se"), row[1]+" ends with less error than CSCGDA: "+name+", "+row[0])
		}
	}
	for _, subject := range []string{"approximation 1", "approximation 2", "approximation 3"} {
		c.holds(c.number("convergence", subject+" / "+nameAccelerated, "alpha0") <= c.number("convergence", subject+" / "+namePenalty, "alpha0")/10, "CSCGDA's steps are a tenth of CSCGD's at most: "+subject)
	}
	failure := func(subject, method string) float64 { return c.number("convergence", subject+" / "+method, "error") }
	c.holds(failure("approximation 1", namePenalty) < failure("approximation 1", nameSaddle) && failure("approximation 2", namePenalty) < failure("approximation 2", nameSaddle), "CSCGD is ahead of CSSPA on 1 and 2")
	c.holds(failure("approximation 2", namePenalty) < failure("approximation 2", nameTight), "CSCGD is ahead of CSSPA with θ on 2")
	c.holds(failure("approximation 1", nameTight) < failure("approximation 1", namePenalty), "CSSPA with θ is ahead of CSCGD on 1")
	c.holds(max(failure("approximation 3", nameSaddle), failure("approximation 3", nameTight)) < failure("approximation 3", namePenalty), "CSSPA is ahead of CSCGD on 3, with θ and without")
	const binds = "τ = 0.005 / "
	c.holds(c.number("spam", binds+nameSaddle, "violation") < c.number("spam", binds+nameAccelerated, "violation"), "CSSPA ends with less violation than CSCGDA")
	c.holds(c.number("spam", binds+namePenalty, "error") < c.number("spam", binds+nameSaddle, "error"), "CSCGD is ahead of CSSPA with θ = 0")
	for _, method := range []string{nameSaddle, namePenalty, nameAccelerated} {
		c.holds(c.number("spam", binds+nameTight, "error") < c.number("spam", binds+method, "error")/2, "CSSPA with θ has less than half the error of "+method)
		c.holds(c.number("spam", binds+nameTight, "violation") < c.number("spam", binds+method, "violation"), "CSSPA with θ has less violation than "+method)
	}
}

// tradeOff are the words of section 1.
func (c claims) tradeOff() {
	for _, a := range []string{"approximation-2", "approximation-3"} {
		c.holds(c.number("trade-off", "Algorithm 1, as printed / "+a+" / 0.05", "RD") < -.3, a+" as printed reverses the bias")
	}
	for _, row := range c.tables["readings"].rows {
		c.holds(row[len(row)-1] == "yes", "by the definition τ = "+row[0]+" is kept")
	}
	for _, tau := range []string{"0.3", "0.25", "0.2", "0.15", "0.1", "0.05"} {
		c.holds(c.number("trade-off", "Algorithm 1, RD by its definition / approximation-2 / "+tau, "within_tau") >= .8, "Algorithm 1 by the definition is within τ = "+tau)
	}
	for _, a := range []string{"approximation-2", "approximation-3"} {
		c.holds(c.number("trade-off", "Algorithm 1, as printed, s+ = Female / "+a+" / 0.05", "RD") > .5, a+" with s+ = Female makes the bias larger")
	}
	for _, a := range []string{"approximation-1", "approximation-2", "approximation-3"} {
		c.holds(c.number("frontier", "Algorithm 1, RD by its definition / 0.1", "approximation-2") < c.number("frontier", "Algorithm 1, thresholds that work / 0.1", a), "the reading by definition loses less than "+a)
	}
	t, frontier := c.tables["trade-off"], c.tables["frontier"]
	short := 0
	for _, row := range t.rows {
		if row[0] == "Algorithm 1, thresholds that work" && t.value(row, "within_tau") < 1 {
			short++
		}
	}
	c.holds(short > 0, "a threshold chosen on a tenth does not always keep its word")
	for _, row := range frontier.rows {
		if strings.HasPrefix(row[0], "Algorithm 1, as printed") || row[0] == "Algorithm 1, RD by its definition" {
			continue
		}
		one := frontier.value(row, "approximation-1")
		for _, other := range []string{"approximation-2", "approximation-3"} {
			c.holds(!(frontier.value(row, other) < one-.002), row[0]+" is not better with "+other+" at "+row[1])
			product := frontier.value(row, other)
			c.holds(row[0] != "mode adaptive" || math.Abs(product-one) < .003, "the approximations agree in mode adaptive at "+row[1])
		}
	}
	ways := []string{"mode adaptive", "mode paper, T known", "Algorithm 1, thresholds that work", "mode paper"}
	for i := 1; i < len(ways); i++ {
		at := func(way string) float64 { return c.number("frontier", way+" / 0.1", "approximation-1") }
		c.holds(at(ways[i-1]) < at(ways[i]), ways[i-1]+" loses less than "+ways[i])
	}
}
