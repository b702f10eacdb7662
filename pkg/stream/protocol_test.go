package stream

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
)

var ownerName = regexp.MustCompile(`[A-Z0-9]{26}`)

// writesOf are the appends that a memory has seen, with owners called A, B and so on.
func writesOf(m *clustertest.Memory) []string {
	var writes []string
	names := map[string]string{}
	for _, operation := range m.Trace {
		words, isAppend := strings.CutPrefix(operation, "append ")
		if !isAppend {
			continue
		}
		writes = append(writes, ownerName.ReplaceAllStringFunc(words, func(owner string) string {
			if names[owner] == "" {
				names[owner] = string(rune('A' + len(names)))
			}
			return names[owner]
		}))
	}
	return writes
}

// TestTheProtocol is what a job writes, in order: a change of it shows here.
func TestTheProtocol(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.KeepVersions = 1
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		run(t, world, options)
		world.Put(testTopics.Input, 0, append([]string{"bad"}, adultLines()[300:400]...)...)
		run(t, world, options)
		want := []string{
			// The first owner claims the job, says so in the history, and fixes where it begins, before it learns.
			"state adult/claim/1/A/1",
			"records.history adult",
			"records.history adult",
			"state adult/state/A/1/0/1",
			// At the end it saves; then it records that the version is frozen, and its publication; then it publishes, writes the
			// event that the version is frozen, and deletes what the new snapshot replaces.
			"state adult/state/A/2/0/1",
			"records.history adult",
			"records.history adult",
			"models adult/v/1/300 adult/latest adult/candidate",
			"records.events adult",
			"state -adult/state/A/1/0/1",
			"state adult/beat/A", // it leaves
			// The second one saves what it took over, which is published already, and deletes what is left of the first.
			"state adult/claim/2/B/1",
			"records.history adult",
			"state adult/state/B/1/0/1",
			"state -adult/beat/A -adult/claim/1/A/1 -adult/state/A/2/0/1",
			// A dead letter comes before the snapshot that covers it. The old version stays, because it is the candidate.
			"records.dlq ",
			"state adult/state/B/2/0/1",
			"records.history adult",
			"models adult/v/2/400 adult/latest",
			"state -adult/state/B/1/0/1",
			"state adult/beat/B",
		}
		if got := writesOf(world); !slices.Equal(got, want) {
			t.Errorf("written:\n%s\n\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
