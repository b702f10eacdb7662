package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program, the revision it was built from, and that of Go",
		Example: "  fairstream version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, "fairstream", version())
			return inWork(err)
		},
	}
}
