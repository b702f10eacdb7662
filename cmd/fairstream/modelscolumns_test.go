package main

import "testing"

// A file that cannot be read is an error of its own, not one of no records.
func TestColumnsOfAFileThatIsNotThere(t *testing.T) {
	filesAlone(t)
	inDirectory(t, nil)
	succeed(t, "replay", "--input", "adult", "--save", "weights.json")
	fails(t, failed, "no such file", "models", "explain", "--model", "weights.json", "--columns", "--input", "away.csv")
}
