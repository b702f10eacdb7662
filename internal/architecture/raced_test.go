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
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^RACED +:= ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	if found == nil {
		t.Fatal("the Makefile has no list RACED")
	}
	patterns := strings.Fields(strings.ReplaceAll(string(found[1]), "\\\n", " "))
	command := exec.Command("go", append([]string{"list"}, patterns...)...)
	command.Dir = "../.."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	raced := strings.Fields(string(output))
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
