// Package artifacts tests a release as its users take it: make artifacts makes one, and sets FAIRSTREAM_DIST to its directory.
// It has no code of its own. A machine without a container engine, or where the tests do not run as root, leaves out what
// needs them, and the tests say what.
package artifacts
