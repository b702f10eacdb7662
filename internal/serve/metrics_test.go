package serve

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// TestMetricsAreDescribed: docs/decisions.md lists every metric of the service and its log.
func TestMetricsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/decisions.md")
	must(t, err)
	doc, _ := learnt(t, 0)
	options := small(Fixed(doc))
	options.Log = NewLog(LogOptions{})
	service, err := New(options)
	must(t, err)
	name, found := regexp.MustCompile(`fqName: "([a-z_]+)"`), 0
	for _, metric := range service.Metrics() {
		described := make(chan *prometheus.Desc, 10)
		metric.Describe(described)
		close(described)
		for d := range described {
			if is := name.FindStringSubmatch(d.String()); is == nil || !strings.Contains(string(page), "`"+is[1]+"`") {
				t.Errorf("docs/decisions.md does not describe %s", d)
			}
			found++
		}
	}
	if found < 9 {
		t.Errorf("%d metrics", found)
	}
}
