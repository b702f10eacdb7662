package models

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/onnx"
)

// Graph prints a document as an ONNX model.
func (m *Weights) Graph(ctx context.Context) error {
	_, doc, err := m.one(ctx)
	if err != nil {
		return err
	}
	graph, err := onnx.Model(doc)
	if err != nil {
		return fmt.Errorf("ONNX: %w", err)
	}
	_, err = m.Out.Write(graph)
	return err
}
