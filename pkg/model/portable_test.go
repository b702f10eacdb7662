package model_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// stateSums hashes the states of every configuration after a short stream.
func stateSums(t *testing.T) []string {
	t.Helper()
	var sums []string
	text := peopleText(13, 3000)
	for name, config := range everyConfiguration() {
		l := learn(t, config, readRecords(t, config, text))
		sums = append(sums, fmt.Sprintf("%s=%x", name, sha256.Sum256(l.AppendState(nil))))
	}
	slices.Sort(sums)
	return sums
}

const stateSumsVariable = "FAIRSTREAM_TEST_STATE_SUMS"

// A processor that multiplies and adds in one rounding learns the same bits: this test, compiled for such
// (x86-64-v3), prints the states that the ordinary program must reach too.
func TestFusedMultiplyAddChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	if os.Getenv(stateSumsVariable) != "" {
		fmt.Println(strings.Join(stateSums(t), "\n"))
		return
	}
	if runtime.GOARCH != "amd64" || !fusedMultiplyAdd() {
		t.Skip("this machine cannot run both kinds of program")
	}
	command := exec.Command("go", "test", "-vet=off", "-trimpath", "-ldflags=-s", "-run=^TestFusedMultiplyAddChangesNothing$", "-v", ".")
	command.Env = append(os.Environ(), "GOAMD64=v3", stateSumsVariable+"=1")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, sum := range stateSums(t) {
		if !strings.Contains(string(output), sum) {
			t.Errorf("with fused multiply-add the state is not %s", sum)
		}
	}
}

// fusedMultiplyAdd says whether the processor has what GOAMD64=v3 needs.
func fusedMultiplyAdd() bool {
	info, err := os.ReadFile("/proc/cpuinfo")
	return err == nil && slices.Contains(strings.Fields(string(info)), "fma") && slices.Contains(strings.Fields(string(info)), "avx2")
}
