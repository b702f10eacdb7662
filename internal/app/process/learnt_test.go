package process_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
)

// TestTheLogOfAJob: a job that learns what a topic holds says what began, what it read and wrote, and what was odd of the first records.
func TestTheLogOfAJob(t *testing.T) {
	j := apptest.NewJob(t, strings.NewReplacer("level: error", "level: info", "ignore: [pay]", "ignore: [pay, agee]").Replace(apptest.Loans))
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	log := j.Learn(t.Context(), t)
	first := map[string]any{}
	for line := range strings.Lines(log) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if len(first) == 0 {
			first = entry
		}
	}
	if first["until_end"] != true || first["input"] != "in" || first["task"] != "classification" || first["mode"] != "adaptive" ||
		first["keep_versions"] != 10. || first["keep_hours"] == nil || len(first["tau"].([]any)) != 1 || len(first["config_sha256"].(string)) != 64 {
		t.Errorf("%v", first)
	}
	for _, want := range []string{"published", "agee", "snapshot"} {
		if !slices.ContainsFunc(strings.Split(log, "\n"), func(line string) bool { return strings.Contains(line, want) }) {
			t.Errorf("the log says nothing of %s:\n%s", want, log)
		}
	}
	if again := j.Learn(t.Context(), t); !strings.Contains(again, "fairstream started") || strings.Contains(again, "agee") && !strings.Contains(again, "record.ignore") {
		t.Errorf("%s", again)
	}
}

// TestAUnitThatChangesIsLogged: behind the first records, which are looked at as a whole.
func TestAUnitThatChangesIsLogged(t *testing.T) {
	j := apptest.NewJob(t, strings.Replace(apptest.Loans, "level: error", "level: warn", 1))
	values := apptest.JSON(4000)
	for i := range values {
		if i >= 2000 {
			values[i] = regexp.MustCompile(`"age":"(\d+)"`).ReplaceAllString(values[i], `"age":"${1}00"`)
		}
	}
	j.Produce(t, j.Config.Topics.Input, values)
	if log := j.Learn(t.Context(), t); strings.Count(log, "the unit of") != 1 || !strings.Contains(log, `the unit of \"age\" changes`) {
		t.Errorf("the log does not name the column once:\n%s", log)
	}
}
