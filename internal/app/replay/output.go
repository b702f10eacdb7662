package replay

import (
	"regexp"
	"slices"

	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/report"
	"github.com/fairstream/fairstream/pkg/document"
)

// checkOutputs finds before the pass that --save and --report cannot be written after it, or would replace what is not
// theirs. files are those of the configuration.
func (s *Settings) checkOutputs(files []string) error {
	inputs := slices.Concat(s.Inputs, []string{s.Holdout}, files)
	if s.Save != "" {
		if err := s.saved().Check(append(inputs, s.Page)...); err != nil {
			return err
		}
	}
	if s.Page != "" {
		return s.paged().Check(append(inputs, s.Save)...)
	}
	return nil
}

func (s *Settings) saved() output.File {
	return output.File{Flag: "--save", Name: s.Save, Kind: weightDocument}
}
func (s *Settings) paged() output.File {
	return output.File{Flag: "--report", Name: s.Page, Kind: reportPage}
}

var (
	weightDocument = output.Kind{Words: "a weight document", Ours: regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + document.Format + `"`)}
	reportPage     = output.Kind{Words: "a report", Ours: regexp.MustCompile(`^<!DOCTYPE html>[^\x00]*` + regexp.QuoteMeta(report.Generator))}
)
