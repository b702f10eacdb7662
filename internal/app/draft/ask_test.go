package draft

import (
	"fmt"
	"github.com/fairstream/fairstream/internal/profile"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/program"
)

// loans are the columns of loans, whose label is repaid.
func loans(t *testing.T) []profile.Column {
	t.Helper()
	r := Request{Streams: &program.Streams{}}
	r.look()
	for i := range 300 {
		r.sample.Use(fmt.Appendf(nil, `{"applicant":{"sex":%q,"employed":%v},"product":%q,"amount":%d,"repaid":%v}`, []string{"male", "female"}[i%2], i%3 > 0, []string{"loan", "card", "home"}[i%7%3], 100+i*37%5000, i%5 > 1))
	}
	return r.profile.Columns()
}

// TestInitAsks: answers change what was chosen, wrong ones are asked again.
func TestInitAsks(t *testing.T) {
	d := New(loans(t))
	var out strings.Builder
	err := d.Ask(strings.NewReader("repayed\napplicant.employed\nmaybe\nfalse\nproduct\nhome\nrest\n0\n.1\n"), &out)
	if err != nil {
		t.Fatal(err)
	}
	if d.Label != "applicant.employed" || d.Positive != "false" || d.Attribute != "product" || d.Group != "home" || d.Versus != "rest" || d.Tau != .1 {
		t.Errorf("%+v", d)
	}
	for _, want := range []string{`no field "repayed" (did you mean "repaid"?)`, "The values of applicant.employed are", "Give a number above 0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if err := New(loans(t)).Ask(strings.NewReader("\n"), &out); err == nil {
		t.Error("no error where answers end")
	}
	none := New(loans(t))
	if err := none.Ask(strings.NewReader("\n\n-\n"), &out); err != nil || none.Attribute != "" || !strings.Contains(none.YAML(), "CHOOSE a protected") {
		t.Errorf("%v, attribute %q", err, none.Attribute)
	}
}
