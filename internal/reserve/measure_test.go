package reserve

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
)

// TestNothingIsMeasured where nothing is to be reserved; and a document that cannot be read is an error in place of a report.
func TestNothingIsMeasured(t *testing.T) {
	if report, err := New(0, 3).Measure(&document.Document{}, 0); report != nil || err != nil {
		t.Errorf("%v, %v", report, err)
	}
	if report, err := New(0.5, 3).Measure(&document.Document{}, 0); report != nil || err == nil {
		t.Errorf("a document without a model: %v, %v", report, err)
	}
}
