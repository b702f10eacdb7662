package main

import (
	"regexp"

	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/report"
	"github.com/fairstream/fairstream/pkg/document"
)

// checkOutputs finds before the pass that --save and --report cannot be written after it, or would replace what is not
// theirs. files are those of the configuration.
func (r *replay) checkOutputs(files []string) error {
	inputs := append([]string{r.input, r.holdout}, files...)
	if r.save != "" {
		if err := r.saved().Check(append(inputs, r.page)...); err != nil {
			return err
		}
	}
	if r.page != "" {
		return r.paged().Check(append(inputs, r.save)...)
	}
	return nil
}

func (r *replay) saved() output.File {
	return output.File{Flag: "--save", Name: r.save, Kind: weightDocument}
}
func (r *replay) paged() output.File {
	return output.File{Flag: "--report", Name: r.page, Kind: reportPage}
}

// keep writes the document that --save asked for.
func (r *replay) keep(doc *document.Document) error {
	doc.Job = r.config.Job
	doc.Rejected = r.rejected.Total
	doc.Lineage.Program = program.Version()
	doc.Lineage.Input = r.train.Name + r.orders.words()
	text, err := doc.Encode()
	if err != nil {
		return err
	}
	return r.saved().Write(append(text, '\n'))
}

var (
	weightDocument = output.Kind{Words: "a weight document", Ours: regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + document.Format + `"`)}
	reportPage     = output.Kind{Words: "a report", Ours: regexp.MustCompile(`^<!DOCTYPE html>[^\x00]*` + regexp.QuoteMeta(report.Generator))}
)
