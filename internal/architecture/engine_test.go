package architecture

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// engineMayImport is what the module engine uses of the project: work is the product's, an engine only deals it.
var engineMayImport = []string{"internal/app/backfill", "internal/app/command", "internal/app/english", "internal/app/input", "internal/app/program", "internal/app/score", "internal/config", "internal/envelope", "internal/observe",
	"pkg/document", "pkg/fairness", "pkg/model", "pkg/record"}

// engineTestsMayImport is what its tests compare with.
var engineTestsMayImport = append([]string{"internal/adult", "pkg/backfill", "pkg/monitor"}, engineMayImport...)

// TestOnlyTheEngineLinksBeam: the product's list of modules does not have it, and the module engine, which has, uses what it may of the project.
func TestOnlyTheEngineLinksBeam(t *testing.T) {
	for _, list := range []string{"../../go.mod", "../../go.work", "../../bench/go.mod"} {
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "apache/beam") || strings.Contains(string(text), "./engine") {
			t.Errorf("%s has Beam, or the module that needs it", list)
		}
	}
	seen := 0
	err := filepath.WalkDir("../../engine", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		may := engineMayImport
		if strings.HasSuffix(path, "_test.go") {
			may = engineTestsMayImport
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			name, ours := strings.CutPrefix(name, module)
			if ours && !strings.HasPrefix(name, "engine/") && !slices.Contains(may, name) {
				t.Errorf("%s imports %s", path, name)
			}
			seen++
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Errorf("%d imports are seen, %v", seen, err)
	}
}
