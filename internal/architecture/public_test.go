package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// notPublic are packages of pkg/ that another module cannot use whole, because their signatures have types of internal/: the parts of the
// learner, which pkg/model offers whole, and the stream, which the command runs.
var notPublic = []string{"pkg/features", "pkg/linear", "pkg/control", "pkg/stream"}

// TestSignaturesNeedNoInternalType: another module can name each type that the exported part of pkg/ takes or gives.
func TestSignaturesNeedNoInternalType(t *testing.T) {
	for name, problems := range internalTypes(t) {
		if !slices.Contains(notPublic, name) {
			for _, problem := range problems {
				t.Errorf("%s: %s", name, problem)
			}
		}
	}
}

// TestInternalTypesAreFound: the packages that are left out do have some, or need not be left out.
func TestInternalTypesAreFound(t *testing.T) {
	found := internalTypes(t)
	for _, name := range notPublic {
		if len(found[name]) == 0 {
			t.Errorf("%s has no type of internal/ in a signature any more: remove it from the list", name)
		}
	}
}

// internalTypes lists, by package of pkg/, the exported names that need a type of internal/.
func internalTypes(t *testing.T) map[string][]string {
	t.Helper()
	command := exec.Command("go", "list", "-trimpath", "-export", "-deps", "-json=ImportPath,Export", "./pkg/...")
	command.Dir = "../.."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p struct{ ImportPath, Export string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		compiled[p.ImportPath] = p.Export
	}
	all := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
	found := map[string][]string{}
	for path := range compiled {
		name, ours := strings.CutPrefix(path, module)
		if !ours || !strings.HasPrefix(name, "pkg/") {
			continue
		}
		p, err := all.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, exported := range p.Scope().Names() {
			if object := p.Scope().Lookup(exported); object.Exported() {
				for _, needed := range slices.Compact(slices.Sorted(slices.Values(neededBy(object)))) {
					found[name] = append(found[name], exported+" needs "+needed)
				}
			}
		}
	}
	return found
}

// neededBy lists the types of internal/ in what an exported object shows.
func neededBy(object types.Object) (needed []string) {
	named, isType := types.Unalias(object.Type()).(*types.Named)
	if _, is := object.(*types.TypeName); !is || !isType || named.Obj() != object {
		return internalIn(object.Type())
	}
	for method := range named.Methods() {
		if method.Exported() {
			needed = append(needed, internalIn(method.Type())...)
		}
	}
	return append(needed, internalIn(named.Underlying())...)
}

// internalIn lists the named types of internal/ in a type, as far as another package sees it.
func internalIn(t types.Type) (found []string) {
	add := func(parts ...types.Type) {
		for _, part := range parts {
			found = append(found, internalIn(part)...)
		}
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && strings.HasPrefix(p.Path(), module+"internal/") {
			return []string{t.String()}
		}
		for argument := range t.TypeArgs().Types() {
			add(argument)
		}
	case *types.Pointer:
		add(t.Elem())
	case *types.Slice:
		add(t.Elem())
	case *types.Array:
		add(t.Elem())
	case *types.Chan:
		add(t.Elem())
	case *types.Map:
		add(t.Key(), t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			add(v.Type())
		}
		for v := range t.Results().Variables() {
			add(v.Type())
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				add(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if method.Exported() {
				add(method.Type())
			}
		}
	}
	return found
}
