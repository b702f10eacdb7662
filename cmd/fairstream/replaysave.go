package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fairstream/fairstream/pkg/document"
)

// checkSave finds before the pass that --save cannot be written after it.
func (r *replay) checkSave() error {
	if r.save == "" {
		return nil
	}
	return writable("--save", r.save)
}

// writable says why a flag's file cannot be written.
func writable(flag, name string) error {
	directory := filepath.Dir(name)
	if info, err := os.Stat(directory); err != nil || !info.IsDir() {
		return fmt.Errorf("%s %s: there is no directory %s: make it, or name another file", flag, name, directory)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s %s: is a directory: name a file in it", flag, name)
	}
	return nil
}

// keep writes the document that --save asked for.
func (r *replay) keep(doc *document.Document) error {
	doc.Job = r.config.Job
	doc.Rejected = r.rejected.total
	doc.Lineage.Program = version()
	doc.Lineage.Input = r.train.name + r.orders.words()
	text, err := doc.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(r.save, append(text, '\n'), 0o644)
}
