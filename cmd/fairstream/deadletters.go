package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/deadletters"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newDeadLetters(s *program.Streams) *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "deadletters",
		Short: "Feed rejected records again",
		Long: `Feed the records of the dead-letter topic again, once the cause of their rejection is gone: after a field
was listed under record.renamed, for example.`,
	}, newDeadLettersReplay(s))
}

func newDeadLettersReplay(s *program.Streams) *cobra.Command {
	return onCluster(s, deadletters.Replay, "dry-run", "count, and write nothing", &cobra.Command{
		Use:   "replay --config FILE",
		Short: "Write the job's dead letters to its input topic again, each once",
		Long: `Write the job's dead letters to its input topic again, where run learns them as new records. Each
record, known by topic ID, partition and offset, comes back once, however often the
command is called and however it ends: the state topic keeps the account. Letters that the configuration
still rejects are left out, and counted by reason. At most 10,000 letters are held in memory.

The records come back to the partitions from which they came, with their key, value and headers, and the
header fairstream.replay. Other readers of the input topic see them too. They are written in transactions:
a second replay of the job ends the first, and readers of committed records see each letter once.`,
		Example: `  fairstream deadletters replay --config config.yaml --dry-run
  fairstream deadletters replay --config config.yaml`,
	})
}
