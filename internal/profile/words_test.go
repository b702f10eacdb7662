package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/profile"
)

// TestWhatNamesAndTextsMean compares with a file what is made of the names of fields and of single texts.
func TestWhatNamesAndTextsMean(t *testing.T) {
	var text strings.Builder
	meanings := []struct {
		word string
		is   func(string) bool
	}{
		{"identifier", profile.IsIdentifierName}, {"label", profile.IsLabelName}, {"attribute", profile.IsAttributeName}, {"class", profile.IsClassName}, {"wanted", profile.IsWantedName},
		{"must be label", profile.MustBeLabel}, {"prediction", profile.IsPredictionName}, {"later", profile.IsLaterName}, {"decision", profile.IsDecisionName}, {"weight", profile.IsWeightName},
		{"amount", profile.IsAmountName}, {"age", profile.IsAgeName}, {"birth year", profile.IsBirthYearName}, {"time", profile.IsTimeName}, {"period", profile.IsPeriodName},
		{"person", profile.NamesPerson}, {"code", profile.IsCodeName}, {"unknown word", profile.IsUnknownWord}, {"says unknown", profile.SaysUnknown},
	}
	for _, name := range []string{"id", "customer_id", "customerId", "customer", "customer_name", "person.key", "household", "loan_status", "status", "y", "Y_hat", "yhat", "target", "ziel", "class", "class_weight",
		"sample_weight", "weight", "body_weight", "surveyWgt", "n", "count", "FREQ", "p_w_g_t_p", "predicted_class", "model_score", "model", "score", "model output", "status_next_month", "next", "approved", "was_approved",
		"approved_at", "decision", "income", "annual_income", "loan_amount", "age", "agegroup", "page", "birth_year", "yearOfBirth", "yob", "created_at", "dob", "date_of_birth", "day", "opened", "year", "fiscal_year", "week",
		"zip", "zip_code", "postcode", "areaCode", "sex", "gender_code", "race", "address.country", "Geschlecht", "âge", "repaid", "rückzahlung", "défaut", "", "_", "a.b.c", "ID", "ssn", "email", "user", "user_id",
		"unknown", "n/a", "N.A.", " NA ", "-", "?", "none", "no answer", "not in universe", "not", "no", "(missing)", "keine Angabe", "k.A.", "9", "99", "999", "9999", "x", "sans objet", "ohne Wert", "Unknown income", "declined to answer", "nd"} {
		var means []string
		for _, m := range meanings {
			if m.is(name) {
				means = append(means, m.word)
			}
		}
		fmt.Fprintf(&text, "%q: %s\n", name, strings.Join(means, ", "))
	}
	for _, one := range []string{"2026-03-04", "2026-3-4", "2026-03-04T05:06", "2026-03-04 05:06", "2026-03-04T05:06:07", "2026-03-04 05:06:07.25", "2026-03-04T05:06:07Z", "2026-03-04T05:06:07+02:00", "2026-03-04 05:06:07+02:00",
		"04.03.2026", "03/04/2026", "13/04/2026", "20260304", "2026-13-04", "2026-02-30", "1799-12-31", "1800-01-01", "2199-12-31", "2200-01-01", "9999-12-31", "2999-12-31", "0001-01-01", "9999-12-31T00:00:00Z", "99991231", "31.12.9999",
		"2026-03", "x026-03-04", "-026-03-04", "2026-03-04T05:06:07.123456789123456789+02:00", "2026-03-04T05:06:07.12345678901234567890+02:00", "2026-03-04T", "2026.03.04", "1/2/2026", "12:34:56"} {
		at, ok := profile.ParseTime([]byte(one))
		fmt.Fprintf(&text, "%q: a time %v", one, ok)
		if ok {
			fmt.Fprintf(&text, ", %s", at.UTC().Format("2006-01-02T15:04:05.999999999Z07:00"))
		}
		fmt.Fprintf(&text, ", never %v\n", profile.IsNever([]byte(one)))
	}
	goldentest.Compare(t, "words.txt", text.String())
}

// TestHeadless: two values among the names are needed, a quarter of all, and most of them are not the numbers of the columns.
func TestHeadless(t *testing.T) {
	for names, want := range map[string]bool{
		"39,Bachelors,13,Male": true, "39, Bachelors, 13, Male": true, "age,education,13,Male": false, "2026-01-02,a,7,b": true, "a,b,c,d,e,f,17,18": true, "a,b,c,d,e,f,g,17,18": false,
		"0,1,2,3": false, "1,2,3,4": false, "5,1,2,9": false, "0,1,7,8": false, "0,7,8,9": true, "": false, "x": false, "7,8": true, "7": false,
	} {
		if got := profile.Headless(strings.Split(names, ",")); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
}

// TestGroups: men and women first, then the two most frequent values that are no words for what is not known.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ values, group, versus string }{
		{"a b c", "a", "b"}, {"unknown a ? b", "a", "b"}, {"a", "", ""}, {"", "", ""}, {"a ?", "", ""}, {"other Female male", "Female", "male"}, {"x F", "", ""}, {"other f M w", "other", "f"},
		{"d m w", "m", "w"}, {"a not-available b", "a", "not-available"}, {"Unknowns a b", "a", "b"},
	} {
		var values []profile.Value
		for _, text := range strings.Fields(c.values) {
			values = append(values, profile.Value{Text: text})
		}
		if group, versus := profile.Groups(values); group != c.group || versus != c.versus {
			t.Errorf("%s: %q and %q, want %q and %q", c.values, group, versus, c.group, c.versus)
		}
	}
	written := []profile.Value{{Text: "weiblich", Count: 608}, {Text: "männlich", Count: 575}, {Text: "m", Count: 96}, {Text: "W", Count: 73}}
	if group, versus := profile.Groups(written); group != "weiblich" || versus != "männlich" {
		t.Errorf("%q and %q of several ways of writing", group, versus)
	}
	values := []profile.Value{{Text: "is not available"}, {Text: "a"}, {Text: "not provided here"}, {Text: "b"}}
	if group, versus := profile.Groups(values); group != "a" || versus != "b" {
		t.Errorf("%q and %q", group, versus)
	}
}
