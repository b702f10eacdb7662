// Package quality is the study of fairstream and its peers: run.sh runs it, README.md says how to read it, and the
// test here holds its quick version to running. It has no Go code of its own but the command in columns.
package quality
