package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/kafka"
)

// ServedBy is an instance of `fairstream serve` that uses a version, as its last heartbeat says.
type ServedBy struct {
	Instance  string    `json:"instance"`
	Alias     string    `json:"alias"`
	Since     time.Time `json:"since"`
	Decisions int64     `json:"decisions"`
	Program   string    `json:"program"`
	Heard     time.Time `json:"heard"`
	Silent    bool      `json:"silent"`
}

// place names a version as instances do.
type place struct {
	term, version int64
	sum           string
}

// servers are the instances by the version that they use; nil without serve.heartbeat. That heartbeats cannot be read is only told: the list is about
// versions.
func (m *Weights) servers(ctx context.Context) map[place][]ServedBy {
	if m.Config.Serve.Heartbeat == 0 {
		return nil
	}
	var known []heartbeat.Instance
	err := cluster.With(ctx, m.Config.Kafka, m.Err, func(ctx context.Context, client *kafka.Client) error {
		reader := heartbeat.NewReader(client, m.Config.Topics.Events, m.Config.Job)
		err := reader.Read(ctx)
		known = reader.Fleet.Known(time.Now())
		return err
	})
	if err != nil {
		fmt.Fprintf(m.Err, "Warning: heartbeats cannot be read, so it is unknown which instance serves which version: %v\n", err)
		return nil
	}
	by := map[place][]ServedBy{}
	for _, one := range known {
		for _, s := range one.Serving {
			at := place{s.Term, s.Version, s.WeightsSHA256}
			by[at] = append(by[at], ServedBy{one.Beat.Instance, s.Alias, s.Since, s.Decisions, one.Program, one.Heard.UTC(), one.Silent})
		}
	}
	return by
}

// mostNamed instances of a version are named, and the others counted.
const mostNamed = 5

// servedWords are the instances of a version, those that are silent first.
func servedWords(all []ServedBy, now time.Time) string {
	silent, names := 0, []string{}
	name := func(s ServedBy, more string) {
		if len(names) < mostNamed {
			names = append(names, fmt.Sprintf("%s (%s since %s%s)", s.Instance, s.Alias, s.Since.UTC().Format(time.DateTime), more))
		}
	}
	for _, s := range all {
		if s.Silent {
			silent++
			name(s, fmt.Sprintf(", silent for %v", now.Sub(s.Heard).Round(time.Second)))
		}
	}
	for _, s := range all {
		if !s.Silent {
			name(s, "")
		}
	}
	words := "served by " + english.Counted(len(all), "instance")
	if silent > 0 {
		words += fmt.Sprintf(", %d of them silent", silent)
	}
	words += ": " + strings.Join(names, ", ")
	if more := len(all) - len(names); more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return words
}
