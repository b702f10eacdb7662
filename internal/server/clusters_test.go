package server

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Repeated records and unknown persons are conditions that name the key, and the API states the field of a person.
func TestPersonsAreTold(t *testing.T) {
	report := &monitor.Report{Subject: monitor.Subject{ID: "as_made", Title: "Decisions as made"}, Records: 1000}
	status := learning()
	status.Measurements, status.Monitored = nil, []*stream.Monitored{{Report: report}}
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{})
	l.Watch(func() stream.Status { return status })
	told := func() string {
		words := ""
		for _, c := range l.Status().Conditions {
			if c.Code == "repeated_records" || c.Code == "persons_unknown" {
				words += c.Code + ": " + c.Detail
			}
		}
		return words
	}
	if words := told(); words != "" || l.Status().Subjects[0].Cluster != nil {
		t.Errorf("independent records: %q", words)
	}
	report.Repeats = monitor.Repeats{Found: true, ByIdentity: true, Share: .75}
	if words := told(); !strings.Contains(words, "75 % of the recent records") || !strings.Contains(words, "Kafka key") || !strings.Contains(words, "in monitor.cluster") {
		t.Errorf("repeated records: %q", words)
	}
	report.Cluster, report.Apart = "person", monitor.Apart{Repeated: 100, Unknown: 50}
	if words := told(); strings.Contains(words, "persons_unknown") || !strings.Contains(words, `monitor.cluster ("person") name a person`) {
		t.Errorf("with a key that names records: %q", words)
	}
	report.Apart.Unknown, report.Repeats = 51, monitor.Repeats{}
	if words := told(); !strings.HasPrefix(words, "persons_unknown: ") || !strings.Contains(words, `51 of 1000 records lack "person"`) {
		t.Errorf("without persons: %q", words)
	}
	if of := l.Status().Subjects[0].Cluster; of == nil || *of != (board.Cluster{Field: "person", Repeated: 100, Unknown: 51}) {
		t.Errorf("%+v", of)
	}
}
