package refine

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	set, err := Parse([]string{"window", "balance"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names {
		if want := name == Window || name == Balance; set.Has(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for _, name := range Names {
		set, err := Parse([]string{string(name)})
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range Names {
			if set.Has(other) != (other == name) {
				t.Errorf("%s alone has %s: %t", name, other, set.Has(other))
			}
		}
	}
	if none, err := Parse(nil); err != nil || none != 0 || none.Has(Window) {
		t.Errorf("no names: %v, %v", none, err)
	}
	if _, err := Parse([]string{"windows"}); err == nil || !strings.Contains(err.Error(), `"windows"`) || !strings.Contains(err.Error(), "leave-one-out") {
		t.Errorf("%v", err)
	}
}
