package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestReplayWritesAPage: of a holdout, of several bounds, of folds and of a regression; names of columns and groups
// are escaped.
func TestReplayWritesAPage(t *testing.T) {
	learnsAll(t)
	rows := adultLines(t, 4000)
	rows[0] = strings.Replace(rows[0], "marital_status", "<b>marital", 1)
	for i := range rows {
		rows[i] = strings.Replace(rows[i], "Male", "<i>Male", 1)
	}
	inDirectory(t, map[string]string{"train.csv": strings.Join(rows[:3000], ""), "test.csv": rows[0] + strings.Join(rows[3000:], ""),
		"c.yaml": strings.ReplaceAll(adultConfig, "Male,", `"<i>Male",`),
		"r.yaml": "record: {label: {field: hours_per_week}, ignore: [fnlwgt]}\nlearner: {task: regression}\nconstraints:\n  - {name: sex, attribute: sex, group: <i>Male, versus: Female, criterion: mean-difference, tau: 2}\n"})
	sum := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	for args, says := range map[string][]string{
		"-c c.yaml -i train.csv --holdout test.csv --tau 0.05,0.1": {"tau 0.1 in detail", "&lt;b&gt;marital", "&lt;i&gt;Male", "four-fifths", "AUC", "<h2>Verdict</h2>", "the difference between &lt;i&gt;Male and Female", " UTC.", sum("train.csv"), sum("test.csv"),
			"The configuration that was learnt with", "A label is positive if income is"},
		"-c c.yaml -i train.csv --folds 3":                                               {"within tau in", "On", "one standard deviation", "&lt;b&gt;marital"},
		"-c c.yaml -i train.csv --holdout test.csv --relaxation approximation-1,sigmoid": {"relaxation sigmoid in detail"},
		"-c r.yaml -i train.csv --holdout test.csv":                                      {"root mean squared error", "&lt;b&gt;marital"},
		"-c c.yaml -i train.csv --holdout test.csv --set learner.mode=unconstrained":     {"in detail"},
	} {
		succeed(t, append([]string{"replay", "--report", "page.html"}, strings.Fields(args)...)...)
		page, err := os.ReadFile("page.html")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range says {
			if !strings.Contains(string(page), want) {
				t.Errorf("replay %s: no %q in the page", args, want)
			}
		}
		shown, _, _ := strings.Cut(string(page), "The configuration that was learnt with") // which names NaN as a text that means missing
		for _, bad := range []string{"<b>", "<i>", "NaN", "<script", "http://", "https://"} {
			if strings.Contains(shown, bad) {
				t.Errorf("replay %s: %q in the page", args, bad)
			}
		}
	}
	for args, want := range map[string]string{
		"--report page.html":             "add --folds 5, --holdout 0.2, or --holdout FILE",
		"--report none/p.html --folds 2": "there is no directory none",
	} {
		if code, _, stderr := fairstream(t, append([]string{"replay", "-c", "c.yaml", "-i", "train.csv"}, strings.Fields(args)...)...); code == done || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", args, code, stderr)
		}
	}
}
