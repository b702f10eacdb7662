// Package sources knows which files of the repository a package is built from, and hashes them, so that a result can
// name the code that it is of.
package sources

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the product's; the modules of studies and tests are below it.
const Module = "github.com/fairstream/fairstream"

// Package is what go list tells of a package of the repository. Of a test, ForTest names the package.
type Package struct {
	ImportPath, ForTest, Dir                        string
	GoFiles, TestGoFiles, XTestGoFiles, EmbedFiles  []string
	TestEmbedFiles, XTestEmbedFiles, SFiles, HFiles []string
	Deps                                            []string
	Module                                          *struct{ Path string }
}

// Root returns the folder of the repository that the working folder is in.
func Root(ctx context.Context) (string, error) {
	found, err := list(ctx, "", nil, "-m", "-f", "{{.Dir}}", Module)
	return strings.TrimSpace(string(found)), err
}

// Load lists the packages that the patterns name, their tests, and all packages of the repository that both are built from.
func Load(ctx context.Context, root string, patterns ...string) (map[string]Package, error) {
	return load(ctx, root, nil, patterns)
}

// Alone is the environment of commands in a module that go.work leaves out.
var Alone = []string{"GOWORK=off"}

// LoadAlone is Load for the module in a folder, which go.work leaves out.
func LoadAlone(ctx context.Context, folder string, patterns ...string) (map[string]Package, error) {
	return load(ctx, folder, Alone, patterns)
}

func load(ctx context.Context, folder string, environment, patterns []string) (map[string]Package, error) {
	arguments := []string{"-deps", "-test", "-json=ImportPath,ForTest,Dir,GoFiles,TestGoFiles,XTestGoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,SFiles,HFiles,Deps,Module"}
	output, err := list(ctx, folder, environment, append(arguments, patterns...)...)
	if err != nil {
		return nil, err
	}
	packages := map[string]Package{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p Package
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		if p.Module != nil && (p.Module.Path == Module || strings.HasPrefix(p.Module.Path, Module+"/")) {
			packages[p.ImportPath] = p
		}
	}
}

func list(ctx context.Context, folder string, environment []string, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", append([]string{"list"}, arguments...)...)
	var complaint bytes.Buffer
	command.Dir, command.Stderr, command.Env = folder, &complaint, append(os.Environ(), environment...)
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(complaint.String()))
	}
	return output, nil
}

// Files returns the paths of all files that the named packages and their dependencies in the repository are built from,
// and of the lists of library versions.
func Files(root string, packages map[string]Package, names ...string) map[string]bool {
	files := map[string]bool{filepath.Join(root, "go.sum"): true, filepath.Join(root, "bench", "go.sum"): true}
	parts := slices.Clone(names)
	for _, name := range names {
		parts = append(parts, packages[name].Deps...)
	}
	for _, part := range parts {
		p, ours := packages[part]
		if !ours {
			continue
		}
		for _, list := range [][]string{p.GoFiles, p.EmbedFiles, p.SFiles, p.HFiles} {
			for _, file := range list {
				if !filepath.IsAbs(file) { // else it is generated: the main of a test
					files[filepath.Join(p.Dir, file)] = true
				}
			}
		}
	}
	return files
}

// Sum is the SHA-256 of the files, in hexadecimal: of names relative to root, lengths and contents.
func Sum(root string, files map[string]bool) (string, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(relative), len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
