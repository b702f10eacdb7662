package state

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

func write(s *program.Streams, state *stream.State, c *config.Loaded) error {
	var text strings.Builder
	holder, snapshot := state.Holder, state.Snapshot
	switch {
	case holder.Term == 0:
		fmt.Fprintf(&text, "Nobody ever claimed job %s on topic %s.\n", c.Job, c.Topics.State)
	case state.Left:
		fmt.Fprintf(&text, "Nobody owns job %s: its process on %s, claimed %s, term %d, has ended.\n", c.Job, holder.Host, holder.At.Format(time.DateTime+" UTC"), holder.Term)
	default:
		fmt.Fprintf(&text, "Job %s is owned by %s, claimed %s, term %d.\n", c.Job, holder.Host, holder.At.Format(time.DateTime+" UTC"), holder.Term)
	}
	if snapshot == nil {
		fmt.Fprintln(&text, "There is no snapshot: the next start learns from scratch.")
		_, err := s.Out.Write([]byte(text.String()))
		return err
	}
	english.Fprintf(&text, "The last snapshot was taken at %s: %d bytes, sequence %d of term %d:\n", snapshot.Taken.Format(time.DateTime+" UTC"),
		snapshot.Bytes, snapshot.Sequence, snapshot.Term)
	english.Fprintf(&text, "  %s learnt.\n", english.Counted(snapshot.Version, "record"))
	for _, reason := range slices.Sorted(maps.Keys(snapshot.Rejected)) {
		english.Fprintf(&text, "  %d rejected: %s.\n", snapshot.Rejected[reason], reason)
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"partition", "next offset", "learnt", "rejected", "kept", "lost"})
	for _, p := range snapshot.Partitions {
		t.AppendRow(table.Row{fmt.Sprintf("%s/%d", snapshot.Topic, p.Partition), p.Next, p.Learnt.Count, p.Rejected.Count, p.Kept.Count, p.Lost})
	}
	fmt.Fprintf(&text, "\n%s\n", english.Render(t))
	_, err := s.Out.Write([]byte(text.String()))
	return err
}

// Show prints who owns the job, and its last snapshot.
func Show(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, asJSON bool) error {
	state, err := cluster.ReadState(ctx, client, c)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(s.Out).Encode(struct {
			Holder   stream.Claim         `json:"holder"`
			Snapshot *stream.SnapshotInfo `json:"snapshot"`
		}{state.Holder, state.Snapshot})
	}
	return write(s, state, c)
}
