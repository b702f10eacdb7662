package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/learn"
	"github.com/fairstream/fairstream/internal/app/program"
)

// newLearn returns what the estimators of the Python package talk to. It is hidden, because its input is no text.
func newLearn(s *program.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "learn",
		Short: "Learn from the records that another program sends through standard input",
		Long: `Learn from the records that another program sends through standard input, and answer on standard output. The
estimators of the Python package start this command; the package internal/app/learn describes the messages.`,
		Hidden: true,
		Args:   command.NoArguments,
		RunE:   func(*cobra.Command, []string) error { return command.InWork(learn.Run(s)) },
	}
}
