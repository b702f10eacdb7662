// Package onnx writes the model of a document as an ONNX graph, in core operators of double precision.
//
// Its files, in the order in which they are read:
//
//	wire.go    the messages of ONNX, as protobuf
//	graph.go   a graph in the making: nodes, constants, inputs
//	search.go  how many sorted numbers are below another one
//	column.go  what a column adds to the margin
//	token.go   what a column is for crosses
//	cross.go   what a combination of columns adds
//	export.go  the whole graph, and what cannot be expressed
//
// It may import pkg/document, pkg/features and pkg/record.
package onnx
