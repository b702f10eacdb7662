package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestConditions is the quick version of the study: one stream of each kind of case. What is wrong is named, and where
// nothing is, nothing is said.
func TestConditions(t *testing.T) {
	quick := []string{"steady adult", "laws alternate after 8192", "group of 0.005 adult", "tau below sampling error world", "biased missing women"}
	found := 0
	for _, c := range cases("") {
		for _, name := range quick {
			if c.name != name {
				continue
			}
			found++
			t.Run(name, func(t *testing.T) {
				f, err := c.measure(1)
				if err != nil {
					t.Fatal(err)
				}
				if !f.passes() || f.named == 0 && c.causes != nil {
					t.Error(tableHead + f.row())
				}
			})
		}
	}
	if found != len(quick) {
		t.Errorf("%d cases of %d", found, len(quick))
	}
}

func TestArguments(t *testing.T) {
	if err := run([]string{"-runs", "0"}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "-runs") {
		t.Error(err)
	}
}
