package models

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestServedWords: who is silent is named first, and of many instances a few are named.
func TestServedWords(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	one := func(i int, silent bool) ServedBy {
		return ServedBy{Instance: fmt.Sprint("desk-", i), Alias: "stable", Since: now.Add(-time.Hour), Heard: now.Add(-40 * time.Second), Silent: silent}
	}
	if got, want := servedWords([]ServedBy{one(1, false)}, now), "served by 1 instance: desk-1 (stable since 2026-11-24 11:00:00)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var many []ServedBy
	for i := range 50 {
		many = append(many, one(i, i == 49))
	}
	got := servedWords(many, now)
	for _, want := range []string{"served by 50 instances, 1 of them silent: desk-49 (stable since 2026-11-24 11:00:00, silent for 40s), desk-0 (", "and 45 more"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	listed := []Listed{{Term: 1, Version: 3000, WeightsSHA256: "a"}}
	at := place{1, 2000, strings.Repeat("5d", 32)}
	by := map[place][]ServedBy{{1, 3000, "a"}: many, at: many[:1]}
	if got := strings.ReplaceAll(elsewhere(by, listed, now), "\n", " "); !strings.HasPrefix(got, "Version 1/2000 (5d5d5d5d5d5d…) is not listed, and is served by 1 instance: desk-0") || strings.Contains(got, "3000 ") {
		t.Errorf("elsewhere: %s", got)
	}
}
