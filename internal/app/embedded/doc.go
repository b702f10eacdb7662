// Package embedded runs the embedded broker for somebody who tries things out.
//
// Its files, in the order in which they are read:
//
//	yaml.go    adult.yaml, the configuration that the command broker writes
//	broker.go  the command broker: port and directory in use, what it prints
//
// It may import app/output, app/program and internal/devbroker.
package embedded
