package architecture

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inOrder are the packages whose files are read from top to bottom of the list in their doc.go: a file uses only those
// before it.
var inOrder = []string{"pkg/features", "pkg/linear", "pkg/control", "pkg/document", "pkg/backfill", "internal/rolling", "internal/reserve", "pkg/model", "pkg/monitor", "pkg/release", "pkg/scoring", "pkg/follow", "pkg/kafka", "internal/cluster", "internal/cluster/clustertest", "internal/modeltopic",
	"internal/kafka/wire", "internal/kafka/fault", "internal/kafka/batches", "internal/kafka/link", "internal/kafka", "internal/chronicle", "internal/owner", "internal/deadletter", "internal/waiting", "internal/observe", "internal/intake", "pkg/stream",
	"internal/table", "internal/table/changes", "internal/table/compare", "internal/table/copies", "internal/table/labels", "internal/table/pairs", "internal/table/values",
	"internal/inspect/column", "internal/inspect/find", "internal/inspect/heldout", "internal/inspect/keys", "internal/inspect/leak", "internal/inspect/relation", "internal/inspect/seen", "internal/inspect/sequence", "internal/inspect/words", "internal/inspect"}

// commandLine is in order too, and has as many files as there are subcommands.
const commandLine = "cmd/fairstream"

// mostFiles is how many files such a package may have, and longestInOrder how many lines each.
const (
	mostFiles      = 16
	longestInOrder = 350
)

var listedFile = regexp.MustCompile(`(?m)^//\t(\w+\.go) `)

func TestFilesAreReadInOrder(t *testing.T) {
	commands, err := filepath.Glob("../../internal/app/*") // what is behind the commands, all of it
	if err != nil || len(commands) == 0 {
		t.Fatalf("internal/app is not found: %v", err)
	}
	names := append(slices.Clone(inOrder), commandLine)
	for _, path := range commands {
		names = append(names, strings.TrimPrefix(filepath.ToSlash(path), "../../"))
	}
	for _, name := range names {
		problems, err := orderProblems(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Error(name + ": " + problem)
		}
	}
}

// orderProblems lists what a package does against its reading order.
func orderProblems(directory string) (problems []string, err error) {
	doc, err := os.ReadFile(filepath.Join(directory, "doc.go"))
	if err != nil {
		return nil, err
	}
	order := []string{"doc.go"}
	for _, match := range listedFile.FindAllSubmatch(doc, -1) {
		order = append(order, string(match[1]))
	}
	found, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range found {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if !slices.Contains(order, filepath.Base(path)) {
			problems = append(problems, filepath.Base(path)+" is not in the list of doc.go: say where it is read")
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if bytes.Count(text, []byte("\n")) > longestInOrder {
			problems = append(problems, filepath.Base(path)+" is too long: split it")
		}
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) > mostFiles && !strings.HasSuffix(filepath.ToSlash(directory), commandLine) {
		problems = append(problems, "it has too many files: it is more than one package")
	}
	return append(problems, backward(set, files, order)...), nil
}

// nothing is known of imports: only what the package itself defines is looked at.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not looked at") }

// backward lists the uses of what a later file defines.
func backward(set *token.FileSet, files []*ast.File, order []string) (problems []string) {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nothing{}, Error: func(error) {}}
	p, _ := config.Check("p", set, files, &info) // errors of imports are expected
	at := func(position token.Pos) string { return filepath.Base(set.Position(position).Filename) }
	for used, object := range info.Uses {
		if object.Pkg() != p || !object.Pos().IsValid() {
			continue
		}
		from, to := at(used.Pos()), at(object.Pos())
		if slices.Index(order, to) > slices.Index(order, from) {
			problems = append(problems, from+" uses "+used.Name+" of "+to+", which is read later")
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// TestReadingOrderBites breaks each rule in a made-up package.
func TestReadingOrderBites(t *testing.T) {
	for name, broken := range map[string]struct {
		files map[string]string
		want  string
	}{
		"in order": {files: map[string]string{"doc.go": "//\ta.go x\n//\tb.go x\n//\n// Words.\npackage p\n", "a.go": "package p\ntype A struct{ n int }\n",
			"b.go": "package p\nfunc (a A) B() int { return a.n }\n"}},
		"a method": {want: "a.go uses B of b.go", files: map[string]string{"doc.go": "//\ta.go x\n//\tb.go x\n//\n// Words.\npackage p\n",
			"a.go": "package p\nimport \"fmt\"\ntype A struct{}\nfunc f() { fmt.Println(A{}.B()) }\n", "b.go": "package p\nfunc (A) B() int { return 1 }\n"}},
		"a field": {want: "a.go uses n of b.go", files: map[string]string{"doc.go": "//\ta.go x\n//\tb.go x\n//\n// Words.\npackage p\n",
			"a.go": "package p\nfunc f(b *B) int { return b.n }\n", "b.go": "package p\ntype B struct{ n int }\n"}},
		"not listed": {want: "b.go is not in the list", files: map[string]string{"doc.go": "//\ta.go x\n//\n// Words.\npackage p\n",
			"a.go": "package p\n", "b.go": "package p\n"}},
		"too long": {want: "a.go is too long", files: map[string]string{"doc.go": "//\ta.go x\n//\n// Words.\npackage p\n",
			"a.go": "package p\n" + strings.Repeat("\n", longestInOrder)}},
	} {
		directory := t.TempDir()
		for file, text := range broken.files {
			if err := os.WriteFile(filepath.Join(directory, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		problems, err := orderProblems(directory)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(problems, "\n"); broken.want == "" && got != "" || !strings.Contains(got, broken.want) {
			t.Errorf("%s: %q, want %q", name, got, broken.want)
		}
	}
}
