package config

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a configuration, where it was written, and what to do.
type Problem struct {
	// Source is where the value was set: config.yaml:7, FAIRSTREAM_JOB or --set. Empty for what nobody set.
	Source string
	// Path is the key, such as constraints[0].tau; empty when it is about the whole source.
	Path    string
	Message string
}

// String reads "source: path: message".
func (p Problem) String() string {
	var parts []string
	for _, part := range []string{p.Source, p.Path, p.Message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// Problems is everything that is wrong with a configuration. It is the error of Load.
type Problems []Problem

// Error has one problem a line, below a line that counts them.
func (p Problems) Error() string {
	var text strings.Builder
	if len(p) == 1 {
		text.WriteString("the configuration has a problem:")
	} else {
		fmt.Fprintf(&text, "the configuration has %d problems:", len(p))
	}
	for _, problem := range p {
		text.WriteString("\n" + problem.String())
	}
	return text.String()
}
