package models

import (
	"cmp"
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
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Listed is one version in the JSON of models list.
type Listed struct {
	Version       int64     `json:"version"`
	Term          int64     `json:"term"`
	Alias         []string  `json:"alias"`
	Published     time.Time `json:"published"`
	Offset        int64     `json:"offset"`
	WeightsSHA256 string    `json:"weights_sha256"`
	// UnwatchedSince is since when nobody withdraws the version, as an alias says that points to it; absent if somebody does.
	UnwatchedSince time.Time `json:"unwatched_since,omitzero"`
	findings.Measures
	// Tau is that of the version's constraints, absent where they differ.
	Tau         *float64            `json:"tau,omitempty"`
	Constraints []fairness.Estimate `json:"constraints"`
	// ServedBy are the instances that use the version; absent without serve.heartbeat.
	ServedBy []ServedBy `json:"served_by,omitempty"`
}

// commonTau is the tau that all constraints share, nil if there is none.
func commonTau(constraints []fairness.Estimate) *float64 {
	if len(constraints) == 0 || slices.ContainsFunc(constraints, func(e fairness.Estimate) bool { return e.Tau != constraints[0].Tau }) {
		return nil
	}
	return &constraints[0].Tau
}

// List prints the versions that the model topic holds.
func (m *Weights) List(ctx context.Context) error {
	found, err := cluster.ReadModels(ctx, m.Config, m.Err)
	if err != nil {
		return err
	}
	servers := m.servers(ctx)
	var all []Listed
	for i := range found.Versions {
		v := &found.Versions[i]
		document, err := v.Document()
		if err != nil {
			return fmt.Errorf("version %d at offset %d: %w", v.Version, v.Offset, err)
		}
		aliases := found.AliasesOf(v)
		if aliases == nil {
			aliases = []string{}
		}
		all = append(all, Listed{v.Version, v.Term, aliases, v.Time, v.Offset, v.WeightsSHA256, found.UnwatchedSince(v),
			findings.MeasuresOf(&document.Measurements.Recent), commonTau(document.Constraints), document.Constraints, servers[place{v.Term, v.Version, v.WeightsSHA256}]})
	}
	if m.JSON {
		return json.NewEncoder(m.Out).Encode(all)
	}
	return m.writeList(all, servers)
}

func (m *Weights) writeList(all []Listed, servers map[place][]ServedBy) error {
	t, now := english.NewTable(), time.Now()
	t.AppendHeader(table.Row{"version", "published", "term", "weights", "recent " + all[len(all)-1].Qualities()[0].Name})
	for _, v := range slices.Backward(all) {
		t.AppendRow(table.Row{english.Sprintf("%d", v.Version), v.Published.Format(time.DateTime), v.Term, v.WeightsSHA256[:12] + "…", v.Qualities()[0].Words()})
	}
	const headLines = 2 // the header and its rule
	lines := strings.Split(english.Render(t), "\n")
	list := strings.Join(lines[:headLines], "\n") + "\n"
	for i, v := range slices.Backward(all) {
		list += lines[headLines+len(all)-1-i] + "\n"
		if len(v.Alias) > 0 {
			list += "  ← " + strings.Join(v.Alias, ", ") + "\n"
		}
		if !v.UnwatchedSince.IsZero() {
			list += english.Indented(2, unwatchedWords(v.UnwatchedSince)) + "\n"
		}
		if len(v.ServedBy) > 0 {
			list += english.Indented(2, servedWords(v.ServedBy, now)) + "\n"
		}
		for _, c := range v.Constraints {
			words := fmt.Sprintf("%s: %s, %s of tau %s", findings.ConstraintWords(c), c.Status, findings.Difference(c), english.Number(c.Tau))
			list += english.Indented(2, words) + "\n"
		}
	}
	list += elsewhere(servers, all, now)
	_, err := fmt.Fprintf(m.Out, "%s\nTimes are UTC. Intervals have level %v. Each version has its own tau.\n%s\n", list, all[0].Qualities()[0].Measure.Level, english.Prose(keptWords(m.Config)))
	return err
}

// unwatchedWords tell that the releases of the owner are stopped.
func unwatchedWords(since time.Time) string {
	return fmt.Sprintf("unwatched since %s: a defect has stopped the releases, so it is not withdrawn if it leaves its limits; restart fairstream run", since.Format(time.DateTime+" UTC"))
}

// keptWords says which versions the model topic keeps, in time.
func keptWords(c *config.Loaded) string {
	words := fmt.Sprintf("The topic keeps the newest %s (stream.keep_versions) and those that an alias points to", english.Counted(c.Stream.KeepVersions, "version"))
	if every := c.Stream.Publish.Interval; every > 0 {
		span := time.Duration(c.Stream.KeepVersions) * every
		words += fmt.Sprintf(". Published every %v, these are the versions of the last %v (%.2g hours)", every, span, span.Hours())
	}
	return words + ". fairstream audit shows what was published before."
}

// elsewhere tells of instances whose version is not listed, such as one that was deleted from the topic.
func elsewhere(by map[place][]ServedBy, listed []Listed, now time.Time) (lines string) {
	for _, v := range listed {
		delete(by, v.place())
	}
	for _, at := range sortedPlaces(by) {
		lines += english.Prose(fmt.Sprintf("Version %d/%d (%s…) is not listed, and is %s.", at.term, at.version, at.sum[:12], servedWords(by[at], now))) + "\n"
	}
	return lines
}

func sortedPlaces(by map[place][]ServedBy) []place {
	return slices.SortedFunc(maps.Keys(by), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.version, b.version), cmp.Compare(a.sum, b.sum))
	})
}

func (l *Listed) place() place { return place{l.Term, l.Version, l.WeightsSHA256} }
