package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestRunWatches: where no terminal is, the panel is a line now and then, and the log goes on beside it.
func TestRunWatches(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	config := workflow(t, b.Addresses())
	input := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:3000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "topics", "create", "--config", config)
	succeed(t, "produce", "--config", config, "--input", input)
	code, _, stderr := fairstream(t, "run", "--config", config, "--until-end", "--watch")
	if code != done || !strings.Contains(stderr, "fairstream started") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if document := showDocument(t, config); document.Records != 3000 {
		t.Errorf("%d records learnt", document.Records)
	}
}

// TestTheJobPanel fits into 80 columns, before the first measurement and after.
func TestTheJobPanel(t *testing.T) {
	met := madeUp("sex", .05, true, 700, 6000, 390, 4000)
	document := madeUpFrame(met, met).measured
	log := &newestLines{}
	for i := range 7 {
		if _, err := fmt.Fprintf(log, "line %d %s\npart", i, strings.Repeat("long ", 30)); err != nil {
			t.Fatal(err)
		}
	}
	for what, f := range map[string]*jobFrame{
		"before": {status: stream.Status{Job: "loans", Reason: strings.Repeat("Kafka is away ", 20)}},
		"after": {elapsed: time.Second, learnt: 500, log: log.newest(),
			status: stream.Status{Job: "loans", Version: 1500, Measurements: document, Published: 1000, PublishedAt: time.Now(), Partitions: []stream.PartitionStatus{{End: 7}}}},
	} {
		screen := f.screen()
		for line := range strings.Lines(screen) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%s: %d columns: %s", what, n, line)
			}
		}
		if what == "before" {
			contains(t, screen, "loans", "Kafka is away", "nothing yet")
			continue
		}
		contains(t, screen, "accuracy", "1,500 learnt, 500 a second, 7 to go", "sex", "Male − Female", "version 1,000", "line 6")
		if strings.Contains(screen, "line 1 ") {
			t.Errorf("old lines are shown:\n%s", screen)
		}
		contains(t, f.line(), "1,500 records", "accuracy", "published 1,000")
	}
}
