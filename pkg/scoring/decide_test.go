package scoring

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// TestADocumentThatNothingCanBeReadBy: whoever loads it gets its error, and no decider.
func TestADocumentThatNothingCanBeReadBy(t *testing.T) {
	bad := &follow.Model{Document: &document.Document{}}
	for name, load := range map[string]func() (*Decider, error){
		"of a topic":       func() (*Decider, error) { return NewDecider(bad) },
		"of requests":      func() (*Decider, error) { return NewBareDecider(bad, "id") },
		"in place of none": func() (*Decider, error) { return (*Decider)(nil).Of(bad) },
	} {
		if d, err := load(); err == nil || d != nil {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}
