package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A foreign file is one of a stranger: what its columns mean stands in their names and values only, and some mislead.
type foreignFile struct {
	name, text string
	label      string // as init writes it; empty if nobody but its owner can know
	attribute  string // the same
	never      []string
	ignored    []string // init proposes not to read them
	given      []string // what the owner tells init of what it does not know
	check      []string // what check says of the result
}

// TestForeignFiles: of each file init proposes the right label and attribute, or says that it does not know; and check finds what is wrong
// with what was proposed.
func TestForeignFiles(t *testing.T) {
	filesAlone(t)
	for _, file := range foreignFiles() {
		t.Run(file.name, func(t *testing.T) {
			inDirectory(t, map[string]string{file.name: file.text})
			written := succeed(t, "init", "--input", file.name)
			proposed := func(what, want, mark string) {
				t.Helper()
				if want == "" {
					want = mark
				}
				if !strings.Contains(written, want) {
					t.Errorf("%s: no %q in\n%s", what, want, written)
				}
			}
			proposed("label", file.label, "CHOOSE the field to predict")
			proposed("attribute", file.attribute, "CHOOSE a protected attribute")
			for _, field := range file.ignored {
				proposed("ignored", "    - "+field+"  #", "")
			}
			for _, field := range file.never {
				if strings.Contains(written, "  label: {field: "+field) || strings.Contains(written, "attribute: "+field+"\n") {
					t.Errorf("%s is proposed in\n%s", field, written)
				}
			}
			if file.given != nil {
				written = succeed(t, append([]string{"init", "--input", file.name}, file.given...)...)
			}
			if err := os.WriteFile("c.yaml", []byte(written), 0o600); err != nil {
				t.Fatal(err)
			}
			said := strings.Join(strings.Fields(succeed(t, "check", "--config", "c.yaml", "--input", file.name)), " ")
			for _, want := range file.check {
				if !strings.Contains(said, want) {
					t.Errorf("check does not say %q in %s", want, said)
				}
			}
		})
	}
}

// rowsOf are a header and 1,500 rows, of which each is made from a person and his or her luck.
func rowsOf(separator, header string, row func(r *rand.Rand, i int, woman, good bool) []string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	r := rand.New(rand.NewPCG(1, uint64(len(header))))
	for i := range 1500 {
		woman := r.Float64() < .5
		b.WriteString(strings.Join(row(r, i, woman, r.Float64() < .7), separator) + "\n")
	}
	return b.String()
}

func choose(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func whole(r *rand.Rand, low, high int) string { return fmt.Sprint(low + r.IntN(high-low)) }

// byChance is what check says of a file whose labels have nothing to do with its columns, if nothing but that is odd.
var byChance = []string{"That is no better than chance: are the labels beside the right records?", "No check warns, but the lines above ask "}

func foreignFiles() []foreignFile {
	return []foreignFile{
		{name: "motor.csv", text: rowsOf(",", "policy_no,race_car,car_age,car_color,premium,driver_sex,claim_denied", func(r *rand.Rand, i int, woman, good bool) []string {
			return []string{fmt.Sprintf("P-%06d", 7*i), choose(r.Float64() < .1, "yes", "no"), whole(r, 0, 12), choose(r.Float64() < .5, "red", "blue"), whole(r, 200, 900),
				choose(woman, "F", "M"), choose(good, "0", "1")}
		}), label: `label: {field: claim_denied, positive: "1"}`, attribute: "attribute: driver_sex\n", never: []string{"race_car", "car_age", "car_color"}, check: byChance},
		{name: "loans.csv", text: rowsOf(",", "default_currency,target_region,amount,gender,loss,repaid", func(r *rand.Rand, _ int, woman, good bool) []string {
			return []string{choose(r.Float64() < .5, "EUR", "USD"), choose(r.Float64() < .5, "north", "south"), whole(r, 1000, 90000), choose(woman, "female", "male"),
				choose(good, "0", whole(r, 100, 9000)), choose(good, "yes", "no")}
		}), label: `label: {field: repaid, positive: "yes"}`, attribute: "attribute: gender\n", never: []string{"default_currency", "target_region"},
			check: []string{`add "loss" unless it is known before the label`}},
		{name: "bewerbungen.csv", text: rowsOf(";", "Kennung;Geschlecht;Anrede;Gehaltswunsch;Note;Vertragsbeginn;eingestellt", func(r *rand.Rand, i int, woman, good bool) []string {
			return []string{fmt.Sprintf("B%05d", i*3), choose(woman, "weiblich", "männlich"), choose(woman, "Frau", "Herr"), fmt.Sprintf("%d.%03d,50", 20+r.IntN(60), r.IntN(1000)),
				fmt.Sprintf("%d,%d", 1+r.IntN(5), r.IntN(10)), choose(good, fmt.Sprintf("%02d.%02d.2026", 1+r.IntN(28), 1+r.IntN(12)), ""), choose(good, "ja", "nein")}
		}), label: `label: {field: eingestellt, positive: "ja"}`, attribute: "attribute: Geschlecht\n",
			check: []string{`"Anrede" if decisions must not depend on Geschlecht`}, ignored: []string{"Vertragsbeginn"}},
		{name: "crédits.csv", text: rowsOf(";", "numéro;sexe_client;revenu;origine_produit;accordé", func(r *rand.Rand, i int, woman, good bool) []string {
			return []string{fmt.Sprintf("N%05d", i), choose(woman, "F", "H"), fmt.Sprintf("%d,%02d", 900+r.IntN(4000), r.IntN(100)), choose(r.Float64() < .4, "site", "agence"), choose(good, "oui", "non")}
		}), label: `label: {field: "accordé", positive: "oui"}`, attribute: "attribute: sexe_client\n", never: []string{"origine_produit"}, check: byChance},
		{name: "créditos.csv", text: rowsOf(",", "edad_cliente,sexo,renta,abandono_carrito,impago_12m", func(r *rand.Rand, _ int, woman, good bool) []string {
			return []string{whole(r, 20, 70), choose(woman, "mujer", "hombre"), whole(r, 9000, 60000), choose(r.Float64() < .3, "si", "no"), choose(good, "no", "si")}
		}), label: `label: {field: impago_12m, positive: "si"}`, attribute: "attribute: sexo\n", never: []string{"abandono_carrito"}, check: byChance},
		{name: "mortgages.csv", text: rowsOf(",", "id,race_ethnicity,annual_income,rate,zip,decision_channel,decision_date,approved", func(r *rand.Rand, i int, woman, good bool) []string {
			return []string{fmt.Sprint(900000 + i), choose(woman, "Black", "White"), fmt.Sprintf(`"$%d,%03d.00"`, 20+r.IntN(90), r.IntN(1000)), fmt.Sprintf("%.1f%%", 2+6*r.Float64()),
				whole(r, 10000, 10020), choose(r.Float64() < .5, "web", "branch"), choose(good, fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)), ""), choose(good, "Y", "N")}
		}), label: `label: {field: approved, positive: "Y"}`, attribute: "attribute: race_ethnicity\n", never: []string{"decision_channel"},
			ignored: []string{"decision_date"}, check: []string{`"zip" has the name of a code`}},
		{name: "nested.jsonl", text: strings.TrimPrefix(rowsOf("", "", func(r *rand.Rand, i int, woman, good bool) []string {
			return []string{fmt.Sprintf(`{"event":{"id":"e-%06d","ts":%d},"applicant":{"sex":%q,"income":%d,"default_locale":%q},"outcome":{"days":%d,"repaid":%t}}`,
				i, 1790000000000+int64(i)*90000+int64(r.IntN(9000)), choose(woman, "female", "male"), 900+r.IntN(4000), choose(r.Float64() < .5, "de", "en"), r.IntN(90)+map[bool]int{false: 400}[good], good)}
		}), "\n"), label: `label: {field: outcome.repaid, positive: "true"}`, attribute: "attribute: applicant.sex\n", never: []string{"applicant.default_locale"},
			ignored: []string{"event.ts"}, check: []string{`add "outcome.days" unless it is known before the label`}},
		{name: "insurance.csv", text: rowsOf(",", "region,smoker,bmi,children,charges", func(r *rand.Rand, _ int, woman, good bool) []string {
			return []string{choose(woman, "north", "south"), choose(good, "no", "yes"), fmt.Sprintf("%.1f", 18+20*r.Float64()), whole(r, 0, 4), whole(r, 1000, 60000)}
		}), given: []string{"--label", "smoker", "--positive", "yes", "--attribute", "region"}, check: byChance},
		{name: "kredyty.csv", text: rowsOf(",", "płeć,dochód,spłacono", func(r *rand.Rand, _ int, woman, good bool) []string {
			return []string{choose(woman, "K", "M"), whole(r, 2000, 9000), choose(good, "tak", "nie")}
		}), label: `label: {field: "spłacono", positive: "tak"}`, attribute: `attribute: "płeć"`, check: byChance},
		{name: "scores.csv", text: rowsOf(",", "sex_male,sex_female,score,response_time,churn_flag", func(r *rand.Rand, _ int, woman, good bool) []string {
			return []string{choose(woman, "0", "1"), choose(woman, "1", "0"), whole(r, 300, 850), whole(r, 1, 5000), choose(good, "0", "1")}
		}), label: `label: {field: churn_flag, positive: "1"}`, attribute: "attribute: sex_male", never: []string{"response_time"}, given: []string{"--attribute", "sex_male"},
			check: []string{`"sex_female" if decisions must not depend on sex_male`}},
	}
}
