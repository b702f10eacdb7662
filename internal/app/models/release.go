package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Release is an order about releases: promote, rollback, pause, resume, pin or unpin.
type Release struct {
	*program.Streams
	Config  *config.Loaded
	Action  string
	Version Version
	Said    command.Said
	Wait    time.Duration // for the answer of the owner
	JSON    bool
}

// Request is the order as the owner of the job reads it.
func (r *Release) Request() stream.Request {
	return stream.Request{Action: r.Action, Term: r.Version.term, Version: r.Version.version, Reason: r.Said.Reason, Actor: r.Said.Actor}
}

// told says that this command owns the job for a moment.
func (r *Release) told(event stream.Event) {
	if e, is := event.(stream.Owned); is {
		fmt.Fprintf(r.Err, "No process answers for job %s: this command claims it (term %d), and leaves it afterwards.\n", e.Claim.Job, e.Claim.Term)
	}
}

// releaseAliases are the aliases that releases move, in the order in which they are shown.
var releaseAliases = []string{stream.StableAlias, stream.PreviousAlias, stream.CandidateAlias}

// write shows what moved.
func (r *Release) write(answer *stream.Answer) error {
	t := english.NewTable()
	t.AppendHeader(table.Row{"alias", "before", "now"})
	moved := false
	for _, name := range releaseAliases {
		before, now := aliasWords(answer.Before, name), aliasWords(answer.After, name)
		moved = moved || before != now
		t.AppendRow(table.Row{name, before, now})
	}
	var text strings.Builder
	english.Fprintf(&text, "Done: models %s, after %s, by term %d. The history records the reason and the actor %s.\n", r.Action, english.Counted(answer.Records, "record"), answer.Term, r.Said.Actor)
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

// Run has the order carried out by the owner of the job, or carries it out.
func (r *Release) Run(ctx context.Context) error {
	c := r.Config
	options := cluster.Options(c)
	options.Service, options.Actor, options.Reason, options.Notify = "fairstream models "+r.Action, r.Said.Actor, r.Said.Reason, r.told
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
		answer, err := stream.Ask(ctx, stream.Kafka(client), options, r.Request(), stream.Asking{Wait: r.Wait, Claim: true})
		if refused := (*stream.RequestRefused)(nil); errors.As(err, &refused) && r.JSON {
			return errors.Join(json.NewEncoder(r.Out).Encode(answer), err)
		}
		if err != nil {
			return err
		}
		if r.JSON {
			return json.NewEncoder(r.Out).Encode(answer)
		}
		return r.write(answer)
	})
}
