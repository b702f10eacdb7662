package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestNamesInASentence are at most four, the last behind "or".
func TestNamesInASentence(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	for n, want := range map[int]string{1: "a", 2: "a or b", 3: "a, b or c", mostNamed: "a, b, c or d", mostNamed + 1: "one of 5 comparisons"} {
		if got := named4(names[:n]); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 records", 1: "1 record", 2: "2 records", 1234: "1,234 records"} {
		if got := records(n, "record"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for share, want := range map[float64]string{0: "", 1: "", 0.25: " (one record in 4 is examined)", -1: "", 1.5: ""} {
		if got := shareWords(share); got != want {
			t.Errorf("%v: %q", share, got)
		}
	}
}

// TestAGapIsListedOnce, with the limit that one of its comparisons has.
func TestAGapIsListedOnce(t *testing.T) {
	gap := board.Gap{Subject: "s", Measure: "tpr", Group: "m", Versus: "f", Value: 0.1, Tau: board.Unknown()}
	limited := gap
	limited.Tau = 0.05
	unknown := gap
	unknown.Value = board.Unknown()
	if all := addGap(addGap(nil, gap), limited); len(all) != 1 || all[0].Tau != 0.05 {
		t.Errorf("the limit is lost: %+v", all)
	}
	if all := addGap(addGap(nil, limited), gap); len(all) != 1 || all[0].Tau != 0.05 {
		t.Errorf("the limit is lost: %+v", all)
	}
	if all := addGap(addGap(nil, unknown), unknown); len(all) != 1 {
		t.Errorf("of one that is not known: %+v", all)
	}
	for name, change := range map[string]func(g *board.Gap){"subject": func(g *board.Gap) { g.Subject = "t" }, "measure": func(g *board.Gap) { g.Measure = "fpr" }, "group": func(g *board.Gap) { g.Group = "x" }, "versus": func(g *board.Gap) { g.Versus = "x" }, "value": func(g *board.Gap) { g.Value = 0.2 }, "not known": func(g *board.Gap) { g.Value = board.Unknown() }} {
		other := gap
		if change(&other); len(addGap(addGap(nil, gap), other)) != 2 {
			t.Errorf("another %s is taken for the same", name)
		}
	}
}

// TestPartitionsThatWait: how long one has waited, and how they are named.
func TestPartitionsThatWait(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var held []stream.Held
	for p := range int32(10) {
		held = append(held, stream.Held{Partition: p, Since: now.Add(-time.Duration(p) * time.Second)})
	}
	if got := heldFor(held, 3, now); got != 3*time.Second {
		t.Error(got)
	}
	if got := heldFor(held, 3, now.Add(-time.Hour)); got != 0 {
		t.Error(got)
	}
	if got := heldFor(held, 11, now); got != 0 {
		t.Error(got)
	}
	var text strings.Builder
	for _, c := range [][2]int{{1, 1}, {1, 4}, {2, 2}, {2, 4}, {8, 10}, {9, 10}, {10, 10}} {
		fmt.Fprintf(&text, "%d of %d: %s\n", c[0], c[1], heldWords(held[:c[0]], c[1]))
	}
	goldentest.Compare(t, "held.txt", text.String())
}

// TestRecordsAddUp: those whose label is waited for or lost are counted apart, and together they are all that came.
func TestRecordsAddUp(t *testing.T) {
	s := stream.Status{Version: 100, Labelled: 60}
	if got := recordsOf(&s); got != (board.Records{Learnt: 60, Labelled: 60, Unlabelled: 40, Seen: 100}) {
		t.Errorf("%+v", got)
	}
	groups := []board.Group{{Attribute: "a", Rate: 0.2}, {Attribute: "a", Rate: 0.4}, {Attribute: "a", Rate: board.Unknown()}, {Attribute: "b", Rate: 0}, {Attribute: "c", Rate: 0.9}}
	for i := range groups {
		groups[i].ImpactRatio = board.Unknown()
	}
	compare(groups)
	for i, want := range []board.Number{0.5, 1, board.Unknown(), board.Unknown(), 1} {
		if got := groups[i].ImpactRatio; got != want && (got.Known() || want.Known()) {
			t.Errorf("group %d has a ratio of %v", i, got)
		}
	}
	l := liveOf(stream.Status{})
	estimates := []fairness.Estimate{{Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f", NGroup: 10, NVersus: 0, Level: 0.95, RateSides: &fairness.RateSides{KGroup: 5}},
		{Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "rest", NGroup: 99, NVersus: 20, Level: 0.95, RateSides: &fairness.RateSides{KVersus: 20}},
		{Name: "sex", Criterion: fairness.EqualOpportunity, Group: "x", Versus: "y", RateSides: &fairness.RateSides{}}, {Name: "sex", Criterion: fairness.DemographicParity, Group: "z", Versus: "w"}}
	listed := l.groups(estimates)
	if len(listed) != 3 || listed[0].Records != 10 || listed[0].Rate != 0.5 || listed[1].Rate.Known() || listed[2].Group != "rest" || listed[2].Rate != 1 || listed[0].ImpactRatio != 0.5 {
		t.Errorf("%+v", listed)
	}
}

// TestWhatTheHistoryTells: each kind of entry in words, the newest first, and the marks that it sets.
func TestWhatTheHistoryTells(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	left := at.Add(-time.Hour)
	who := history.Who{Service: "fairstream run", Host: "h1", Actor: "ada", Reason: "why not"}
	l := liveOf(stream.Status{})
	for i, e := range []*history.Entry{
		{Kind: history.Owned, Owner: &history.Owner{}},
		{Kind: history.Owned, Owner: &history.Owner{StartedFrom: "cafe", Version: 12}},
		{Kind: history.Owned, Owner: &history.Owner{Before: 1, HostBefore: "h1", Version: 1, Left: &left}},
		{Kind: history.Owned, Owner: &history.Owner{Before: 2, HostBefore: "h2", Version: 1234}},
		{Kind: history.Owned, Owner: &history.Owner{Before: 3, Version: 2}},
		{Kind: history.Configuration, Configuration: &history.Configured{Version: 1}},
		{Kind: history.Configuration, Configuration: &history.Configured{Version: 5, Changes: []history.Change{{Key: "learner.window", Old: []byte("1"), New: []byte("2")}, {Key: "constraints[0].tau", Old: []byte("0.1"), New: []byte("0.2")}}}},
		{Kind: history.DataLoss, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: -1}},
		{Kind: history.DataLoss, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: 0}},
		{Kind: history.DataLoss, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: 1}},
	} {
		e.Sequence, e.Time, e.Who, e.Term = int64(i+1), at.Add(time.Duration(i)*time.Hour), who, 1
		l.track.recall(e)
	}
	goldentest.Compare(t, "told.txt", goldentest.Print("happened", l.track.happened)+goldentest.Print("marks", l.track.marks)+goldentest.Print("changes", l.track.recalled)+goldentest.Print("began", l.track.began)+goldentest.Print("owner", l.track.owner))
}

// TestWhoMayHaveAReport: pages of other origins may not, one is made at a time, and a period is whole days.
func TestWhoMayHaveAReport(t *testing.T) {
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{})
	h := l.Report()
	ask := func(query, site string) (int, string) {
		r := httptest.NewRequest(http.MethodGet, "/report?"+query, nil)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if code, text := ask("", site); code != http.StatusForbidden || !strings.Contains(text, "another origin") {
			t.Errorf("%s: %d, %s", site, code, text)
		}
	}
	if code, text := ask("", "none"); code != http.StatusNotFound || !strings.Contains(text, "topics.history") {
		t.Errorf("without a history: %d, %s", code, text)
	}
	begun, end := make(chan struct{}), make(chan struct{})
	l.Audits(func(_ context.Context, period history.Period) (*history.Audit, error) {
		begun <- struct{}{}
		<-end
		return &history.Audit{Period: period}, nil
	})
	first := make(chan int)
	go func() {
		code, _ := ask("from=2026-01-01&to=2026-01-02", "same-origin")
		first <- code
	}()
	<-begun
	if code, text := ask("", "none"); code != http.StatusTooManyRequests || !strings.Contains(text, "try again") {
		t.Errorf("a second one at the same time: %d, %s", code, text)
	}
	close(end)
	if code := <-first; code != http.StatusOK {
		t.Errorf("the first: %d", code)
	}
	if code, _ := ask("from=yesterday", "none"); code != http.StatusBadRequest {
		t.Errorf("no day: %d", code)
	}
}
