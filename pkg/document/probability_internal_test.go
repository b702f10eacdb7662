package document

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestProbabilityIsChecked(t *testing.T) {
	text := json.RawMessage("[0.5, -1]")
	whole := Probability{SHA256: sum([]byte("[0.5,-1]")), Weights: text}
	if err := whole.check(); err != nil {
		t.Error(err)
	}
	if weights, err := whole.read(2); err != nil || len(weights) != 2 || weights[1] != -1 {
		t.Errorf("%v, %v", weights, err)
	}
	if _, err := whole.read(3); err == nil || !strings.Contains(err.Error(), "do not match") {
		t.Errorf("two weights for three: %v", err)
	}
	changed := Probability{SHA256: whole.SHA256, Weights: json.RawMessage("[0.5,-2]")}
	if err := changed.check(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("another weight under the same hash: %v", err)
	}
}
