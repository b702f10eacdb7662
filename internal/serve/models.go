package serve

import (
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// Models are the documents to decide by, from any goroutine.
type Models interface {
	// Current decides; nil while there is none.
	Current() *follow.Model
}

// FileAlias stands for the alias in the answers of a document that was read from a file.
const FileAlias = "file"

// Fixed is one document that never changes.
func Fixed(d *document.Document) Models {
	return fixed{&follow.Model{Document: d, Term: d.Lineage.Term, Version: d.Version, Alias: FileAlias}}
}

type fixed struct{ model *follow.Model }

// Current is part of Models.
func (f fixed) Current() *follow.Model { return f.model }

// none is a shadow that nobody asked for.
type none struct{}

// Current is part of Models.
func (none) Current() *follow.Model { return nil }
