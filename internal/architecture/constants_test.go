package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestConstantsOfTheLearner: research/constants.md has each numeric constant of the learner's packages with its value, and no other.
func TestConstantsOfTheLearner(t *testing.T) {
	text, err := os.ReadFile("../../research/constants.md")
	if err != nil {
		t.Fatal(err)
	}
	table, section := map[string]int{}, ""
	row := regexp.MustCompile("^\\| `(\\w+)` \\| `([a-z]+\\.go)` \\| `([^`]+)` \\| [^|]+ \\| [^|]+ \\|")
	for line := range strings.Lines(string(text)) {
		if heading, is := strings.CutPrefix(strings.TrimSpace(line), "## "); is {
			section = heading
		}
		if found := row.FindStringSubmatch(line); found != nil {
			table[section+"/"+found[2]+" "+found[1]+" = "+found[3]]++
		}
	}
	declared := map[string]int{}
	for _, directory := range []string{"pkg/features", "pkg/linear", "pkg/control", "pkg/model", "pkg/csspa", "pkg/csspa/steps"} {
		for _, one := range numericConstants(t, directory) {
			declared[one]++
		}
	}
	if len(declared) < 100 {
		t.Errorf("only %d constants are found", len(declared))
	}
	for _, one := range slices.Sorted(maps.Keys(declared)) {
		if table[one] != declared[one] {
			t.Errorf("research/constants.md has no row of %s: say its unit and what chose it", one)
		}
		delete(table, one)
	}
	for _, one := range slices.Sorted(maps.Keys(table)) {
		t.Errorf("research/constants.md has %s, which is not declared", one)
	}
}

// numericConstants are those of a package whose value is a number, or an expression of one, rather than a text or one of an enumeration.
func numericConstants(t *testing.T, directory string) (all []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		text := func(n ast.Node) string {
			return string(source[positions.Position(n.Pos()).Offset:positions.Position(n.End()).Offset])
		}
		ast.Inspect(file, func(n ast.Node) bool {
			group, is := n.(*ast.GenDecl)
			if !is || group.Tok != token.CONST {
				return true
			}
			for _, spec := range group.Specs {
				constant := spec.(*ast.ValueSpec)
				for i, value := range constant.Values {
					if isNumber(value) {
						all = append(all, directory+"/"+filepath.Base(path)+" "+constant.Names[i].Name+" = "+text(value))
					}
				}
			}
			return true
		})
	}
	return all
}

// isNumber says whether an expression has a number, or an operator, and no iota.
func isNumber(value ast.Expr) bool {
	number, enumerates := false, false
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			number = number || n.Kind == token.INT || n.Kind == token.FLOAT
		case *ast.BinaryExpr:
			number = true
		case *ast.Ident:
			enumerates = enumerates || n.Name == "iota"
		}
		return true
	})
	return number && !enumerates
}
