// Command mutants draws small mutations of the product's code and reports how many the tests of the same package notice. A
// mutation turns a sign, moves a bound, leaves out a check, adds one to a number, or drops a statement.
//
//	go run ./bench/mutants -seed 1 -count 200 -out bench/mutants/RESULT.md
//
// The seed determines which mutations are drawn. Interrupted, it reports those that were tried.
//
// All mutants of a package are built into one program of its tests, each behind a switch that the environment turns on (weave.go), and one run without a
// mutant notes which tests each makes a difference to (run.go). A mutant that makes none survives at once; of another, the quick tests among
// those run first, then what go test -short runs of the package. What survives makes the tool note the same for all tests of the package, once, and
// runs those that the mutant makes a difference to.
//
// Four parts of the code are not mutated, because they cannot change what the program does: the capacity of a slice that is made, the expected size of a map, a
// bound on a capacity, and an assignment to no variable (idle in site.go). Everything else counts, lines of a log and sizes of buffers included.
//
// Read the files as site.go, weave.go, run.go, main.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const module = "github.com/fairstream/fairstream"

func main() {
	seed := flag.Uint64("seed", 1, "which mutations are drawn")
	count := flag.Int("count", 200, "how many mutants are tried")
	only := flag.String("only", "", "packages alone whose path this regular expression matches")
	limit := flag.Duration("limit", 4*time.Minute, "the longest time of one package's tests")
	workers := flag.Int("workers", 2, "mutants tried at a time")
	short := flag.Bool("short", false, "only the tests that go test -short runs")
	out := flag.String("out", "", "a file for the report, besides standard output")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *seed, *count, *only, tests{*limit, *short}, *workers, *out); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, seed uint64, count int, only string, how tests, workers int, out string) error {
	root, err := output(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return err
	}
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	packages, err := product(ctx, root, pattern)
	if err != nil {
		return err
	}
	sites := map[string][]site{}
	for _, name := range packages {
		found, err := sitesOf(root, name)
		if err != nil {
			return err
		}
		for _, s := range found {
			sites[s.Kind] = append(sites[s.Kind], s)
		}
	}
	results, err := try(ctx, root, draw(sites, seed), count, how, workers)
	if interrupted := ctx.Err() != nil && len(results) > 0; err != nil && !interrupted {
		return err
	}
	commit, err := output(context.WithoutCancel(ctx), "git", "-C", root, "describe", "--always", "--dirty")
	if err != nil {
		return err
	}
	text := report(results, fmt.Sprintf("Seed %d, %s, commit %s, %s, %.1f s of processor time a mutant.", seed, time.Now().Format(time.DateOnly), commit, how, processorTime().Seconds()/float64(max(1, len(results)))))
	fmt.Print(text)
	if out != "" {
		return os.WriteFile(out, []byte(text), 0o600)
	}
	return nil
}

// product lists the product's packages, by path within the module. One without tests is among them, and its mutants survive; a program that
// writes files and the packages that serve tests alone are not.
func product(ctx context.Context, root string, only *regexp.Regexp) (packages []string, err error) {
	const inUse = `{{$tests := false}}{{range .Imports}}{{if eq . "testing"}}{{$tests = true}}{{end}}{{end}}{{if not $tests}}{{.ImportPath}}{{end}}`
	listed, err := output(ctx, "go", "list", "-C", root, "-f", inUse, "./pkg/...", "./internal/...", "./cmd/...")
	for path := range strings.FieldsSeq(listed) {
		name := strings.TrimPrefix(path, module+"/")
		if only.MatchString(name) && !strings.HasSuffix(name, "/generate") && name != "internal/architecture" && !strings.HasSuffix(name, "test") {
			packages = append(packages, name)
		}
	}
	return packages, err
}

func output(ctx context.Context, name string, arguments ...string) (string, error) {
	text, err := exec.CommandContext(ctx, name, arguments...).Output()
	return strings.TrimSpace(string(text)), err
}

// draw gives all sites in a random order, the kinds in turn.
func draw(sites map[string][]site, seed uint64) (drawn []site) {
	rng := rand.New(rand.NewPCG(seed, 0))
	longest := 0
	for _, kind := range kinds {
		rng.Shuffle(len(sites[kind]), func(i, j int) { sites[kind][i], sites[kind][j] = sites[kind][j], sites[kind][i] })
		longest = max(longest, len(sites[kind]))
	}
	for i := range longest {
		for _, kind := range kinds {
			if i < len(sites[kind]) {
				drawn = append(drawn, sites[kind][i])
			}
		}
	}
	return drawn
}

// result is a mutant and what became of it.
type result struct {
	site
	fate
}

// try runs mutants in the order of the draw until count of them were built. Which these are does not depend on the workers. The mutants of a package
// are tried together, and those that take the place of others in another round.
func try(ctx context.Context, root string, drawn []site, count int, how tests, workers int) (results []result, failed error) {
	for {
		built := 0
		for _, r := range results {
			if r.fate != unbuilt {
				built++
			}
		}
		more := min(count-built, len(drawn)-len(results))
		if more <= 0 || failed != nil {
			break
		}
		first := len(results)
		var packages []string
		members := map[string][]int{}
		for i, s := range drawn[first : first+more] {
			results = append(results, result{s, pending})
			if members[s.Package] == nil {
				packages = append(packages, s.Package)
			}
			members[s.Package] = append(members[s.Package], first+i)
		}
		var mutex sync.Mutex
		queue := make(chan string, len(packages))
		for _, name := range packages {
			queue <- name
		}
		close(queue)
		var group sync.WaitGroup
		for range workers {
			group.Go(func() {
				for name := range queue {
					var sites []site
					for _, i := range members[name] {
						sites = append(sites, drawn[i])
					}
					err := tryPackage(ctx, root, name, sites, how, func(i int, f fate) {
						mutex.Lock()
						defer mutex.Unlock()
						results[members[name][i]].fate = f
						if said, ok := map[fate]string{killed: "killed", survived: "SURVIVED", unnoticed: "UNNOTICED"}[f]; ok {
							s := sites[i]
							fmt.Fprintf(os.Stderr, "%4d %-9s %s:%d %s: %s\n", members[name][i], said, s.File, s.Line, s.Kind, s.Was)
						}
					})
					if err != nil {
						mutex.Lock()
						failed = err
						mutex.Unlock()
						return
					}
				}
			})
		}
		group.Wait()
	}
	results = slices.DeleteFunc(results, func(r result) bool { return r.fate == unbuilt || r.fate == pending })
	return results, failed
}

// processorTime is that of all builds and tests so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// report is the table of packages, and every survivor.
func report(results []result, about string) string {
	drawn, dead := map[string]int{}, map[string]int{}
	all := 0
	var broken []string
	results = slices.DeleteFunc(slices.Clone(results), func(r result) bool {
		if r.fate == failing && !slices.Contains(broken, r.Package) {
			broken = append(broken, r.Package)
		}
		return r.fate == failing
	})
	for _, r := range results {
		drawn[r.Package]++
		if r.fate == killed {
			dead[r.Package]++
			all++
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Mutants\n\n%s Of %d mutants the tests of their own package killed %d (%.0f %%).\n\n| package | mutants | killed |\n|---|---|---|\n",
		about, len(results), all, 100*float64(all)/float64(max(1, len(results))))
	names := make([]string, 0, len(drawn))
	for name := range drawn {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&text, "| %s | %d | %d |\n", name, drawn[name], dead[name])
	}
	fmt.Fprintf(&text, "\nSurvivors:\n\n")
	for _, r := range results {
		if r.fate == survived || r.fate == unnoticed {
			fmt.Fprintf(&text, "- %s:%d, %s: `%s`%s\n", r.File, r.Line, r.Kind, strings.ReplaceAll(r.Was, "`", "'"), map[fate]string{unnoticed: ", which makes no difference to a test"}[r.fate])
		}
	}
	if len(broken) > 0 {
		fmt.Fprintf(&text, "\nLeft out, because their tests fail without a mutation: %s.\n", strings.Join(broken, ", "))
	}
	return text.String()
}
