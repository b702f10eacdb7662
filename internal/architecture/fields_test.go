package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostFields is how many fields a structure that holds a whole loop may have. A nested structure counts by its fields, unless it has methods
// that work on them.
const mostFields = 15

func TestTheLoopHasFewFields(t *testing.T) {
	if n := fieldsOf(t, "../../pkg/stream", "learning"); n == 0 || n > mostFields {
		t.Errorf("learning of pkg/stream has %d fields, at most %d may be: let a part of it be a type with methods", n, mostFields)
	}
	if n := fieldsOf(t, "testdata/fields", "loop"); n != 5 {
		t.Errorf("%d fields are counted in the example, want 5", n)
	}
}

// fieldsOf counts the fields of a structure of a package.
func fieldsOf(t *testing.T, directory, name string) int {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	structures, methods := map[string]*ast.StructType{}, map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			switch d := declared.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[baseOf(d.Recv.List[0].Type)] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						if structure, ok := s.Type.(*ast.StructType); ok {
							structures[s.Name.Name] = structure
						}
					}
				}
			}
		}
	}
	var count func(s *ast.StructType) int
	count = func(s *ast.StructType) (n int) {
		if s == nil {
			return 0
		}
		for _, field := range s.Fields.List {
			each, base := 1, baseOf(field.Type)
			if nested, ok := structures[base]; ok && (!methods[base] || len(field.Names) == 0) {
				each = count(nested)
			}
			n += each * max(1, len(field.Names))
		}
		return n
	}
	return count(structures[name])
}

// baseOf is the name of a type, or of the type that it points to; empty if it has none in the package.
func baseOf(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
