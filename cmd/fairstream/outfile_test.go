package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFileOfAnotherIsReplaced: --save and --report refuse every file that the command reads, by whatever name, and every
// file that is not one of theirs. The file stays as it was.
func TestNoFileOfAnotherIsReplaced(t *testing.T) {
	header, lines := applications()
	records := header + "\n" + strings.Join(lines, "\n") + "\n"
	inDirectory(t, map[string]string{"c.yaml": applicationsByHand, "good.csv": records, "test.csv": records, "empty": "",
		"letter.txt": "Dear Sir", "other.json": `{"format":"another"}`, "other.html": "<!DOCTYPE html><title>minutes</title>"})
	if err := os.Symlink("good.csv", "soft"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("good.csv", "hard"); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const reads, foreign, twice = "which the command reads: name another file", "so it is not replaced: name another file, or remove this one", "the command reads this file, or writes something else to it"
	for _, test := range []struct{ args, of, says string }{
		{"--save good.csv", "good.csv", twice},
		{"--save soft", "good.csv", reads},
		{"--save hard", "good.csv", reads},
		{"--save " + filepath.Join(here, "good.csv"), "good.csv", twice},
		{"--holdout test.csv --save test.csv", "test.csv", twice},
		{"--save c.yaml", "c.yaml", twice},
		{"--folds 2 --report good.csv", "good.csv", twice},
		{"--folds 2 --report soft", "good.csv", reads},
		{"--folds 2 --report c.yaml", "c.yaml", twice},
		{"--save letter.txt", "letter.txt", "is not a weight document, " + foreign},
		{"--save other.json", "other.json", "is not a weight document, " + foreign},
		{"--folds 2 --report letter.txt", "letter.txt", "is not a report, " + foreign},
		{"--folds 2 --report other.html", "other.html", "is not a report, " + foreign},
		{"--holdout test.csv --save new --report ./new", "good.csv", twice},
	} {
		before, err := os.ReadFile(test.of)
		if err != nil {
			t.Fatal(err)
		}
		fails(t, misuse, test.says, append([]string{"replay", "-c", "c.yaml", "-i", "good.csv"}, strings.Fields(test.args)...)...)
		if after, err := os.ReadFile(test.of); err != nil || string(after) != string(before) {
			t.Errorf("%s: %s was changed", test.args, test.of)
		}
	}
	// What they wrote themselves they replace, with its mode and through a link, and leave nothing else.
	if err := os.Symlink("w.json", "link"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"--save w.json", "--save link", "--save empty", "--report p.html", "--report p.html", "--save /dev/null"} {
		succeed(t, append([]string{"replay", "-c", "c.yaml", "-i", "good.csv", "--holdout", "test.csv"}, strings.Fields(args)...)...)
		if err := os.Chmod("w.json", 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat("w.json"); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	if parts, err := filepath.Glob("*.part-*"); err != nil || len(parts) > 0 {
		t.Errorf("left over: %v %v", parts, err)
	}
}
