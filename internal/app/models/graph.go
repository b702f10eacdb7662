package models

import (
	"context"
	"fmt"
	"regexp"

	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/onnx"
)

// graphKind is what Graph writes: a model of ONNX begins with its version, and then says who made it.
var graphKind = output.Kind{Words: "an ONNX model by fairstream", Ours: regexp.MustCompile(`(?s)^\x08.\x12\x0afairstream`)}

// Graph prints a document as an ONNX model, or writes it to Output.
func (m *Weights) Graph(ctx context.Context) error {
	to := output.File{Flag: "--output", Name: m.Output, Kind: graphKind}
	if m.Output != "" {
		if err := to.Check(m.File); err != nil {
			return err
		}
	}
	_, doc, err := m.one(ctx)
	if err != nil {
		return err
	}
	graph, err := onnx.Model(doc)
	if err != nil {
		return fmt.Errorf("ONNX: %w", err)
	}
	if m.Output != "" {
		return to.Write(graph)
	}
	_, err = m.Out.Write(graph)
	return err
}
