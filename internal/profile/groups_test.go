package profile

import "testing"

// TestGroups: men and women before what else is frequent, and nothing that is not known.
func TestGroups(t *testing.T) {
	of := func(texts ...string) (values []Value) {
		for i, text := range texts {
			values = append(values, Value{text, 100 - i})
		}
		return values
	}
	for _, c := range []struct {
		values        []Value
		group, versus string
	}{
		{of("Joint", "Sex Not Available", "Male", "Female"), "Male", "Female"},
		{of("White", "Race Not Available", "Asian"), "White", "Asian"},
		{of("a", "unknown"), "", ""},
		{of("1", "2", "9"), "1", "2"},
		{[]Value{{"divers", 50}, {"m", 30}, {"f", 20}}, "m", "f"}, // half of the records
		{[]Value{{"divers", 51}, {"m", 30}, {"f", 20}}, "divers", "m"},
	} {
		if group, versus := Groups(c.values); group != c.group || versus != c.versus {
			t.Errorf("%v: %q and %q", c.values, group, versus)
		}
	}
}

// TestOneHot: an attribute that is spread over several columns is one, and a column whose name merely begins so is none.
func TestOneHot(t *testing.T) {
	flags := []Value{{"0", 60}, {"1", 40}}
	columns := []Column{}
	for _, name := range []string{"gender_female", "gender_male", "race_car_owner", "sex_offender"} {
		columns = append(columns, Column{Name: name, Kind: Number, Records: 100, Values: 100, Distinct: 2, Shown: flags})
	}
	var got []string
	for _, a := range Attributes(columns, "paid") {
		if a.Named {
			got = append(got, a.Name)
		}
	}
	if len(got) != 2 || got[0] != "gender_female" || got[1] != "gender_male" {
		t.Errorf("%q", got)
	}
}
