package score

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/documents"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// decisionsOn are those on a topic, as JSON.
func decisionsOn(t *testing.T, client *kafka.Client, topic string) (all []map[string]any) {
	t.Helper()
	_, err := client.ReadInput(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		var one map[string]any
		err := json.Unmarshal(r.Value, &one)
		all = append(all, one)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestATopicIsDecided once, by the newest version while none is stable, with what cannot be read beside; then there is no more to decide. The decisions of a
// shadow stand beside, and a split is told.
func TestATopicIsDecided(t *testing.T) {
	j := apptest.Learnt(t)
	j.Config.Log.Level = "info"
	decide := func(work Topics) (string, string) {
		t.Helper()
		var out, notes apptest.Screen
		work.Streams, work.Config, work.From, work.UntilEnd = &program.Streams{Out: &out, Err: &notes}, j.Config, "in", true
		if err := work.Run(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, notes.String())
		}
		return out.String(), notes.String()
	}
	j.Config.Stream.Start = "earliest"
	said, notes := decide(Topics{To: "out"})
	if said != "Wrote 1,200 decisions to topic out, 12 of them without a score, by version 1,188 (latest).\n" {
		t.Error(said)
	}
	for _, want := range []string{"topic created", "scoring ended", "a record was rejected", `"scored":1188`, `"rejected":12`} {
		if !strings.Contains(strings.ReplaceAll(notes, `": `, `":`), want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	if all := decisionsOn(t, j.Client, "out"); len(all) != 1200 || all[0]["version"] != 1188. || all[0]["decision"] == nil {
		t.Errorf("%d decisions, the first %v", len(all), all[0])
	}
	if said, _ := decide(Topics{To: "out"}); said != "Wrote 0 decisions to topic out, 0 of them without a score, by version 1,188 (latest).\n" {
		t.Error(said)
	}
	said, _ = decide(Topics{To: "split", Alias: "latest", Shadow: "candidate", Split: 0.5, Explore: 0.5})
	if !regexp.MustCompile(`^Wrote 1,200 decisions to topic split, 12 of them without a score, by version 1,188 \(latest\), and about 0\.5 of them by version \d+ \(candidate\)\.\n$`).MatchString(said) {
		t.Error(said)
	}
	j.Config.Topics.Management = "verify"
	var out apptest.Screen
	work := Topics{Streams: &program.Streams{Out: &out, Err: &out}, Config: j.Config, From: "in", To: "absent", UntilEnd: true}
	if err := work.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestWhatIsToldOfATopic: a single record that cannot be explored, or of which a value was not read, is worth a line, and none is without.
func TestWhatIsToldOfATopic(t *testing.T) {
	j := apptest.Learnt(t)
	j.Config.Log.Level, j.Config.Stream.Start = "info", "earliest"
	const notExplored, notRead = "were not explored", "of another type than was learnt"
	for i, test := range []struct {
		record  string
		explore float64
		want    []string
	}{
		{`{"age":"21","sex":"F","part":"n"}`, 0, nil},
		{`{"age":"21","sex":"F","part":"n"}`, 0.5, []string{notExplored}},
		{`{"age":"none","sex":"F","part":"n"}`, 0, []string{notRead}},
	} {
		from, to := fmt.Sprintf("few-%d", i), fmt.Sprintf("decided-%d", i)
		if _, err := j.Client.CreateTopics(t.Context(), kafka.TopicSpec{Name: from, Kind: kafka.InputTopic, Partitions: 1}); err != nil {
			t.Fatal(err)
		}
		j.Produce(t, from, []string{test.record})
		var out, log apptest.Screen
		work := Topics{Streams: &program.Streams{Out: &out, Err: &log}, Config: j.Config, From: from, To: to, Explore: test.explore, UntilEnd: true}
		if err := work.Run(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, log.String())
		}
		if want := "Wrote 1 decision to topic " + to + ", 0 of them without a score, by version 1,188 (latest).\n"; out.String() != want {
			t.Errorf("%s: %q", test.record, out.String())
		}
		for _, line := range []string{notExplored, notRead} {
			if got := strings.Contains(log.String(), line); got != slices.Contains(test.want, line) {
				t.Errorf("%s, explored with %v: %q is told: %v\n%s", test.record, test.explore, line, got, log.String())
			}
		}
	}
}

// TestDecidingGoesOn until it is told to stop, which is a good end. It serves health and metrics meanwhile, and a port that is taken is left to whoever has it.
func TestDecidingGoesOn(t *testing.T) {
	j := apptest.Learnt(t)
	j.Config.Log.Level = "info"
	j.Config.Stream.Start, j.Config.Server.Address = "earliest", "127.0.0.1:0"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	run := func(to string) (*apptest.Screen, chan error) {
		var out apptest.Screen
		ended := make(chan error, 1)
		work := Topics{Streams: &program.Streams{Out: &out, Err: &out}, Config: j.Config, From: "in", To: to}
		go func() { ended <- work.Run(ctx) }()
		return &out, ended
	}
	await := func(out *apptest.Screen, ended chan error, pattern string) string {
		t.Helper()
		for {
			if found := regexp.MustCompile(pattern).FindStringSubmatch(out.String()); found != nil {
				return found[len(found)-1]
			}
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v\n%s", err, out.String())
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	first, ended := run("out")
	address := await(first, ended, `serving health and metrics.*?(127\.0\.0\.1:\d+)`)
	for { // until all of them are decided
		answer, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^fairstream_\S*scored\S* 1188$`).Match(text) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	j.Config.Server.Address = address
	second, secondEnded := run("other")
	await(second, secondEnded, "health and metrics are not served")
	stop()
	for _, c := range []chan error{ended, secondEnded} {
		if err := <-c; err != nil {
			t.Errorf("%v\n%s", err, first.String())
		}
	}
}

// TestWithoutADocument nothing is decided: to stop then is a good end, and a topic that is not there is an error.
func TestWithoutADocument(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	var out apptest.Screen
	work := Topics{Streams: &program.Streams{Out: &out, Err: &out}, Config: j.Config, From: "in", To: "out"}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	j.Config.Server.Address = ""
	if err := work.Run(ctx); err != nil {
		t.Errorf("told to stop while it waits: %v\n%s", err, out.String())
	}
	work.From = "none"
	work.UntilEnd = true
	if err := work.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}

// TestWhatEndsBeforeItBegins: a document that does not come in time is an error that says why, and so is a client that cannot be made; what ends by itself, or has
// no address, serves nothing.
func TestWhatEndsBeforeItBegins(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	core, log := observer.New(zap.InfoLevel)
	work := Topics{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Config: j.Config, From: "in", To: "out", logger: zap.New(core)}
	work.documents = &documents.Followed{Config: j.Config, Logger: work.logger, Notify: func(follow.Event) {}}
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for _, work.UntilEnd = range []bool{false, true} {
		if f, err := work.documents.Open(late, work.await); f != nil || err == nil || !strings.Contains(err.Error(), "topic weights has no document of job loans that can be used") {
			t.Errorf("until the end %v: %v", work.UntilEnd, err)
		}
	}
	log.TakeAll()
	for address, untilEnd := range map[string]bool{"": false, "127.0.0.1:0": true} {
		j.Config.Server.Address, work.UntilEnd = address, untilEnd
		stop, err := work.serve(t.Context())
		if err != nil || stop() != nil || log.Len() != 0 {
			t.Errorf("at %q, until the end %v: %v, %v", address, untilEnd, err, log.All())
		}
	}
	j.Config.Kafka.SecurityProtocol, j.Config.Kafka.CALocation = "SSL", "missing.pem"
	if err := work.prepare(t.Context(), func(kafka.Outage) {}); err == nil || !strings.Contains(err.Error(), "missing.pem") {
		t.Errorf("%v", err)
	}
}

// TestRecordsOfOthersAreUnfamiliar: what is told of the first records is of those of the file.
func TestRecordsOfOthersAreUnfamiliar(t *testing.T) {
	const yaml = "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"
	document := learnt(t, yaml, apptest.CSV(1200))
	for name, c := range map[string]struct {
		text       string
		unfamiliar bool
	}{"the same": {apptest.CSV(300), false}, "other texts": {strings.NewReplacer(",n,", ",north,", ",s,", ",south,", ",w,", ",west,").Replace(apptest.CSV(300)), true}} {
		p := Part{Document: document, Source: input.Source{Name: name, Open: func(as record.Config) (input.Rows, error) {
			return record.NewReader(strings.NewReader(c.text), record.CSV, as.Limits)
		}}}
		found, err := p.Write(t.Context(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if told := len(found.Unfamiliar)+len(found.Shifts) > 0; told != c.unfamiliar {
			t.Errorf("%s: unfamiliar %q, shifts %v", name, found.Unfamiliar, found.Shifts)
		}
	}
}

// TestPartsOfAFile are joined: what was found in the blocks is that of the whole, and columns are those of the first.
func TestPartsOfAFile(t *testing.T) {
	one := Found{Rows: 10, Anonymous: 2, Unread: map[string]int64{"age": 1}, Lacking: []string{"sex"}, Absent: []string{"a", "b"}, Columns: 3}
	two := Found{Rows: 5, Anonymous: 1, Unread: map[string]int64{"age": 2, "part": 4}, Lacking: []string{"age"}, Absent: []string{"b", "c"}}
	two.Rejected.Add(&record.Rejection{Reason: record.BadLabel, Offset: -1})
	one.Join(&two)
	if one.Rows != 15 || one.Anonymous != 3 || one.Unread["age"] != 3 || one.Unread["part"] != 4 || fmt.Sprint(one.Lacking, one.Absent) != "[sex] [b]" || one.Rejected.Total != 1 || one.Columns != 3 {
		t.Errorf("%+v", one)
	}
}

// TestWhatIsToldOfAFile: each warning where it helps, and an error if no record was decided.
func TestWhatIsToldOfAFile(t *testing.T) {
	rejected := func(n int) (r input.Rejections) {
		for range n {
			r.Add(&record.Rejection{Reason: record.BadLabel, Offset: -1})
		}
		return r
	}
	for name, c := range map[string]struct {
		found Found
		want  []string
		not   []string
		fails bool
	}{
		"all is well":                    {Found{Rows: 30, Columns: 2}, nil, []string{"Warning"}, false},
		"not explored":                   {Found{Rows: 30, Anonymous: 1}, []string{"Warning: 1 negative decision not explored"}, nil, false},
		"unread":                         {Found{Rows: 30, Unread: map[string]int64{"b": 1, "a": 2000}}, []string{"Warning: 2,000 values of \"a\" had no part in the decisions"}, nil, false},
		"absent":                         {Found{Rows: 1, Absent: []string{"agee"}, Fields: []string{"age"}}, []string{"Warning: --keep agee: no record of f.csv has this field (did you mean \"age\"?)"}, nil, false},
		"absent of none":                 {Found{Absent: []string{"agee"}}, nil, []string{"Warning"}, false},
		"unfamiliar":                     {Found{Rows: 30, Unfamiliar: []string{"all are new"}}, []string{"Warning: f.csv: all are new"}, nil, false},
		"lacking":                        {Found{Rows: 20, Columns: 3, Lacking: []string{"age"}, Fields: []string{"Age"}}, []string{"f.csv lacks 1 of the 3 columns of the model (seen in 20 records): age; is its \"Age\" the model's \"age\"?"}, nil, false},
		"lacking in a few":               {Found{Rows: 19, Columns: 3, Lacking: []string{"age"}}, nil, []string{"Warning"}, false},
		"lacking in a few rows of CSV":   {Found{Rows: 19, Columns: 3, Lacking: []string{"age"}, Tabular: true}, []string{"lacks 1 of the 3 columns of the model (seen in 19 records): age\n"}, nil, false},
		"lacking all in a few":           {Found{Rows: 1, Columns: 1, Lacking: []string{"age"}}, []string{"lacks 1 of the 1 columns"}, nil, false},
		"lacking where all are rejected": {Found{Rows: 20, Columns: 3, Lacking: []string{"age"}, Rejected: rejected(20)}, []string{"Rejected 20 of 20 records"}, []string{"lacks"}, true},
		"one of two rejected":            {Found{Rows: 2, Rejected: rejected(1)}, []string{"Rejected 1 of 2 records"}, nil, false},
		"lacking in very many":           {Found{Rows: 50_000, Columns: 3, Lacking: []string{"age"}}, []string{"(seen in 10,000 records)"}, nil, false},
	} {
		var text strings.Builder
		err := c.found.Tell(&text, "f.csv")
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in %q", name, want, text.String())
			}
		}
		for _, not := range c.not {
			if strings.Contains(text.String(), not) {
				t.Errorf("%s: %q", name, text.String())
			}
		}
	}
}

// TestExploredDecisionsOfAFile are marked, with the probability of the decision; of a regression there is nothing to explore.
func TestExploredDecisionsOfAFile(t *testing.T) {
	const yaml = "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"
	const amounts = "record: {label: {field: pay}, ignore: [paid]}\nlearner: {task: regression}\n"
	source := func() input.Source {
		return input.Source{Name: "f.csv", Open: func(as record.Config) (input.Rows, error) {
			return record.NewReader(strings.NewReader(apptest.Header+",who\n"+strings.Join(apptest.Rows(40), ",x\n")), record.CSV, as.Limits)
		}}
	}
	var text bytes.Buffer
	p := Part{Source: source(), Document: learnt(t, yaml, apptest.CSV(1500)), From: "weights", ID: "age", Explore: 1, First: true}
	found, err := p.Write(t.Context(), &text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if !strings.HasSuffix(lines[0], ",explored,propensity") || found.Rows != int64(len(lines)-1) || found.Anonymous != 0 {
		t.Errorf("%s; %+v", lines[0], found)
	}
	explored := 0
	for _, line := range lines[1:] {
		cells := strings.Split(line, ",")
		if n := len(cells); cells[3] == "" && (cells[2] != "1" || cells[n-1] != "1" || cells[0] == "") {
			t.Errorf("with a share of 1 every decision is positive: %s", line)
		} else if cells[n-2] == "1" {
			explored++
		}
	}
	if explored == 0 || explored == len(lines)-1 {
		t.Errorf("%d of %d are explored", explored, len(lines)-1)
	}
	for _, share := range []float64{-.1, 1.1, math.NaN(), math.Inf(1)} {
		if p.Explore = share; !strings.HasPrefix(fmt.Sprint(p.Write(t.Context(), &text)), "<nil> explore: the share ") {
			t.Errorf("the share %v is explored", share)
		}
	}
	p = Part{Source: source(), Document: learnt(t, amounts, apptest.CSV(1500)), From: "weights", Explore: 0.5}
	if _, err := p.Write(t.Context(), &text); !errors.Is(err, scoring.ErrNothingToExplore) || !strings.HasPrefix(err.Error(), "weights: ") {
		t.Error(err)
	}
}
