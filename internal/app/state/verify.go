package state

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Verify says whether the claims and snapshots of a job fit together; that they do not is an error.
func Verify(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, asJSON bool) error {
	topics := cluster.TopicsOf(c)
	if err := cluster.Exist(ctx, client, topics.State, topics.Model); err != nil {
		return err
	}
	verifier, err := c.Signing.Verifier()
	if err != nil {
		return err
	}
	options := cluster.Options(c)
	options.Verifier = verifier
	v, err := stream.VerifyState(ctx, stream.Kafka(client), options)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(s.Out).Encode(v)
	} else {
		err = writeProblems(s, v, c)
	}
	if err == nil && len(v.Problems) > 0 {
		err = fmt.Errorf("the state of job %s has %s", c.Job, english.Counted(len(v.Problems), "problem"))
	}
	return err
}

func writeProblems(s *program.Streams, v *stream.Verification, c *config.Loaded) error {
	var text strings.Builder
	english.Fprintf(&text, "Topic %s holds %s of job %s:\n", c.Topics.State, english.Counted(v.Records, "record"), c.Job)
	english.Fprintf(&text, "  %s in force, the last of term %d; %d came second.\n", english.Counted(v.Claims, "claim"), v.Holder.Term, v.LostClaims)
	english.Fprintf(&text, "  %s that count; %d came too late, %d are incomplete.\n", english.Counted(v.Snapshots, "snapshot"), v.Late, v.Incomplete)
	if v.Snapshot != nil {
		english.Fprintf(&text, "  The last holds version %d.\n", v.Snapshot.Version)
	}
	if model := cluster.TopicsOf(c).Model; model != "" {
		english.Fprintf(&text, "Topic %s holds %s.\n", model, english.Counted(v.Documents, "document"))
		if v.Signed != nil {
			english.Fprintf(&text, "  %d documents and aliases are signed by a key of signing.public_keys.\n", *v.Signed)
		} else {
			fmt.Fprintln(&text, "  No signature was checked: signing.public_keys is not set.")
		}
	}
	for _, problem := range v.Problems {
		fmt.Fprintf(&text, "Problem: %s.\n", problem)
	}
	if len(v.Problems) == 0 {
		fmt.Fprintln(&text, "Everything fits together.")
	}
	if c.Topics.History != "" {
		fmt.Fprintln(&text, english.Prose(fmt.Sprintf("The history on topic %s was not looked at: `fairstream audit` checks it.", c.Topics.History)))
	}
	_, err := s.Out.Write([]byte(text.String()))
	return err
}
