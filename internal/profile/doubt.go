package profile

import (
	"slices"
	"strings"
)

// What stands beside a column of records about people, and of records about machines.
var (
	personWords = append(strings.Fields("person people applicant borrower customer client patient student pupil employee worker candidate member user driver defendant household family "+
		"marital married education edu degree school grade gpa job occupation profession employment employed salary wage credit loan insurance premium claim tenure experience "+
		"dob children kids dependents smoker bmi disease diagnosis hospital blood heart pulse symptom priors charge sentence crime city zip address country purchase subscription "+
		"einkommen beruf kredit revenu métier crédit ingreso renta empleo trabajo income hired admitted repaid recid churn readmitted died graduated"), attributeWords...)
	machineWords = strings.Fields("rpm torque voltage volt volts current amp amps amperage watt watts kw kwh hz temp temperature pressure bar psi vibration bearing sensor machine motor engine pump valve weld bolt screw " +
		"mm um diameter bore thickness lot wafer chip spindle gear axle piston cylinder coolant oil firmware connector cable plug pin tolerance hardness alloy furnace tool wear cycles speed load humidity " +
		"drehzahl drehmoment spannung druck maschine bauteil vitesse machine pression")
)

// leastMachine is how many columns about machines tell that no record is about a person.
const leastMachine = 2

// doubtOf is why a column with the name of a protected attribute may be none, in words; empty if nothing speaks against it.
func doubtOf(columns []Column, c *Column) string {
	if c.Kind == Boolean && isAbout(c.Name, codedWords) {
		holds := "yes and no"
		if len(c.Shown) == 2 {
			holds = c.Shown[0].Text + " and " + c.Shown[1].Text
		}
		return "has the name of one, and holds " + holds + " instead of groups of people"
	}
	machines := 0
	for i := range columns {
		words := wordsOf(columns[i].Name)
		has := func(list []string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
		}
		switch {
		case columns[i].Name == c.Name || isAbout(columns[i].Name, codedWords):
		case has(machineWords):
			machines++
		case has(personWords):
			return ""
		}
	}
	if machines >= leastMachine {
		return "has the name of one, beside columns about machines"
	}
	return ""
}
