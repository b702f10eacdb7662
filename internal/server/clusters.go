package server

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// mostUnknown is the share of decisions without monitor.cluster above which a condition names them.
const mostUnknown = 0.05

// clusterConditions say which decisions count as independent ones although they may not be.
func clusterConditions(s *stream.Status) (all []board.Condition) {
	for _, m := range s.Monitored {
		r := m.Report
		if r.Repeats.Found {
			all = append(all, board.Condition{Code: "repeated_records", Detail: repeatedWords(r)})
		}
		if unknown := r.Apart.Unknown; float64(unknown) > mostUnknown*float64(r.Records) {
			all = append(all, board.Condition{Code: "persons_unknown", Detail: fmt.Sprintf("%s: %d of %d records lack %q (monitor.cluster). Each counts as one about "+
				"somebody else. If several are about one person, the verdict and the alarms are too certain.", r.Subject.Title, unknown, r.Records, r.Cluster)})
		}
	}
	return all
}

func repeatedWords(r *monitor.Report) string {
	what := "what was decided on and by"
	if r.Repeats.ByIdentity {
		what = "the identifier or the Kafka key"
	}
	remedy := "Name the field that identifies a person in monitor.cluster, so that one decision of each counts"
	if r.Cluster != "" {
		remedy = fmt.Sprintf("Does monitor.cluster (%q) name a person rather than a record?", r.Cluster)
	}
	return fmt.Sprintf("%s: %.0f %% of the recent records that count repeat one shortly before, by %s. The verdict and the alarms count each as an independent "+
		"decision, so they are too certain. %s", r.Subject.Title, 100*r.Repeats.Share, what, remedy)
}
