package main

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestReplayShowsGroups: the confusion of the groups adds up, and every line fits into 80 columns.
func TestReplayShowsGroups(t *testing.T) {
	learnsAll(t)
	inDirectory(t, map[string]string{"c.yaml": strings.Replace(adultConfig, "  - {name: race", "  - {name: odds", 1), "a.csv": string(adultFile(t, record.CSV))})
	object := replayed(t, "-c", "c.yaml", "-i", "adult")
	holdout := at(t, object, "holdout")
	if auc := at(t, holdout, "measures", "auc", "value").(float64); auc < .88 || auc > .95 {
		t.Errorf("AUC %v", auc)
	}
	if free := at(t, holdout, "unconstrained", "measures", "auc", "value").(float64); free < at(t, holdout, "measures", "auc", "value").(float64) {
		t.Errorf("the unconstrained weights rank worse: %v", free)
	}
	for i, constraint := range []string{"sex", "odds"} {
		group := at(t, holdout, "groups", i).(map[string]any)
		if group["constraint"] != constraint {
			t.Fatalf("%v, want %s", group["constraint"], constraint)
		}
		rates := map[string]float64{}
		for _, side := range []string{"group", "versus"} {
			cells := at(t, group, side, "confusion").(map[string]any)
			total, positive := 0., cells["true_positive"].(float64)+cells["false_positive"].(float64)
			for _, n := range cells {
				total += n.(float64)
			}
			rates[side] = at(t, group, side, "positive_decisions", "value").(float64)
			if total != at(t, group, side, "records").(float64) || math.Abs(positive/total-rates[side]) > 1e-12 {
				t.Errorf("%s %s: %v of %v, rate %v", constraint, side, positive, total, rates[side])
			}
		}
		want := min(rates["group"], rates["versus"]) / max(rates["group"], rates["versus"])
		if got := at(t, group, "impact_ratio", "value").(float64); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: impact ratio %v, want %v", constraint, got, want)
		}
	}
	for _, args := range []string{"-i adult", "-i adult --tau 0.02,0.05", "-i adult --folds 2", "-i adult --relaxation approximation-1,mean-margin", "-c c.yaml -i adult --tau 0.05,0.1",
		"-c c.yaml -i adult --folds 2"} {
		out := succeed(t, append([]string{"replay"}, strings.Fields(args)...)...)
		body, _, _ := strings.Cut(out, "\nTry next")
		for line := range strings.Lines(body) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("replay %s: %d columns: %s", args, n, line)
			}
		}
	}
}

// TestReplayComparesRelaxations: each is learnt as if it were configured.
func TestReplayComparesRelaxations(t *testing.T) {
	learnsAll(t)
	rows := strings.Join(adultLines(t, 3000), "")
	inDirectory(t, map[string]string{"c.yaml": adultConfig, "a.csv": rows})
	both := lines(t, succeed(t, "replay", "-c", "c.yaml", "-i", "a.csv", "--relaxation", "approximation-2,mean-margin", "--json"))
	for i, name := range []string{"approximation-2", "mean-margin"} {
		alone := replayed(t, "-c", "c.yaml", "-i", "a.csv", "--set", "constraints[0].relaxation="+name)
		if both[i]["relaxation"] != name || hash(t, both[i]) != hash(t, alone) {
			t.Errorf("%s: %v %s, alone %s", name, both[i]["relaxation"], hash(t, both[i]), hash(t, alone))
		}
	}
	for args, want := range map[string]string{
		"--relaxation aproximation-1":                             "unknown relaxation",
		"--relaxation sigmoid,sigmoid":                            "twice",
		"--relaxation sigmoid --tau 0.1,0.2":                      "give one --tau",
		"--relaxation sigmoid,mean-margin --save w":               "give one --relaxation",
		"--relaxation sigmoid --set constraints[0].enforce=false": "the configuration has none",
		"--relaxation sigmoid,mean-margin --folds 60":             "120 learners",
	} {
		code, _, stderr := fairstream(t, append([]string{"replay", "-c", "c.yaml", "-i", "a.csv"}, strings.Fields(args)...)...)
		if code == done || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", args, code, stderr)
		}
	}
}

// TestFlagsCountWhereTheConfigurationIsChecked: a threshold is checked against the relaxation of --relaxation, and --tau may be
// the only tau.
func TestFlagsCountWhereTheConfigurationIsChecked(t *testing.T) {
	filesAlone(t)
	inDirectory(t, map[string]string{"c.yaml": adultConfig, "a.csv": strings.Join(adultLines(t, 1000), ""),
		"paper.yaml": strings.NewReplacer(", enforce: false", "", "equalized-odds", "demographic-parity").Replace(adultConfig),
		"none.yaml":  strings.Replace(adultConfig, ", tau: 0.05", "", 1)})
	paper := []string{"-c", "paper.yaml", "-i", "a.csv", "--mode", "paper", "--set", "constraints[1].threshold=5"}
	for relaxation, threshold := range map[string]string{"mean-margin": "0.3", "sigmoid": "0.05", "approximation-3": "2.65"} {
		set := "constraints[0].threshold=" + threshold
		by := replayed(t, append(paper, "--relaxation", relaxation, "--set", set)...)
		if configured := replayed(t, append(paper, "--set", "constraints[0].relaxation="+relaxation, "--set", "constraints[1].relaxation="+relaxation, "--set", set)...); hash(t, by) != hash(t, configured) {
			t.Errorf("%s: other weights than by --set", relaxation)
		}
	}
	for relaxation, want := range map[string]string{
		"approximation-2":             "0.3 of approximation-2 can be met only by reversing the bias",
		"mean-margin,approximation-1": "0.3 of approximation-1 cannot be met",
	} {
		code, _, stderr := fairstream(t, append([]string{"replay", "--relaxation", relaxation, "--set", "constraints[0].threshold=0.3"}, paper...)...)
		if code == done || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", relaxation, code, stderr)
		}
	}
	if by, configured := replayed(t, "-c", "none.yaml", "-i", "a.csv", "--tau", "0.05"), replayed(t, "-c", "c.yaml", "-i", "a.csv"); hash(t, by) != hash(t, configured) {
		t.Error("with --tau as the only tau the weights are others")
	}
}
