// Package onnx writes the model of a document as an ONNX graph, in core operators of double precision.
//
// Its files, in the order in which they are read:
//
//	wire.go    ONNX messages as protobuf; opset 17, types of tensors (double, single, string)
//	graph.go   nodes, constants, inputs, outputs; where numbers are rounded to single precision, as learnt
//	search.go  binary search as nodes
//	column.go  what a column adds to the margin: texts, knots, bins, single numbers; missing and infinite; texts that are no numbers
//	           refused
//	token.go   what a column is for crosses
//	cross.go   what a cross adds; crosses too large or not spelt out refused
//	export.go  the whole model: outputs margin, decision, probability in double precision; what ONNX cannot express (weights shared by
//	           hash, texts cut off)
//
// It may import pkg/document, pkg/features and pkg/record.
package onnx
