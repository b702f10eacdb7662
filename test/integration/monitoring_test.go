package integration

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// checkRules does what `promtool check rules` does, by the same package.
func checkRules(text []byte) (groups *rulefmt.RuleGroups, problems []error) {
	return rulefmt.Parse(text, false, model.UTF8Validation, parser.NewParser(parser.Options{}), nil)
}

// TestPrometheusTakesTheRules, and rules with a mistake it does not. That their metrics exist, internal/server tests.
func TestPrometheusTakesTheRules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "deploy", "monitoring", "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	groups, problems := checkRules(text)
	if len(problems) > 0 || len(groups.Groups[0].Rules) < 15 {
		t.Errorf("%v", problems)
	}
	for _, change := range [][2]string{
		{"unless on (job_name)", "unles on (job_name)"},
		{"for: 5m", "for: soon"},
		{"{{ $labels.job_name }}", "{{ $labels.job_name }"},
		{"expr: up == 0 and on", "expr: up == and on"},
		{"        annotations:", "        annotation:"},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Errorf("%q is not in the file: this test has lost its point", change[0])
		}
		if _, problems := checkRules([]byte(changed)); len(problems) == 0 {
			t.Errorf("with %q for %q it is let pass", change[1], change[0])
		}
	}
}

// TestPrometheusTakesTheDashboard parses every expression of the dashboard.
func TestPrometheusTakesTheDashboard(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "deploy", "monitoring", "grafana.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Annotations struct{ List []struct{ Name, Expr string } }
		Panels      []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	p := parser.NewParser(parser.Options{})
	for _, mark := range board.Annotations.List {
		if _, err := p.ParseExpr(strings.ReplaceAll(mark.Expr, "$__rate_interval", "1m")); err != nil {
			t.Errorf("%s: %v", mark.Name, err)
		}
	}
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			if _, err := p.ParseExpr(strings.ReplaceAll(target.Expr, "$__rate_interval", "1m")); err != nil {
				t.Errorf("%s: %v", panel.Title, err)
			}
		}
	}
}
