package documents

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// TestTold: each event is a line of the log with the level at which somebody must act, and all but outages are passed on.
func TestTold(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	passed := 0
	c := &Followed{Config: apptest.Load(t, apptest.Loans, 0), Logger: zap.New(core), Notify: func(follow.Event) { passed++ }}
	model := func(alias string) *follow.Model {
		return &follow.Model{Alias: alias, Term: 2, Version: 7, Document: &document.Document{WeightsSHA256: "abc"}}
	}
	refused := follow.Refused{Key: "loans/stable", Offset: 4, Err: errors.New("is damaged")}
	for name, test := range map[string]struct {
		event follow.Event
		alias string
		want  []string // level and beginning of each line
		about map[string]any
		quiet bool // nobody else is told
	}{
		"first, latest":    {follow.Swapped{Model: model("latest")}, "", []string{"warn there is no stable version yet", "info decides by another version"}, map[string]any{"version": int64(7), "term": int64(2), "weights_sha256": "abc"}, false},
		"asked for latest": {follow.Swapped{Model: model("latest")}, "latest", []string{"info decides by another version"}, nil, false},
		"first, stable":    {follow.Swapped{Model: model("stable")}, "", []string{"info decides by another version"}, map[string]any{"alias": "stable"}, false},
		"second, latest":   {follow.Swapped{Model: model("latest"), Before: model("latest")}, "", []string{"info decides by another version"}, nil, false},
		"deleted":          {follow.Forgotten{Before: model("candidate")}, "", []string{"warn the alias was deleted"}, map[string]any{"alias": "candidate", "version": int64(7)}, false},
		"refused":          {refused, "", []string{"error a record on the model topic is refused"}, map[string]any{"key": "loans/stable", "offset": int64(4), "error": "is damaged"}, false},
		"points nowhere":   {follow.Waiting{Alias: "stable", Term: 3, Version: 8}, "", []string{"warn an alias points to a document"}, map[string]any{"version": int64(8)}, false},
		"unwatched":        {follow.Unwatched{Alias: "stable", Since: time.Unix(5, 0)}, "", []string{"error the version of the alias is no longer withdrawn"}, map[string]any{"alias": "stable"}, false},
		"watched":          {follow.Unwatched{Alias: "stable"}, "", []string{"info the owner of the job watches"}, nil, false},
		"withheld":         {follow.Withheld{Alias: "stable", Refused: refused}, "", []string{"error no decision is made"}, map[string]any{"offset": int64(4)}, false},
		"outage":           {follow.Outage{Operation: "read", Err: errors.New("away")}, "", []string{"warn kafka operation failed"}, map[string]any{"operation": "read"}, true},
		"outage is over":   {follow.Outage{Operation: "read"}, "", nil, nil, true},
	} {
		passed, c.Alias = 0, test.alias
		c.told(test.event)
		lines := logs.TakeAll()
		var got []string
		for _, line := range lines {
			got = append(got, line.Level.String()+" "+line.Message)
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], test.want[i]) {
				t.Errorf("%s: %q, want %q", name, got[i], test.want[i])
			}
		}
		for key, want := range test.about {
			if got := lines[len(lines)-1].ContextMap()[key]; got != want {
				t.Errorf("%s: %s is %v, want %v", name, key, got, want)
			}
		}
		if (passed == 0) != test.quiet {
			t.Errorf("%s: told %d times", name, passed)
		}
	}
}

// TestNoDocument says what is known of the reason.
func TestNoDocument(t *testing.T) {
	c := &Followed{Config: apptest.Load(t, apptest.Loans, 0), Logger: zap.NewNop(), Notify: func(follow.Event) {}}
	if got := c.NoDocument(); got != "topic weights has no document of job loans that can be used: fairstream run publishes one, and the log says what was refused" {
		t.Error(got)
	}
	c.Alias = "candidate"
	if got := c.NoDocument(); !strings.Contains(got, "under the alias candidate: `fairstream models list` shows the aliases") {
		t.Error(got)
	}
	c.told(follow.Withheld{Alias: "stable", Refused: follow.Refused{Offset: 4, Err: errors.New("it is damaged")}})
	if got := c.NoDocument(); !strings.HasPrefix(got, "topic weights, offset 4: alias stable of job loans is refused: it is damaged. ") {
		t.Error(got)
	}
}

// TestOpen: the document of the alias, or the latest where none is stable; a shadow whose alias points nowhere is told, and decides nothing.
func TestOpen(t *testing.T) {
	j := apptest.Learnt(t)
	core, logs := observer.New(zapcore.InfoLevel)
	c := &Followed{Config: j.Config, Logger: zap.New(core), Notify: func(follow.Event) {}}
	f, err := c.Open(t.Context(), func(ctx context.Context, f *follow.Follower) error { return c.Await(ctx, f) })
	if err != nil || f.Current() == nil || f.Current().Version != 1188 || f.Current().Alias != follow.LatestAlias {
		t.Fatalf("%+v, %v", f.Current(), err)
	}
	if logs.FilterMessage("waiting for the first document").Len() != 1 || logs.FilterMessageSnippet("nothing is decided yet").Len() != 0 {
		t.Errorf("%v", logs.All())
	}
	shadow, err := c.OpenShadow(t.Context(), "previous")
	if err != nil || shadow.Current() != nil || logs.FilterMessageSnippet("the alias of --shadow points to no document").Len() != 1 {
		t.Errorf("%+v, %v, %v", shadow.Current(), err, logs.All())
	}
	known, err := c.OpenShadow(t.Context(), "candidate")
	if err != nil || known.Current() == nil || logs.FilterMessageSnippet("the alias of --shadow points to no document").Len() != 1 {
		t.Errorf("%+v, %v", known.Current(), err)
	}
	for _, f := range []*follow.Follower{f, shadow, known} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	refuse := errors.New("not now")
	if f, err := c.Open(t.Context(), func(context.Context, *follow.Follower) error { return refuse }); f != nil || !errors.Is(err, refuse) {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := (&Followed{Config: apptest.Load(t, "kafka: {sasl.mechanism: NONE}\n"+apptest.Loans, 0), Logger: c.Logger, Notify: c.Notify}).Open(t.Context(), nil); err == nil {
		t.Error("no brokers, and no error")
	}
}

// TestAwaitSaysWhy: while there is no document, the log says why.
func TestAwaitSaysWhy(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	core, logs := observer.New(zapcore.InfoLevel)
	c := &Followed{Config: j.Config, Logger: zap.New(core), Notify: func(follow.Event) {}, Alias: "stable"}
	f, err := c.Open(t.Context(), func(context.Context, *follow.Follower) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Await(ctx, f) }()
	for logs.FilterMessageSnippet("nothing is decided yet: topic weights has no document of job loans that can be used under the alias stable").Len() == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
