package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/audit"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/impact"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newAudit(s *program.Streams) *cobra.Command {
	var flags command.Config
	var since, until string
	a := audit.Job{Streams: s}
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			now := time.Now().UTC()
			var err error
			if a.Period.Since, err = timeOf("--since", since, now); err != nil {
				return err
			}
			if a.Period.Until, err = timeOf("--until", until, now); err != nil {
				return err
			}
			if begin, end := a.Period.Since, cmp.Or(a.Period.Until, now); !begin.Before(end) {
				return fmt.Errorf("--since %s is not before --until %s", begin.Format(time.RFC3339), end.Format(time.RFC3339))
			}
			if a.Config, err = flags.Load(cmd, nil, config.Streaming); err != nil {
				return err
			}
			return command.InWork(a.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	f.StringVar(&since, "since", "", "`TIME` at which the period begins (default the first entry)")
	f.StringVar(&until, "until", "", "`TIME` at which the period ends (default now, or the last entry if the clock of its writer is ahead)")
	f.DurationVar(&a.Gap, "gap", time.Hour, "how long a version may stay the newest before that is a gap")
	f.BoolVar(&a.JSON, "json", false, "print one JSON object")
	cmd.AddCommand(newAuditImpact(s))
	return cmd
}

// timeOf reads a time from the command line, zero if there is none.
func timeOf(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, fmt.Errorf("%s %q is not a time: write 2026-11-21T08:30:00Z, 2026-11-21, or how long ago, such as 720h", flag, text)
}

func newAuditImpact(s *program.Streams) *cobra.Command {
	var flags command.Config
	var from, format string
	a := impact.Table{Streams: s}
	cmd := &cobra.Command{
		Use:   "impact --config FILE | --input FILE --decision FIELD=VALUE",
		Short: "Print selection rates and impact ratios by sex, by race and by both, as Local Law 144 asks",
		Long: `Print a table of selection rates and impact ratios by sex, by race and by their intersections, in the
shape that New York City's Local Law 144 asks for, as CSV or with --json.

Without --input, the table counts all decisions of the job since monitoring began, up to its last snapshot.
The constraints with which the job ran must name the fields of --sex and --race, whatever the file of --config
says now. For the intersections, one constraint must name both fields.

With --input, the decisions are those of a file. --decision names the field and the value of a positive
decision. Without --decision, the key monitor.decision names them, and without that key, the label does. With --score, an applicant
counts as selected with a score above the median.

A category with less than 2 % of the applicants is marked: an auditor may leave it out of the ratios. The
column impact_ratio_without_small has the ratios if all such categories are left out.`,
		Example: `  fairstream audit impact --config config.yaml
  fairstream audit impact --input applicants.csv --decision hired=yes
  fairstream audit impact --input applicants.csv --score score --race ethnicity --json`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			configured := flags.Given() || flags.Assigned()
			if from == "" && !configured {
				return errors.New("--input or --config is missing: name a file of decisions, or the configuration of a job")
			}
			if from == "" && (a.Decision != "" || a.Score != "") {
				return errors.New("--decision and --score are for --input: the monitor of a job knows its decisions")
			}
			if a.Sex == a.Race {
				return errors.New("--sex and --race name the same field")
			}
			if configured {
				purpose := config.Streaming
				if from != "" {
					purpose = config.Learning
				}
				if a.Config, err = flags.Load(cmd, nil, purpose); err != nil {
					return err
				}
			}
			if from == "" {
				return command.InWork(a.OfJob(cmd.Context()))
			}
			if a.Source, err = input.NewSource(from, format, s.In); err != nil {
				return err
			}
			if err := a.Decisions(); err != nil {
				return err
			}
			return command.InWork(a.OfFile(cmd.Context()))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	f.StringVar(&a.Sex, "sex", "sex", "`FIELD` that contains the sex")
	f.StringVar(&a.Race, "race", "race", "`FIELD` that contains race or ethnicity")
	inputFlags(cmd, &from, &format, "`FILE` of decisions, - or adult")
	f.StringVar(&a.Decision, "decision", "", "with --input, `FIELD=VALUE` of a positive decision")
	f.StringVar(&a.Score, "score", "", "with --input, `FIELD` that contains a score, instead of --decision")
	f.BoolVar(&a.JSON, "json", false, "print one JSON object for each model")
	cmd.MarkFlagsMutuallyExclusive("decision", "score")
	return cmd
}
