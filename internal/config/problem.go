package config

import "strings"

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

// Error has one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}
