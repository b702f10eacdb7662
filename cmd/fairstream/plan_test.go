package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// planned runs plan with --json.
func planned(t *testing.T, flags string) (verdict string, verdictRecords, alarmRecords *int64) {
	t.Helper()
	var answer struct {
		Verdict        string `json:"verdict"`
		VerdictRecords *int64 `json:"verdict_records"`
		AlarmRecords   *int64 `json:"alarm_records"`
	}
	if err := json.Unmarshal([]byte(succeed(t, append([]string{"plan", "--json"}, strings.Fields(flags)...)...)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Verdict, answer.VerdictRecords, answer.AlarmRecords
}

// The numbers are medians of a simulation, within a quarter: TestNeedsAgreeWithSimulation of pkg/fairness has more of them.
func TestPlan(t *testing.T) {
	verdict, records, alarm := planned(t, "--rate-a 0.14 --rate-b 0.29 --share-b 0.3 --tau 0.05")
	if verdict != "violated" || records == nil || *records < 530 || *records > 830 || alarm == nil || *alarm < 820 || *alarm > 1280 {
		t.Errorf("%s, %v, %v", verdict, records, alarm)
	}
	_, shared, later := planned(t, "--rate-a 0.14 --rate-b 0.29 --share-b 0.3 --tau 0.05 --comparisons 20")
	if *shared <= *records || *later <= *alarm {
		t.Errorf("20 comparisons need %d and %d records, one needs %d and %d", *shared, *later, *records, *alarm)
	}
	if verdict, records, alarm := planned(t, "--rate-a 0.3 --rate-b 0.3 --share-b 0.3 --tau 0.05"); verdict != "met" || records == nil || alarm != nil {
		t.Errorf("%s, %v, %v", verdict, records, alarm)
	}
	if verdict, records, alarm := planned(t, "--rate-a 0.35 --rate-b 0.3 --share-b 0.3 --tau 0.05"); verdict != "inconclusive" || records != nil || alarm != nil {
		t.Errorf("%s, %v, %v", verdict, records, alarm)
	}
	for _, flags := range []string{"--rate-a 0.3 --rate-b 0.2 --share-b 0.1 --tau 0.05", "--rate-a 0.2 --rate-b 0.2 --share-b 0.1 --tau 0.05", "--rate-a 0 --rate-b 0.2 --share-b 0.1 --tau 0.05"} {
		if text := succeed(t, append([]string{"plan"}, strings.Fields(flags)...)...); !strings.Contains(text, "verdict   ") || !strings.Contains(text, "alarm     ") {
			t.Error(text)
		}
	}
}

func TestPlanNamesEveryWrongFlag(t *testing.T) {
	code, _, message := fairstream(t, strings.Fields("plan --rate-a 1.5 --rate-b nan --share-b 0 --tau 1 --confidence 1 --comparisons 0 --run-length 0")...)
	if code != 2 {
		t.Errorf("exit code %d", code)
	}
	for _, flag := range []string{"--rate-a:", "--rate-b:", "--share-b:", "--tau:", "--confidence:", "--comparisons:", "--run-length:"} {
		if !strings.Contains(message, flag) {
			t.Errorf("%s is not named in %q", flag, message)
		}
	}
	if code, _, _ := fairstream(t, "plan", "--rate-a", "0.3"); code != 2 {
		t.Errorf("without required flags: exit code %d", code)
	}
}
