package main

import (
	"testing"
)

func TestVersion(t *testing.T) {
	contains(t, succeed(t, "version"), "fairstream ", ", go1.", "revision")
	contains(t, succeed(t, "version", "--help"), "-buildvcs=false", "worktree")
}
