package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	pending   fate = iota // it is not tried yet
	unbuilt               // it does not compile: another one is drawn in its place
	failing               // the tests of its package fail without it
	killed                // a test fails
	survived              // no test fails
	unnoticed             // no test reaches it, or it makes no difference to what one computes
)

// tests are which tests of a package a mutant must get past.
type tests struct {
	limit time.Duration // of one package's tests
	short bool          // only those that go test -short runs
}

func (t tests) String() string {
	if t.short {
		return "tests of go test -short"
	}
	return "all tests"
}

// A trial is the mutants of one package, in one program.
type trial struct {
	root, path string
	how        tests
	built      *program
	slow       bool      // -short leaves out something
	short      observed  // of go test -short
	all        *observed // of all tests, once a mutant has survived the short ones
}

// observed is what a run of the tests without a mutant tells.
type observed struct {
	seconds  map[string]float64      // that each test takes
	reaching map[int]map[string]bool // the tests that a mutant makes a difference to
}

// total is how many seconds the tests take, one after the other.
func (o *observed) total() (seconds float64) {
	for _, s := range o.seconds {
		seconds += s
	}
	return seconds
}

// those gives the argument that runs tests by name. Without a name there is none, and all run.
func those(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"-test.run=^(" + strings.Join(names, "|") + ")$"}
}

// tryPackage tries mutants of one package, and says of each what becomes of it.
func tryPackage(ctx context.Context, root, path string, sites []site, how tests, became func(i int, f fate)) error {
	directory, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	built, w, err := prepare(ctx, root, path, directory, sites)
	if err != nil {
		return err
	}
	t := &trial{root: root, path: path, how: how, built: built}
	if !built.untested {
		if t.slow, err = skips(filepath.Join(root, path)); err != nil {
			return err
		}
		if err := t.observe(ctx, &t.short, "-test.short"); err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(os.Stderr, "left out: %v\n", err)
				for i := range sites {
					became(i, failing)
				}
			}
			return ctx.Err()
		}
	}
	for i, s := range sites {
		f := unbuilt
		switch {
		case w.never[i]:
		case w.left[i]:
			f, err = t.tryAlone(ctx, s)
		default:
			f, err = t.try(ctx, i)
		}
		if err != nil {
			return err
		}
		became(i, f)
	}
	return nil
}

// skips says whether tests in a directory leave out something with -short.
func skips(directory string) (bool, error) {
	paths, err := filepath.Glob(filepath.Join(directory, "*_test.go"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), "testing.Short()") {
			return true, err
		}
	}
	return false, err
}

// observe runs tests without a mutant, one after the other, and notes how long each takes and which mutants it reaches.
func (t *trial) observe(ctx context.Context, o *observed, arguments ...string) error {
	log := filepath.Join(t.built.directory, "log")
	if err := os.RemoveAll(log); err != nil {
		return err
	}
	said, err := t.run(ctx, t.built, 3*t.how.limit, []string{"MUTANT_LOG=" + log}, append(arguments, "-test.v", "-test.parallel=1")...)
	if err != nil {
		return fmt.Errorf("the tests of %s fail without a mutant: %w: %s", t.path, err, said[max(0, len(said)-2000):])
	}
	o.seconds, o.reaching = map[string]float64{}, map[int]map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^--- PASS: (\S+) \((\S+)s\)$`).FindAllStringSubmatch(said, -1) {
		if o.seconds[found[1]], err = strconv.ParseFloat(found[2], 64); err != nil {
			return err
		}
	}
	file, err := os.Open(log)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // read only
	test := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		kind, name, _ := strings.Cut(lines.Text(), " ")
		if kind == "test" {
			test = name
			continue
		}
		id, err := strconv.Atoi(name)
		if err != nil {
			return err
		}
		if o.reaching[id] == nil {
			o.reaching[id] = map[string]bool{}
		}
		o.reaching[id][test] = true
	}
	return nil
}

// try runs the tests with one mutant switched on: first the quick ones that it makes a difference to, then all that -short leaves, and then, of
// all tests, those that it makes a difference to. A mutant that makes the tests hang is killed, too: so would a person be who waits for them.
func (t *trial) try(ctx context.Context, id int) (fate, error) {
	if t.built.untested {
		return unnoticed, nil
	}
	on := []string{"MUTANT=" + strconv.Itoa(id)}
	became := unnoticed
	if reaching := t.short.reaching[id]; len(reaching) > 0 {
		quick := slices.DeleteFunc(slices.Sorted(maps.Keys(reaching)), func(name string) bool { return name == "" || t.short.seconds[name] > 1 })
		if len(quick) > 0 && t.short.total() > 2 {
			if f, err := t.fate(ctx, t.built, on, 30*time.Second, append(those(quick), "-test.short")...); f != survived || err != nil {
				return f, err
			}
		}
		limit := min(t.how.limit, 15*time.Second+time.Duration(8*t.short.total()*float64(time.Second)))
		if f, err := t.fate(ctx, t.built, on, limit, "-test.short"); f != survived || err != nil {
			return f, err
		}
		became = survived
	}
	if t.how.short || !t.slow {
		return became, nil
	}
	if t.all == nil {
		t.all = &observed{}
		if err := t.observe(ctx, t.all); err != nil {
			if ctx.Err() != nil {
				return pending, ctx.Err()
			}
			fmt.Fprintf(os.Stderr, "only with -short: %v\n", err)
			*t.all = t.short
		}
	}
	reaching := t.all.reaching[id]
	if len(reaching) == 0 {
		return became, nil
	}
	var names []string
	if !reaching[""] { // reached before the first test
		names = slices.Sorted(maps.Keys(reaching))
	}
	return t.fate(ctx, t.built, on, t.how.limit, those(names)...)
}

// tryAlone builds a mutant that no switch can be made for, and runs the tests.
func (t *trial) tryAlone(ctx context.Context, s site) (fate, error) {
	directory, err := os.MkdirTemp(t.built.directory, "alone")
	if err != nil {
		return pending, err
	}
	text, err := os.ReadFile(filepath.Join(t.root, s.File))
	if err != nil {
		return pending, err
	}
	alone := &program{directory: directory, path: filepath.Join(directory, "tests"), overlay: filepath.Join(directory, "overlay.json"), untested: t.built.untested}
	if err := writeOverlay(t.root, directory, alone.overlay, map[string][]byte{s.File: s.apply(text)}); err != nil {
		return pending, err
	}
	if _, err := compileTests(ctx, t.root, s.Package, alone); err != nil {
		return unbuilt, ctx.Err()
	}
	if alone.untested {
		return unnoticed, nil
	}
	f, err := t.fate(ctx, alone, nil, t.how.limit, "-test.short")
	if f == survived && err == nil && !t.how.short && t.slow {
		f, err = t.fate(ctx, alone, nil, t.how.limit)
	}
	return f, err
}

// fate runs tests and says whether one fails.
func (t *trial) fate(ctx context.Context, p *program, environment []string, limit time.Duration, arguments ...string) (fate, error) {
	_, err := t.run(ctx, p, limit, environment, append(arguments, "-test.failfast")...)
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return pending, ctx.Err()
	case err == nil:
		return survived, nil
	case errors.As(err, &failed), errors.Is(err, context.DeadlineExceeded), errors.Is(err, exec.ErrWaitDelay):
		return killed, nil
	}
	return pending, err
}

// run runs a program of tests in the directory of its package, with 12 GB of memory at most: a mutant may well ask for all there is. What
// the tests start ends with them.
func (t *trial) run(ctx context.Context, p *program, limit time.Duration, environment []string, arguments ...string) (said string, err error) {
	within, cancel := context.WithTimeout(ctx, limit+10*time.Second)
	defer cancel()
	command := exec.CommandContext(within, "sh", append([]string{"-c", `ulimit -v 12000000; exec "$0" "$@"`, p.path, "-test.timeout=" + limit.String()}, arguments...)...)
	command.Dir = filepath.Join(t.root, t.path)
	command.Env = append(os.Environ(), append(environment, "PWD="+command.Dir, "GOFLAGS=-overlay="+p.overlay)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.Cancel = end
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if command.Process != nil {
		_ = end() // none is left, as a rule
	}
	return string(output), err
}
