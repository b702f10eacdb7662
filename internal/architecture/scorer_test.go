package architecture

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A service that only scores links the documents, the encoder and the record decoder: no learner, no stream, no client of
// Kafka.
func TestAScorerLinksNoLearner(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "./pkg/document")
	command.Dir = "../.."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"internal/chance", "internal/codec", "internal/halves", "internal/logistic", "pkg/document", "pkg/fairness", "pkg/features", "pkg/record"}
	var ours []string
	for name := range strings.Lines(string(output)) {
		if name, found := strings.CutPrefix(strings.TrimSpace(name), module); found {
			ours = append(ours, name)
		}
		if strings.Contains(name, "kafka") {
			t.Errorf("a scorer links %s", name)
		}
	}
	for _, name := range ours {
		if !slices.Contains(allowed, name) {
			t.Errorf("a scorer links %s", name)
		}
	}
	if !slices.Contains(ours, "pkg/features") {
		t.Errorf("only %v are linked: the test looks at nothing", ours)
	}
}
