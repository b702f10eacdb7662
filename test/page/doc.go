// Package page tests the page of internal/board in a real browser: Chromium as the system has it. No test downloads one.
//
// Without a browser the tests skip, and say so; in continuous integration (CI=true) that is a failure. On Debian,
// "apt-get install chromium" brings one.
//
// testdata/axe.min.js is axe-core 4.14.1 from npm, under the licence beside it. With -update the pictures in docs/pictures are
// written again. "go run ./test/page/look" serves the page over a made-up job.
package page
