// Package embedded runs the embedded broker for somebody who tries things out.
//
// Its files, in the order in which they are read:
//
//	yaml.go    a configuration for the bundled records and a broker
//	broker.go  the broker, until it is stopped
//
// It may import app/output, app/program and internal/devbroker.
package embedded
