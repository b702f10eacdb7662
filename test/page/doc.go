// Package page tests the page of internal/board in a real browser: Chromium as the system has it. No test downloads one.
//
// Without a browser the tests skip, and say so; in continuous integration (CI=true) that is a failure. On Debian,
// "apt-get install chromium" brings one.
//
// testdata/axe.min.js is axe-core 4.14.1 from npm, under the licence beside it. With -update the pictures in docs/pictures are
// written again, and with -look=learning, or another moment of the package story, TestLook serves the page of that moment until it is interrupted:
// "go test ./test/page -run TestLook -look=learning -timeout=0".
package page
