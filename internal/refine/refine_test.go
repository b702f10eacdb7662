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
	if none, err := Parse(nil); err != nil || none != 0 || none.Has(Window) {
		t.Errorf("no names: %v, %v", none, err)
	}
	if _, err := Parse([]string{"windows"}); err == nil || !strings.Contains(err.Error(), `"windows"`) || !strings.Contains(err.Error(), "leave-one-out") {
		t.Errorf("%v", err)
	}
}
