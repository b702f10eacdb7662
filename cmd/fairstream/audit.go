package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/audit"
	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

func newAudit(s *program.Streams) *cobra.Command {
	var flags configFlags
	a := audited{Streams: s}
	cmd := &cobra.Command{
		Use:   "audit --config FILE",
		Short: "Show the history of a job: time within tau, versions, changes, gaps",
		Long: `Show the history of a job for a period: the share of time in which the published weights were within
tau, the versions and who published them, changed keys of the configuration, lost data and gaps.

The entries of the history are chained by their SHA-256. A deleted, altered or moved entry is shown, and
the command then exits with 1. Claims, snapshot and documents of the job are compared with the history, so an
entry that tells of a publication or a release that never happened is shown too. With signing.public_keys,
entries, documents and aliases that no trusted key signed are shown, and the exit code is 1.

If the clocks of the processes that wrote the history differ, an entry counts as no earlier than the one
before, and the audit shows by how much clocks went back.

A time is RFC 3339 (2026-11-21T08:30:00Z), a day (2026-11-21, its beginning in UTC), or how long ago
(720h). With --since, entries that the topic no longer holds from before that time are no break.`,
		Example: `  fairstream audit --config config.yaml
  fairstream audit --config config.yaml --since 2026-10-01 --until 2026-11-01
  fairstream audit --config config.yaml --since 720h --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			now := time.Now().UTC()
			since, err := timeOf("--since", a.since, time.Time{}, now)
			if err != nil {
				return err
			}
			until, err := timeOf("--until", a.until, time.Time{}, now)
			if err != nil {
				return err
			}
			if end := cmp.Or(until, now); !since.Before(end) {
				return fmt.Errorf("--since %s is not before --until %s", since.Format(time.RFC3339), end.Format(time.RFC3339))
			}
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(a.run(cmd.Context(), loaded, history.Period{Since: since, Until: until}))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVar(&a.since, "since", "", "`TIME` at which the period begins (default the first entry)")
	f.StringVar(&a.until, "until", "", "`TIME` at which the period ends (default now, or the last entry if the clock of its writer is ahead)")
	f.DurationVar(&a.gap, "gap", time.Hour, "how long a version may stay the newest before that is a gap")
	f.BoolVar(&a.json, "json", false, "print one JSON object")
	cmd.AddCommand(newAuditImpact(s))
	return cmd
}

// audited is one run of the command.
type audited struct {
	*program.Streams
	since, until string
	gap          time.Duration
	json         bool
}

// timeOf reads a time from the command line; missing stands for none.
func timeOf(flag, text string, missing, now time.Time) (time.Time, error) {
	if text == "" {
		return missing, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	return missing, fmt.Errorf("%s %q is not a time: write 2026-11-21T08:30:00Z, 2026-11-21, or how long ago, such as 720h", flag, text)
}

func (a *audited) run(ctx context.Context, c *config.Loaded, period history.Period) error {
	var found *history.Audit
	err := cluster.With(ctx, c.Kafka, a.Err, func(ctx context.Context, client *kafka.Client) (err error) {
		found, err = readAudit(ctx, client, c, period, a.gap)
		return err
	})
	if err != nil {
		return err
	}
	if found.Chain.Entries == 0 && found.Chain.Whole {
		return fmt.Errorf("topic %s holds no history of job %s yet: fairstream run records it", c.Topics.History, c.Job)
	}
	if a.json {
		err = json.NewEncoder(a.Out).Encode(found)
	} else {
		_, err = fmt.Fprint(a.Out, audit.Report(found))
	}
	switch refused := len(found.Signatures.Refused); {
	case err != nil:
	case !found.Chain.Whole:
		err = errors.New("the history is broken: an entry was deleted, altered, moved or added, and what was to be told is not known")
	case len(found.Signatures.Entries.Refused) > 0:
		err = fmt.Errorf("topic %s holds entries that no key of signing.public_keys signed", c.Topics.History)
	case refused > 0:
		err = fmt.Errorf("topic %s holds %s that no key of signing.public_keys signed", c.Topics.Model, english.Counted(refused, "record"))
	}
	return err
}
