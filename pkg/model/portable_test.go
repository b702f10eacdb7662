package model_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A processor that multiplies and adds in one rounding must learn the same bits. Compilers for most processors do so wherever no conversion forbids it; that for amd64
// does from x86-64-v3 on.

// TestNothingMultipliesAndAddsInOneRounding compiles the packages of ours that a learner is made of for x86-64-v3, and looks for such an instruction. What they import
// is there already, compiled for any amd64: that the compiler may import it, its head is made to say otherwise.
func TestNothingMultipliesAndAddsInOneRounding(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the learner: left out by -short")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("knows the instructions of amd64 only")
	}
	packages := compiled(t)
	level, fused := regexp.MustCompile(`\bGOAMD64=v\d\b`), regexp.MustCompile(`\bVFN?M(ADD|SUB)\d+[SP][SD]\b`)
	directory := t.TempDir()
	var imports bytes.Buffer
	for i, p := range packages {
		if p.Export == "" { // unsafe
			continue
		}
		object, err := os.ReadFile(p.Export)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(directory, fmt.Sprint(i))
		if head := level.FindIndex(object[:min(len(object), 1000)]); head != nil {
			copy(object[head[0]:head[1]], "GOAMD64=v3")
		}
		if err := os.WriteFile(path, object, 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "packagefile %s=%s\n", p.ImportPath, path)
	}
	config := filepath.Join(directory, "imports")
	if err := os.WriteFile(config, imports.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, p := range packages {
		if !strings.HasPrefix(p.ImportPath, "github.com/fairstream/fairstream/") {
			continue
		}
		ours++
		if lines := instructions(t, p, config, fused); len(lines) > 0 {
			t.Errorf("%s: an explicit conversion, float64(a*b)+c, keeps these lines from multiplying and adding in one rounding: %s", p.ImportPath, strings.Join(lines, ", "))
		}
	}
	if ours < 15 {
		t.Errorf("only %d packages were looked at", ours)
	}
	negative := built{ImportPath: "negative", Dir: directory, GoFiles: []string{"negative.go"}}
	if err := os.WriteFile(filepath.Join(directory, "negative.go"), []byte("package negative\n\nfunc F(a, b, c float64) float64 { return a*b + c }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if lines := instructions(t, negative, config, fused); !slices.Equal(lines, []string{"negative.go:3"}) {
		t.Errorf("of a package that does: %q", lines)
	}
}

// built is what go list says of a package.
type built struct {
	ImportPath, Export, Dir string
	GoFiles                 []string
}

// compiled are the packages that a learner is made of.
func compiled(t *testing.T) (packages []built) {
	t.Helper()
	listed, err := exec.Command("go", "list", "-trimpath", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p built
		if err := decoder.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// instructions compiles a package for x86-64-v3, and gives the lines that have an instruction.
func instructions(t *testing.T, p built, imports string, wanted *regexp.Regexp) (lines []string) {
	t.Helper()
	command := exec.Command("go", append([]string{"tool", "compile", "-S", "-o", os.DevNull, "-p", p.ImportPath, "-importcfg", imports}, p.GoFiles...)...)
	command.Dir, command.Env = p.Dir, append(os.Environ(), "GOAMD64=v3", "PWD="+p.Dir)
	listing, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", p.ImportPath, err, listing)
	}
	place := regexp.MustCompile(`\(([^()]+\.go:\d+)\)`)
	for line := range strings.Lines(string(listing)) {
		if wanted.MatchString(line) {
			lines = append(lines, filepath.Base(place.FindStringSubmatch(line)[1]))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

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

// TestFusedMultiplyAddChangesNothing compiles all that a learner needs for x86-64-v3, other modules and the standard library too, and has it learn: it prints the states
// that the ordinary program must reach as well. To compile all that takes a minute, where it is not cached.
func TestFusedMultiplyAddChangesNothing(t *testing.T) {
	if os.Getenv(stateSumsVariable) != "" {
		fmt.Println(strings.Join(stateSums(t), "\n"))
		return
	}
	if atNight(0, 1) == 0 {
		t.Skip("for make nightly: TestNothingMultipliesAndAddsInOneRounding looks at our own code")
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
