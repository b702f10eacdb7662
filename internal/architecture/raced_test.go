package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGoroutinesAreRaced: the tests of each package of the product that starts a goroutine run with the race detector.
func TestGoroutinesAreRaced(t *testing.T) {
	raced := listed(t, "RACED")
	starting := 0
	for _, p := range projectPackages(t) {
		if slices.ContainsFunc(top, func(tree string) bool { return strings.HasPrefix(p.name(), tree) }) {
			continue
		}
		file := startsGoroutine(t, filepath.Join("../..", p.name()))
		if file == "" {
			continue
		}
		starting++
		if !slices.Contains(raced, p.ImportPath) {
			t.Errorf("%s starts a goroutine: add ./%s to RACED in the Makefile", file, p.name())
		}
	}
	if starting < 5 {
		t.Errorf("only %d packages start goroutines: is the check blind?", starting)
	}
}

// TestWhatRunsOnceIsWhole: a package that make test tests with the race detector alone leaves out nothing with -short.
func TestWhatRunsOnceIsWhole(t *testing.T) {
	partly, once := listed(t, "PARTLY"), 0
	for _, name := range listed(t, "RACED") {
		if slices.Contains(partly, name) {
			continue
		}
		once++
		directory := filepath.Join("../..", strings.TrimPrefix(name, module))
		paths, err := filepath.Glob(filepath.Join(directory, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, leaves := range []string{"testing.Short()", "fairstream/test/broker\""} {
				if strings.Contains(string(text), leaves) {
					t.Errorf("%s uses %s: add ./%s to PARTLY in the Makefile, or -short leaves out what nothing else runs", path, leaves, strings.TrimPrefix(name, module+"/"))
				}
			}
		}
	}
	if once < 10 {
		t.Errorf("only %d packages run once: is the check blind?", once)
	}
}

// listed are the import paths of the packages in a list of the Makefile.
func listed(t *testing.T, list string) []string {
	t.Helper()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + list + ` +:= ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	if found == nil {
		t.Fatalf("the Makefile has no list %s", list)
	}
	patterns := strings.Fields(strings.ReplaceAll(string(found[1]), "\\\n", " "))
	command := exec.Command("go", append([]string{"list"}, patterns...)...)
	command.Dir = "../.."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(output))
}

// startsGoroutine names a file of a package, not of its tests, with a go statement or a call of Go, as of sync.WaitGroup and errgroup.Group.
func startsGoroutine(t *testing.T, directory string) (name string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GoStmt:
				name = path
			case *ast.SelectorExpr:
				if n.Sel.Name == "Go" {
					name = path
				}
			}
			return name == ""
		})
		if name != "" {
			return name
		}
	}
	return ""
}
