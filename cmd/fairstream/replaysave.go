package main

import (
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/document"
)

// checkOutputs finds before the pass that --save and --report cannot be written after it, or would replace what is not
// theirs. files are those of the configuration.
func (r *replay) checkOutputs(files []string) error {
	inputs := append([]string{r.input, r.holdout}, files...)
	if r.save != "" {
		if err := r.saved().check(append(inputs, r.page)...); err != nil {
			return err
		}
	}
	if r.page != "" {
		return r.paged().check(append(inputs, r.save)...)
	}
	return nil
}

func (r *replay) saved() outFile { return outFile{"--save", r.save, weightDocument} }
func (r *replay) paged() outFile { return outFile{"--report", r.page, reportPage} }

// keep writes the document that --save asked for.
func (r *replay) keep(doc *document.Document) error {
	doc.Job = r.config.Job
	doc.Rejected = r.rejected.total
	doc.Lineage.Program = program.Version()
	doc.Lineage.Input = r.train.name + r.orders.words()
	text, err := doc.Encode()
	if err != nil {
		return err
	}
	return r.saved().write(append(text, '\n'))
}
