package command

import "github.com/spf13/cobra"

// Said is who asks for a command and why, as the flags --actor and --reason say it; it goes to the history.
type Said struct{ Actor, Reason string }

// Register adds the flags to a command.
func (s *Said) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Actor, "actor", "", "who asks for this, for the history of the job")
	cmd.Flags().StringVar(&s.Reason, "reason", "", "why, for the history of the job")
}
