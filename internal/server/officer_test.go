package server

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// jargon is what no text for somebody who does not run the job has: backticks, keys of the configuration, codes, flags, commands, versions with a term,
// and times that are not as board.Clock writes them.
var jargon = regexp.MustCompile("`" + `|\b[a-z]+(\.[a-z_]+)+\b|\b[a-z]+_[a-z_]+\b|--[a-z]|\bfairstream (run|models|audit|state|serve|score|replay|check|produce|topics|deadletters|monitor)\b|\b\d+/\d+\b|\d{4}-\d\d-\d\dT`)

// plain fails if a text has jargon.
func plain(t *testing.T, where, text string) {
	t.Helper()
	if found := jargon.FindString(text); found != "" {
		t.Errorf("%s: %q has %q, which only those who run the job understand", where, text, found)
	}
}

// codesIn are the codes of conditions that the files of a directory name: constants of a type, fields Code, and the first argument of add.
func codesIn(t *testing.T, directory string) (codes []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	take := func(e ast.Expr) {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				codes = append(codes, text)
			}
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "ConditionCode" {
					take(n.Values[0])
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					take(n.Value)
				}
			case *ast.CallExpr:
				if called, ok := n.Fun.(*ast.Ident); ok && called.Name == "add" && filepath.Base(name) == "released.go" && len(n.Args) > 1 {
					take(n.Args[0])
				}
			}
			return true
		})
	}
	return codes
}

// TestEveryConditionIsTold: each condition that the product can raise has a sentence that somebody understands who does not run the job, and docs/metrics.md
// has it.
func TestEveryConditionIsTold(t *testing.T) {
	raised := append(codesIn(t, "../../pkg/document"), codesIn(t, ".")...)
	for _, part := range parts {
		raised = append(raised, part+"_stopped")
	}
	slices.Sort(raised)
	if raised = slices.Compact(raised); !slices.Equal(raised, board.ConditionCodes()) {
		t.Errorf("raised are %v, and there are words for %v", raised, board.ConditionCodes())
	}
	documented, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range raised {
		text := board.ConditionWords(code)
		plain(t, code, text)
		if !strings.HasSuffix(text, ".") || len(text) < 30 {
			t.Errorf("%s: %q is no sentence", code, text)
		}
		if !strings.Contains(string(documented), "`"+code+"`") {
			t.Errorf("docs/metrics.md does not have %s", code)
		}
	}
}

// TestTheTopOfThePageIsPlain: answers, alarms, steps of releases and history are in words that somebody understands who does not run the job, whatever
// happened.
func TestTheTopOfThePageIsPlain(t *testing.T) {
	l := liveStable(decided(t, 300, 500))
	one, two := &history.Weights{Term: 1, Version: 300}, &history.Weights{Term: 2, Version: 12_400}
	entry := func(e history.Entry) {
		e.Sequence, e.Time, e.Term, e.Who = 7, time.Now(), 2, history.Who{Service: "fairstream run", Host: "kappa", Actor: "mira", Reason: "complaints"}
		l.Recall(&e)
	}
	for _, kind := range release.StepKinds() {
		entry(history.Entry{Kind: history.Release, Release: &history.Released{Step: string(kind), Version: one, To: two,
			Reason: "sex is beyond its tolerance, and version 2/12400 was better on the records since the alarm"}})
	}
	low, high := -0.1, -0.06
	for _, change := range []string{"verdict", "alarm", "alarm_ended"} {
		for _, subject := range []string{"as_made", stream.OnlyModel, "other"} {
			judged := &history.Judged{Subject: subject, Change: change, Constraint: "race", Criterion: string(fairness.DemographicParity), Group: "Black", Versus: "rest", Tau: 0.05}
			if change == "verdict" {
				judged.From, judged.To, judged.Lo, judged.Hi = string(fairness.NotEstimable), string(fairness.Violated), &low, &high
			}
			entry(history.Entry{Kind: history.Decisions, Decisions: judged})
		}
	}
	entry(history.Entry{Kind: history.Owned, Owner: &history.Owner{}})
	entry(history.Entry{Kind: history.Owned, Owner: &history.Owner{Before: 1, HostBefore: "iota", Version: 4000, Left: &noon}})
	entry(history.Entry{Kind: history.Owned, Owner: &history.Owner{Version: 4000, StartedFrom: "ab"}})
	entry(history.Entry{Kind: history.DataLoss, Loss: &history.Loss{Lost: 12, Kind: "retention"}})
	entry(history.Entry{Kind: history.Disown, Disowned: &history.Disowning{Entries: []history.Disowned{{Sequence: 3}}}})
	for _, key := range []string{"constraints[1].tau", "learner.window", "release.cool_down", "stream.publish.interval", "record.label.field"} {
		entry(history.Entry{Kind: history.Configuration, Configuration: &history.Configured{Changes: []history.Change{{Key: key, Old: json.RawMessage("1"), New: json.RawMessage("2")}}}})
	}
	s := l.Status()
	for _, text := range []string{s.Deciding.Answers.Headline, s.Deciding.Answers.Fair, s.Deciding.Answers.Sure, s.Deciding.Answers.Since, s.Deciding.Answers.Happened, s.Meaning} {
		plain(t, "an answer", text)
	}
	if len(s.History) < 20 || len(s.Deciding.Alarms) == 0 || len(s.Release.Steps) != len(release.StepKinds())+1 {
		t.Errorf("%d entries of history, %d alarms, %d steps", len(s.History), len(s.Deciding.Alarms), len(s.Release.Steps))
	}
	for _, h := range s.History {
		plain(t, "history", h.Text)
		plain(t, "a reason", h.Who.Reason)
	}
	for _, step := range s.Release.Steps {
		plain(t, "a step", step.Text)
		plain(t, "a reason", step.Reason)
	}
	for _, alarm := range s.Deciding.Alarms {
		plain(t, "an alarm", alarm.Text)
	}
	for i := range s.Deciding.Constraints {
		plain(t, "a verdict", s.Deciding.Constraints[i].Sentence)
	}
	sheet := signoff.Sheet{Audit: &history.Audit{Job: "adult"}, Made: time.Now(), Status: s}
	for _, section := range sheet.Sections() {
		for _, text := range slices.Concat(section.Sentences, slices.Concat(section.Rows...)) {
			plain(t, "the report", text)
		}
	}
}

// TestConditionsOfDocumentsHaveWords: what the page serves has the sentence and the detail of a condition apart.
func TestConditionsOfDocumentsHaveWords(t *testing.T) {
	s := measured()
	s.Measurements.Conditions = []document.Condition{{Code: document.Imprecise, Constraint: "sex", Detail: "raise `tau`, or wait"}}
	l := liveOf(s)
	row := board.Row(l.Status(), "/jobs/adult/")
	if len(row.Words) != 1 || row.Words[0] != board.ConditionWords("imprecise") || row.Conditions[0] != "imprecise" {
		t.Errorf("%+v", row)
	}
}
