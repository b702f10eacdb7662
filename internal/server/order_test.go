package server

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

const anOrder = `{"action":"promote","version":39074,"term":2,"reason":"it is fair","actor":"maria"}`

// TestOrdersNeedTheToken: who may give an order about releases, and from which page.
func TestOrdersNeedTheToken(t *testing.T) {
	const token = "a-token-of-some-length"
	for name, test := range map[string]struct {
		access       Access
		from, token  string
		origin, site string
		kind         string
		body         string
		want         int
	}{
		"with the token":            {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", anOrder, http.StatusOK},
		"from the page":             {Access{Token: token}, "127.0.0.1:1", token, "http://localhost:8468", "same-origin", "application/json; charset=utf-8", anOrder, http.StatusOK},
		"without the token":         {Access{Token: token}, "127.0.0.1:1", "", "", "", "application/json", anOrder, http.StatusUnauthorized},
		"with a wrong token":        {Access{Token: token}, "127.0.0.1:1", "another", "", "", "application/json", anOrder, http.StatusUnauthorized},
		"where there is no token":   {Access{}, "127.0.0.1:1", "", "", "", "application/json", anOrder, http.StatusForbidden},
		"over the network":          {Access{Token: token}, "10.0.0.7:1", token, "", "", "application/json", anOrder, http.StatusForbidden},
		"from another origin":       {Access{Token: token}, "127.0.0.1:1", token, "http://evil.example", "", "application/json", anOrder, http.StatusForbidden},
		"from no origin":            {Access{Token: token}, "127.0.0.1:1", token, "null", "", "application/json", anOrder, http.StatusForbidden},
		"from another site":         {Access{Token: token}, "127.0.0.1:1", token, "", "cross-site", "application/json", anOrder, http.StatusForbidden},
		"as a form would send it":   {Access{Token: token}, "127.0.0.1:1", token, "", "", "text/plain", anOrder, http.StatusUnsupportedMediaType},
		"with another key":          {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", `{"action":"pause","reason":"x","force":true}`, http.StatusBadRequest},
		"with a version too large":  {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Replace(anOrder, "it is fair", `x","version":1e30,"reason":"x`, 1), http.StatusBadRequest},
		"with two orders":           {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", anOrder + anOrder, http.StatusBadRequest},
		"without a reason":          {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", `{"action":"pause","actor":"maria"}`, http.StatusBadRequest},
		"with an unknown action":    {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", `{"action":"delete","reason":"x","actor":"maria"}`, http.StatusBadRequest},
		"that is too large":         {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Repeat(" ", largestBody+1), http.StatusRequestEntityTooLarge},
		"that the owner refuses":    {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Replace(anOrder, "it is fair", "refuse", 1), http.StatusConflict},
		"about an absent version":   {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Replace(anOrder, "it is fair", "absent", 1), http.StatusNotFound},
		"that nobody answers":       {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Replace(anOrder, "it is fair", "silence", 1), http.StatusGatewayTimeout},
		"while Kafka does not work": {Access{Token: token}, "127.0.0.1:1", token, "", "", "application/json", strings.Replace(anOrder, "it is fair", "outage", 1), http.StatusBadGateway},
	} {
		t.Run(name, func(t *testing.T) {
			l := liveOf(learning())
			var asked []stream.Request
			l.Orders(func(_ context.Context, r stream.Request) (*stream.Answer, error) {
				asked = append(asked, r)
				switch r.Reason {
				case "refuse":
					return nil, &stream.RequestRefused{}
				case "absent":
					return nil, &stream.NoSuchVersion{Version: r.Version}
				case "silence":
					return nil, &stream.Unanswered{}
				case "outage":
					return nil, errors.New("no broker")
				}
				return &stream.Answer{ID: "A", Term: 4, After: map[string]stream.Alias{stream.StableAlias: {Term: r.Term, Version: r.Version}}}, nil
			})
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, orderPath, strings.NewReader(test.body))
			request.RemoteAddr, request.Host = test.from, "localhost:8468"
			for key, value := range map[string]string{"Authorization": "Bearer " + test.token, "Origin": test.origin, "Sec-Fetch-Site": test.site, "Content-Type": test.kind} {
				if value != "" && value != "Bearer " {
					request.Header.Set(key, value)
				}
			}
			recorder := httptest.NewRecorder()
			l.Handler(zap.NewAtomicLevel(), board.New(l), test.access).ServeHTTP(recorder, request)
			if recorder.Code != test.want {
				t.Fatalf("answered with %d, want %d: %s", recorder.Code, test.want, recorder.Body)
			}
			if strings.Contains(recorder.Body.String(), "Go ") {
				t.Errorf("the answer names a type of the program: %s", recorder.Body)
			}
			var answer stream.Answer
			if test.want == http.StatusOK {
				if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || answer.After[stream.StableAlias].Version != 39074 {
					t.Errorf("answered %s, %v", recorder.Body, err)
				}
				if len(asked) != 1 || asked[0].Actor != "maria" || asked[0].Term != 2 || asked[0].Action != stream.Promote {
					t.Errorf("asked for %+v", asked)
				}
			} else if test.want < 404 && len(asked) > 0 {
				t.Errorf("asked for %+v", asked)
			}
		})
	}
	without := httptest.NewRequestWithContext(t.Context(), http.MethodPost, orderPath, strings.NewReader(anOrder))
	without.RemoteAddr, without.Host = "127.0.0.1:1", "localhost"
	without.Header.Set("Authorization", "Bearer "+token)
	without.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	l := liveOf(learning())
	l.Handler(zap.NewAtomicLevel(), board.New(l), Access{Token: token}).ServeHTTP(recorder, without)
	if recorder.Code != http.StatusNotFound {
		t.Errorf("a process that takes no orders answers with %d", recorder.Code)
	}
}

// TestLiveRelease: the page says what the releases know, and the versions have their aliases.
func TestLiveRelease(t *testing.T) {
	s := learning()
	s.Measurements = nil
	stable, candidate := release.Version{Term: 1, Version: 300, SHA256: "aa"}, release.Version{Term: 2, Version: 900, SHA256: "bb"}
	s.Releases = &release.Report{Aliases: release.Aliases{Stable: stable, Candidate: candidate}, Paused: true, Barred: []string{"cc"}, Confidence: .95,
		Trial: &release.TrialReport{Version: candidate, Observed: 40, Labelled: 30, Deadline: 70, Patience: 960, Gates: []release.Gate{
			{Name: release.GateComparison, Comparison: "sex", Criterion: fairness.DemographicParity, Verdict: fairness.Inconclusive, Decides: true, Value: .01, Lo: -.1, Hi: .1, Limit: .07, Needed: 1234.5},
			{Name: release.GateLogLoss, Against: stable, Verdict: fairness.NotEstimable, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Limit: .005, Needed: math.NaN(), Reason: "few labels"}}},
		Guard: &release.GuardReport{Version: stable, Observed: 700, Evidence: .5, Inquiry: true, InquiryRecords: 12}}
	l := liveOf(s)
	for _, v := range []release.Version{stable, candidate} {
		l.Recall(&history.Entry{Kind: history.Publication, Term: v.Term, Publication: &history.Published{Version: v.Version, WeightsSHA256: v.SHA256}})
	}
	weights := &history.Weights{Term: 1, Version: 300}
	l.Recall(&history.Entry{Kind: history.Release, Time: time.Unix(9, 0), Release: &history.Released{Step: "rolled_back", Version: &history.Weights{Term: 1, Version: 600}, To: weights, Actor: "maria", Reason: "complaints"}})
	l.Recall(&history.Entry{Kind: history.Release, Release: &history.Released{Step: "paused"}})
	l.Recall(&history.Entry{Kind: history.Release, Release: &history.Released{Step: "a later kind"}})
	b := l.Status()
	r := b.Release
	if r.Stable.Version != 300 || r.Candidate.Term != 2 || r.Previous != nil || !r.Paused || r.Barred != 1 || r.Orders || *r.Guard.Compared != 12 || r.Guard.Evidence != .5 {
		t.Errorf("%+v", r)
	}
	gates := r.Trial.Gates
	if *gates[0].RecordsNeeded != 1235 || gates[0].Against != nil || gates[1].RecordsNeeded != nil || gates[1].Value.Known() || gates[1].Against.Version != 300 || gates[1].Reason != "few labels" {
		t.Errorf("gates %+v", gates)
	}
	var told []string
	for _, step := range r.Steps {
		told = append(told, step.Text)
	}
	if want := []string{"a later kind", "A person paused new versions", "A person withdrew version 600, and version 300 came into use again"}; !slices.Equal(told, want) || r.Steps[2].Actor != "maria" {
		t.Errorf("steps %q", told)
	}
	if v := b.Versions; len(v) != 2 || !slices.Contains(v[0].Alias, "candidate") || !slices.Equal(v[1].Alias, []string{"stable"}) {
		t.Errorf("versions %+v", v)
	}
	if again := l.Status().Versions; !slices.Equal(again[1].Alias, []string{"stable"}) {
		t.Errorf("a second look gives %v", again[1].Alias)
	}
	for i := range int64(3 * board.MostSteps) {
		l.Recall(&history.Entry{Kind: history.Release, Release: &history.Released{Step: "paused", Record: i}})
	}
	if steps := l.Status().Release.Steps; len(steps) != board.MostSteps || steps[0].Record != 3*board.MostSteps-1 {
		t.Errorf("%d steps, the first of record %d", len(steps), steps[0].Record)
	}
	for _, kind := range release.StepKinds() {
		if !strings.Contains(signoff.StepWords(&history.Released{Step: string(kind)}), " ") {
			t.Errorf("step %s has no sentence", kind)
		}
	}
}
