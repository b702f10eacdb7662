package main

import (
	"context"
	"path/filepath"

	"github.com/fairstream/fairstream/bench/sources"
)

// codeOf is the start of a hash of all source files of the repository that this program is built from, and of the
// bundled records. The document's text is not among them: no number depends on it.
func codeOf(ctx context.Context) (string, error) {
	const study = sources.Module + "/bench/paper"
	root, err := sources.Root(ctx)
	if err != nil {
		return "", err
	}
	packages, err := sources.Load(ctx, root, study)
	if err != nil {
		return "", err
	}
	files := sources.Files(root, packages, study)
	delete(files, filepath.Join(packages[study].Dir, "document.md.tmpl"))
	sum, err := sources.Sum(root, files)
	if err != nil {
		return "", err
	}
	return sum[:12], nil
}
