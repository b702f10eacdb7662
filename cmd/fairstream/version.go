package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newVersion(s *program.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, the revision it was built from, and that of Go",
		Long: `Print the version of the program, the revision it was built from, and that of Go. A revision is marked
as modified if the checkout had changes that were not committed.

go build takes the revision from the checkout. It is not known if the program was built outside a
checkout, in a git worktree, or with -buildvcs=false (see go env GOFLAGS).`,
		Example: "  fairstream version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(s.Out, program.Description())
			return command.InWork(err)
		},
	}
}
