package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// releaseCommand is what one of the commands of releases is for.
type releaseCommand struct {
	action, short, long string
	version             string // usage of --version; empty: it takes none
}

var releaseCommands = []releaseCommand{
	{stream.Promote, "Make a version stable", `Make a version stable at once, whatever its evidence says. Its gates are recorded in the history.`,
		"version to make stable, as V or TERM/V (default the candidate)"},
	{stream.Rollback, "Return to an earlier stable version", `Return to an earlier version. The weights of the present stable version are barred: they never become
stable again.`, "version to return to, as V or TERM/V (default the previous stable one)"},
	{stream.Pause, "Let no version become stable by itself", `Let no candidate become stable by itself, until the command models resume ends the pause. The stable version
is still watched, and can still be withdrawn.`, ""},
	{stream.Resume, "Let versions become stable by themselves again", `Let candidates become stable by themselves again, after models pause.`, ""},
	{stream.Pin, "Keep a version stable, whatever the evidence says", `Keep a version stable, until the command models unpin ends this. No candidate replaces the pinned version, and
no evidence withdraws it.`,
		"version to keep, as V or TERM/V (default the present stable one)"},
	{stream.Unpin, "Let the stable version be replaced again", `Let the stable version be replaced and withdrawn by itself again, after models pin.`, ""},
}

// newModelsReleases are the commands of releases.
func newModelsReleases(s *program.Streams) (all []*cobra.Command) {
	for _, c := range releaseCommands {
		all = append(all, c.command(s))
	}
	return all
}

func (c releaseCommand) command(s *program.Streams) *cobra.Command {
	var flags configFlags
	r := releasing{Streams: s, action: c.action}
	cmd := &cobra.Command{
		Use:   c.action + " --config FILE --reason TEXT",
		Short: c.short,
		Long: c.long + `

The process that owns the job makes the change. It records the actor and the reason in the history before an
alias moves. If no process owns the job, or if the owner gives no sign of life, this command claims the job,
makes the change itself, and gives the job up.`,
		Example: fmt.Sprintf("  fairstream models %s --config config.yaml --reason \"complaints from the branch in Leeds\"", c.action),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Running)
			if err != nil {
				return err
			}
			if r.wait < time.Second || r.wait > time.Hour {
				return fmt.Errorf("--timeout %v is outside 1s to 1h", r.wait)
			}
			r.said.actor = cmp.Or(r.said.actor, actor())
			request := r.request()
			if err := request.Validate(); err != nil {
				return fmt.Errorf("models %s: %w", r.action, err)
			}
			return inWork(r.run(cmd.Context(), loaded, request))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	if c.version != "" {
		f.Var(&r.version, "version", c.version)
	}
	f.StringVar(&r.said.actor, "actor", "", "who asks for this, for the history of the job (default USER@HOST)")
	f.StringVar(&r.said.reason, "reason", "", "why, for the history of the job; required")
	f.DurationVar(&r.wait, "timeout", time.Minute, "how long to wait for the answer")
	f.BoolVar(&r.json, "json", false, "print the answer as one JSON object")
	return cmd
}

// actor is who runs this program.
func actor() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	switch {
	case name == "" && err != nil:
		return "unknown"
	case name == "":
		return "a user of " + host
	case err != nil:
		return name
	}
	return name + "@" + host
}

// releasing is one run of such a command.
type releasing struct {
	*program.Streams
	action  string
	version versionFlag
	said    said
	wait    time.Duration
	json    bool
}

func (r *releasing) request() stream.Request {
	return stream.Request{Action: r.action, Term: r.version.term, Version: r.version.version, Reason: r.said.reason, Actor: r.said.actor}
}

func (r *releasing) run(ctx context.Context, c *config.Loaded, request stream.Request) error {
	s := streaming{Streams: r.Streams, kind: board.Run, config: c, said: r.said}
	options := s.options(r.told)
	options.Service = "fairstream models " + r.action
	var err error
	if options.Configuration, err = c.JSON(); err != nil {
		return err
	}
	if options.Signer, options.Verifier, err = cluster.Signing(c); err != nil {
		return err
	}
	return cluster.With(ctx, c.Kafka, r.Err, func(ctx context.Context, client *kafka.Client) error {
		if err := cluster.Exist(ctx, client, c.Topics.State, c.Topics.Model); err != nil {
			return err
		}
		answer, err := stream.Ask(ctx, stream.Kafka(client), options, request, stream.Asking{Wait: r.wait, Claim: true})
		if refused := (*stream.RequestRefused)(nil); errors.As(err, &refused) && r.json {
			return errors.Join(json.NewEncoder(r.Out).Encode(answer), err)
		}
		if err != nil {
			return err
		}
		if r.json {
			return json.NewEncoder(r.Out).Encode(answer)
		}
		return r.write(answer)
	})
}

// told says that this command owns the job for a moment.
func (r *releasing) told(event stream.Event) {
	if e, is := event.(stream.Owned); is {
		fmt.Fprintf(r.Err, "No process answers for job %s: this command claims it (term %d), and leaves it afterwards.\n", e.Claim.Job, e.Claim.Term)
	}
}

// releaseAliases are the aliases that releases move, in the order in which they are shown.
var releaseAliases = []string{stream.StableAlias, stream.PreviousAlias, stream.CandidateAlias}

// write shows what moved.
func (r *releasing) write(answer *stream.Answer) error {
	t := english.NewTable()
	t.AppendHeader(table.Row{"alias", "before", "now"})
	moved := false
	for _, name := range releaseAliases {
		before, now := aliasWords(answer.Before, name), aliasWords(answer.After, name)
		moved = moved || before != now
		t.AppendRow(table.Row{name, before, now})
	}
	var text strings.Builder
	english.Fprintf(&text, "Done: models %s, after %s, by term %d. The history records the reason and the actor %s.\n", r.action, english.Counted(answer.Records, "record"), answer.Term, r.said.actor)
	if moved {
		fmt.Fprintf(&text, "\n%s\n", english.Render(t))
	} else {
		fmt.Fprintf(&text, "No alias moved: stable is %s.\n", aliasWords(answer.After, stream.StableAlias))
	}
	_, err := r.Out.Write([]byte(text.String()))
	return err
}

func aliasWords(aliases map[string]stream.Alias, name string) string {
	a, there := aliases[name]
	if !there || a.Version == 0 {
		return "–"
	}
	return fmt.Sprintf("%s (%d/%d)", english.Sprintf("%d", a.Version), a.Term, a.Version)
}
