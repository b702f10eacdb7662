package model_test

import "os"

// atNight is how many cases a study of chance takes: few with each change, many in make nightly.
func atNight(few, many int) int {
	if os.Getenv("FAIRSTREAM_TEST_SAMPLES") != "" {
		return many
	}
	return few
}
