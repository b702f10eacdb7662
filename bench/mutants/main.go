// Command mutants draws small mutations of the product's code and reports how many the tests of the same package notice. A
// mutation turns a sign, moves a bound, leaves out a check, adds one to a number, or drops a statement.
//
//	go run ./bench/mutants -seed 1 -count 200 -out bench/mutants/RESULT.md
//
// The seed determines which mutations are drawn. Interrupted, it reports those that were tried. Read the files as site.go, run.go, main.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	seed := flag.Uint64("seed", 1, "which mutations are drawn")
	count := flag.Int("count", 200, "how many mutants are tried")
	only := flag.String("only", "", "packages whose path contains this text alone")
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
	root, err := output(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/fairstream/fairstream")
	if err != nil {
		return err
	}
	packages, err := product(ctx, root, only)
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
	text := report(results, fmt.Sprintf("Seed %d, %s, commit %s, %s.", seed, time.Now().Format(time.DateOnly), commit, how))
	fmt.Print(text)
	if out != "" {
		return os.WriteFile(out, []byte(text), 0o600)
	}
	return nil
}

// product lists the product's packages, by path within the module. One without tests is among them, and its mutants survive; a program that
// writes files and the packages that serve tests alone are not.
func product(ctx context.Context, root, only string) (packages []string, err error) {
	const inUse = `{{$tests := false}}{{range .Imports}}{{if eq . "testing"}}{{$tests = true}}{{end}}{{end}}{{if not $tests}}{{.ImportPath}}{{end}}`
	listed, err := output(ctx, "go", "list", "-C", root, "-f", inUse, "./pkg/...", "./internal/...", "./cmd/...")
	for path := range strings.FieldsSeq(listed) {
		name := strings.TrimPrefix(path, "github.com/fairstream/fairstream/")
		if strings.Contains(name, only) && !strings.HasSuffix(name, "/generate") && name != "internal/architecture" && !strings.HasSuffix(name, "test") {
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

// try runs mutants in the order of the draw until count of them were built. Which these are does not depend on the workers.
func try(ctx context.Context, root string, drawn []site, count int, how tests, workers int) ([]result, error) {
	var mutex sync.Mutex
	var failed error
	var results []result
	next := 0
	take := func() (s site, i int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		built := 0
		for _, r := range results {
			if r.fate != unbuilt {
				built++
			}
		}
		if failed != nil || built >= count || next >= len(drawn) {
			return s, 0, false
		}
		next++
		results = append(results, result{drawn[next-1], pending})
		return drawn[next-1], next - 1, true
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for s, i, ok := take(); ok; s, i, ok = take() {
				f, err := trial(ctx, root, s, how)
				mutex.Lock()
				switch results[i].fate = f; {
				case err != nil:
					failed, results[i].fate = err, pending
				case f != unbuilt:
					fmt.Fprintf(os.Stderr, "%4d %-9s %s:%d %s: %s\n", i, []string{"SURVIVED", "killed"}[f], s.File, s.Line, s.Kind, s.Was)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	results = slices.DeleteFunc(results, func(r result) bool { return r.fate == unbuilt || r.fate == pending })
	return results[:min(count, len(results))], failed
}

// report is the table of packages, and every survivor.
func report(results []result, about string) string {
	drawn, dead := map[string]int{}, map[string]int{}
	all := 0
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
		if r.fate == survived {
			fmt.Fprintf(&text, "- %s:%d, %s: `%s`\n", r.File, r.Line, r.Kind, strings.ReplaceAll(r.Was, "`", "'"))
		}
	}
	return text.String()
}
