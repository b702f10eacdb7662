package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// drafted is a draft for 200 records of columns, each name:a,b,c with the values that it takes in turn, or name:# for numbers.
func drafted(t *testing.T, columns ...string) *Draft {
	t.Helper()
	var p profile.Profile
	decoder := profile.AllFeatures(record.Config{}).NewDecoder()
	var rec record.Record
	for i := range 200 {
		var fields []string
		for c, column := range columns {
			name, values, _ := strings.Cut(column, ":")
			of := strings.Split(values, ",")
			value := of[(i/(c+1))%len(of)]
			if values == "#" {
				value = fmt.Sprint(1000 + i*(c+7)*31%977)
			}
			fields = append(fields, fmt.Sprintf("%q:%q", name, value))
		}
		if err := decoder.DecodeJSON(&rec, []byte("{"+strings.Join(fields, ",")+"}")); err != nil {
			t.Fatal(err)
		}
		p.Add(&rec)
	}
	return New(p.Columns())
}

// TestChoice: a label and an attribute are proposed where a name tells, in several languages, and otherwise none is.
func TestChoice(t *testing.T) {
	for _, test := range []struct {
		columns          string
		label, attribute string
	}{
		{"sex:m,f income:# repaid:yes,no", "repaid", "sex"},
		{"Geschlecht:m,w Einkommen:# bewilligt:ja,nein", "bewilligt", "Geschlecht"},
		{"sexe:h,f revenu:# accepté:oui,non", "accepté", "sexe"},
		{"sexo:h,m renta:# aprobado:si,no", "aprobado", "sexo"},
		{"race:black,white school:a,b deny:1,0", "deny", "race"},
		{"gender:m,f time_in_hospital:# readmission:yes,no", "readmission", "gender"},
		{"płeć:K,M dochód:# decyzja:przyznano,odmowa", "decyzja", "płeć"},
		{"性別:男,女 年収:# 承認:可,否", "承認", "性別"},
		{"cinsiyet:E,K gelir:# onay:evet,hayır", "onay", "cinsiyet"},
		{"class:first,second late:T,F color:red,blue", "", ""},
		{"class:good,bad sex:m,f age:#", "class", "sex"},
		{"sex:1,2,9 income:# repaid:yes,no", "repaid", "sex"},
		{"sex:m,f result:positive,negative chd_10y:0,1", "", "sex"},
		{"sex:m,f chd_10y:0,1 result:positive,negative", "result", "sex"},
		{"default:yes,no gender:m,f status_end:Stayed,Left", "", "gender"},
		{"default:yes,no gender:m,f amount:#", "default", "gender"},
		{"rearrested_2y:1,0 ethnic_cd:1,2,3,4 priors:#", "rearrested_2y", "ethnic_cd"},
		{"pohlavi:muž,žena příjem:# schvaleno:ano,ne", "schvaleno", "pohlavi"},
		{"drv_gndr:1,2 miles:# arrest:0,1", "arrest", "drv_gndr"},
		{"caste:General,SC,ST income:# npa:0,1", "npa", "caste"},
		{"race:yes,no income:# approved:yes,no", "approved", ""},
		{"gender:male,female rpm:# torque:# result:a,b", "result", ""},
		{"gender:male,female torque:# speed:# income:# result:a,b", "result", "gender"},
		{"sex:m,f loan_status:Paid,Late,Current income:#", "", "sex"},
		{"koen:1,2 indkomst:# approved:1,0", "approved", "koen"},
		{"tranche_age:18-25,60+ civilite:Homme,Femme accordé:oui,non", "accordé", "civilite"},
		{"tranche_age:18-25,60+ sexe:h,f accordé:oui,non", "accordé", "sexe"},
		{"raca_cor:Branca,Parda renda:# aprovado:sim,não", "aprovado", "raca_cor"},
		{"region:a,b smoker:yes,no charges:#", "", ""},
		{"sex:m,f denied:1,0 default:1,0", "", "sex"},
		{"approved:1,0 owner:yes,no amount:#", "approved", ""},
		{"sex:m,f target:#", "target", "sex"},
		{"sex:m,f smoker:yes,no income:#", "", "sex"},
		{"sex:m,f smoker:yes,no y:#", "y", "sex"},
		{"race_car:yes,no car_age:1,2,3 repaid:yes,no", "repaid", ""},
		{"race_of_applicant:a,b car_color:red,blue two_year_recid:0,1", "two_year_recid", "race_of_applicant"},
		{"default_currency:eur,usd gender_code:1,2 default_payment_next_month:0,1", "default_payment_next_month", "gender_code"},
	} {
		d := drafted(t, strings.Fields(test.columns)...)
		if d.Label != test.label || d.Attribute != test.attribute {
			t.Errorf("%s: label %q, attribute %q", test.columns, d.Label, d.Attribute)
		}
		if text := d.YAML(); (d.Label == "") != strings.Contains(text, "CHOOSE the field to predict") || (d.Attribute == "") != strings.Contains(text, "CHOOSE a protected attribute") {
			t.Errorf("%s: what must be chosen is not what is empty in\n%s", test.columns, text)
		}
		for _, a := range d.attributes {
			if profile.IsLabelName(a.Name) {
				t.Errorf("%s: %q has the name of a label and is proposed as an attribute", test.columns, a.Name)
			}
		}
	}
}

// TestPositiveIsAsked: where no word tells which value is positive, the draft asks; a status of several values is offered.
func TestPositiveIsAsked(t *testing.T) {
	for columns, want := range map[string]string{
		"sex:m,f approved:1,2": "CHOOSE its value that counts as positive: I do not know which it is.",
		"sex:m,f aprobado:S,N": `label: {field: aprobado, positive: "S"}`,
		"sex:m,f loan_status:Charged,Ended,Open marital_status:a,b,c": `{field: loan_status, positive: ""}: Charged`,
		"race:yes,no income:# approved:yes,no":                        "race: boolean: no 100, yes 100 (has the name of one, and holds no and yes instead of groups of people)",
		"gender:male,female rpm:# torque:# ok:yes,no":                 "(has the name of one, beside columns about machines)",
	} {
		if text := drafted(t, strings.Fields(columns)...).YAML(); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", columns, want, text)
		}
	}
}

// TestIdentifier: the first field that is named as an identifier and has a value of its own in every record is record.id; any other
// that identifies is not read.
func TestIdentifier(t *testing.T) {
	own := make([]string, 200)
	for i := range own {
		own[i] = fmt.Sprintf("K-%05x", i*7919)
	}
	values := strings.Join(own, ",")
	twice := strings.Join(append(append([]string{}, own[:197]...), own[:3]...), ",")
	for _, test := range []struct {
		columns []string
		want    string
		ignored string
	}{
		{[]string{"request_id:" + values, "repaid:yes,no", "sex:m,f"}, "request_id", ""},
		{[]string{"mac:" + values, "repaid:yes,no"}, "", "mac"},
		{[]string{"request_id:" + twice, "repaid:yes,no"}, "", "request_id"},
	} {
		d := drafted(t, test.columns...)
		text := d.YAML()
		if d.identifier() != test.want {
			t.Errorf("%.40s: identifier %q, want %q", test.columns, d.identifier(), test.want)
		}
		if strings.Contains(text, "\n  id: ") != (test.want != "") || strings.Contains(text, "    - "+test.ignored+"  #") != (test.ignored != "") {
			t.Errorf("%.40s: want id %q and %q ignored in\n%s", test.columns, test.want, test.ignored, text)
		}
	}
}

// TestPositiveOfNumbers: with a positive value, a label of numbers is a class, and tau is one of rates.
func TestPositiveOfNumbers(t *testing.T) {
	d := drafted(t, "days:0,30,60,90", "sex:m,f", "income:#")
	if err := d.Choose("days", "30", "sex"); err != nil {
		t.Fatal(err)
	}
	if yaml := d.YAML(); !strings.Contains(yaml, `{field: days, positive: "30"}`) || !strings.Contains(yaml, "tau: 0.05\n") || strings.Contains(yaml, "task: regression") {
		t.Errorf("the draft is\n%s", yaml)
	}
}

// TestNumericAttribute: of an attribute that is a number, a range is proposed.
func TestNumericAttribute(t *testing.T) {
	d := drafted(t, "income:#", "repaid:yes,no", "years:#")
	d.setAttribute("years")
	text := d.YAML()
	if _, after, found := strings.Cut(text, "    attribute: years\n"); !found || !strings.Contains(after, "    group: {from: 1") || !strings.Contains(after, "    versus: rest\n") ||
		strings.Contains(text, "no field has the name and the values of one") {
		t.Error(text)
	}
}
