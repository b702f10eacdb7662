package backfill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestASmallBackfill: a history with one bad row, whose document is kept, too.
func TestASmallBackfill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	write(t, name, formatsOf(t, rows(1, 600))[".csv"]+"1,red,a\n")
	b, said := prepared(t, name)
	b.Save = filepath.Join(t.TempDir(), "weights.json")
	if err := errors.Join(b.Configure(rowConfig(), nil), b.Run(context.Background())); err != nil {
		t.Fatal(err)
	}
	mustSay(t, said.String(), "Rejected 1 of 601 records of the input", "version 600")
	text, err := os.ReadFile(b.Save)
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if d.Job != "rows" || d.Rejected != 1 || d.Lineage.Program != program.Version() || d.Lineage.Input != name || !bytes.HasSuffix(text, []byte("}\n")) {
		t.Errorf("job %s, %d rejected, of %+v", d.Job, d.Rejected, d.Lineage)
	}
	data, err := os.ReadFile(b.Output)
	if err != nil {
		t.Fatal(err)
	}
	if state, err := backfill.Open(data); err != nil || len(state.Provenance.Rejected) != 1 || state.Provenance.Files[0].Records != 600 {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestWhatIsWrongBeforeARun: options and keys of the configuration, and names that stand for other inputs than files.
func TestWhatIsWrongBeforeARun(t *testing.T) {
	directory := t.TempDir()
	t.Chdir(directory)
	text := formatsOf(t, rows(1, 30))[".csv"]
	for _, name := range []string{"a.csv", input.Bundled, input.StandardInput} {
		write(t, name, text)
	}
	for name, c := range map[string]struct {
		sample int
		save   string
		change func(c *config.Config)
		words  string
	}{
		"a sample":         {-1, "", nil, "--sample is negative"},
		"numbers":          {0, "", func(c *config.Config) { c.Learner.Task, c.Record.Label.Positive = model.Regression, "" }, "learner.task: sums over records are made for classification"},
		"mode paper":       {0, "", func(c *config.Config) { c.Learner.Mode = model.Paper }, "learner.mode: mode paper learns one record after the other"},
		"no label":         {0, "", func(c *config.Config) { c.Record.Label = config.Default().Record.Label }, "record.label"},
		"one output twice": {0, "s.state", nil, "--output"},
		"a document":       {0, "a.csv", nil, "a.csv"},
		"nothing":          {0, "", nil, ""},
	} {
		b, _ := prepared(t, "a.csv")
		b.Sample, b.Save, b.Output = c.sample, c.save, "s.state"
		of := rowConfig()
		if c.change != nil {
			c.change(&of)
		}
		if err := b.Configure(of, nil); (err == nil) != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", name, err, c.words)
		}
	}
	found, err := find([]string{"*"}, "csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names := found.Names(); !slices.Equal(names, []string{"./-", "./adult", "a.csv"}) {
		t.Errorf("%q", names)
	}
	for _, start := range []Start{{From: "a"}, {Offsets: "0:1"}, {Time: "now"}, {From: "a", Offsets: "0:1"}, {From: "a", Time: "now"}} {
		if !start.Given() {
			t.Errorf("%+v is not given", start)
		}
	}
	if (&Start{}).Given() {
		t.Error("nothing is given")
	}
}

// TestComparedOnce: a constraint counts once, whatever is compared of its groups, and one of all groups does not.
func TestComparedOnce(t *testing.T) {
	c := rowConfig()
	c.Constraints[0].Criterion = fairness.EqualizedOdds
	c.Constraints = append(c.Constraints, model.Constraint{Name: "word", Attribute: model.OneOrMore{"word"}, Group: model.Values("red"), Versus: model.Values("rest"), Tau: .1},
		model.Constraint{Name: "all", Attribute: model.OneOrMore{"word"}, Group: model.Values("each"), Tau: .1})
	var names []string
	for _, one := range compared(c.Model()) {
		if one.Criterion != fairness.DemographicParity {
			t.Errorf("%s by %s", one.Name, one.Criterion)
		}
		names = append(names, one.Name)
	}
	if !slices.Equal(names, []string{"group", "word"}) {
		t.Errorf("%q", names)
	}
}

// TestWhatAFileWritesOtherwise: a file all of whose records have the label, beside others of which few do, and groups that a worker does not know.
func TestWhatAFileWritesOtherwise(t *testing.T) {
	all := []coded{{0, codes{Records: 100, Labelled: 100, Positive: 20, Grouped: []int{50}}}, {1, codes{Records: 100, Labelled: 100, Positive: 100, Grouped: []int{0}}}, {2, codes{Records: 100, Labelled: 100, Positive: 30}}}
	got := strings.Join(odd(all, func(file int) string { return string(rune('x' + file)) }, []fairness.Comparison{{Name: "sex"}}), "|")
	want := "In y, each of 100 records has the positive label, although only 50.0 % of all records do.|In y, none of 100 records is in a group of the constraint sex, although 25.0 % of all records are: are groups written in another way there?"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	was := []seen{{Name: "a"}, {Name: "b", Bytes: 1}, {Name: "c"}}
	for _, c := range []struct {
		now  []seen
		want string
	}{
		{was, ""}, {[]seen{{Name: "a"}, {Name: "b", Bytes: 2}, {Name: "d"}}, "b was changed, d is new, c is gone"},
		{[]seen{{Name: "d"}, {Name: "e"}}, "d is new, e is new, a is gone, b is gone, c is gone"},
		{[]seen{{Name: "d"}, {Name: "e"}, {Name: "f"}}, "d is new, e is new, f is new, a is gone, b is gone, 1 file more"},
	} {
		if got := changes(was, c.now); got != c.want {
			t.Errorf("%v: %q, want %q", c.now, got, c.want)
		}
	}
}

// TestMoreComparisonsThanAreTold are counted; that the rounds ended early is said.
func TestMoreComparisonsThanAreTold(t *testing.T) {
	for n, want := range map[int]string{mostMeasured: "", mostMeasured + 1: "1 comparison more: the document that --save writes has them.\n"} {
		b, said := prepared(t)
		var d document.Document
		for i := range n {
			d.Measurements.Constraints = append(d.Measurements.Constraints, fairness.Estimate{Name: fmt.Sprint("c", i), Status: fairness.NotEstimable})
		}
		b.measured(&d)
		if got := said.String(); strings.Count(got, "Among the newest records") != mostMeasured || !strings.HasSuffix(got, "\n"+want) || strings.Contains(got, "more: ") != (want != "") {
			t.Errorf("%d:\n%s", n, got)
		}
	}
}

// TestOutputsThatCannotBeWritten end a backfill by their names: its lock, its rounds, its state and its document.
func TestOutputsThatCannotBeWritten(t *testing.T) {
	directory := t.TempDir()
	name := filepath.Join(directory, "a.csv")
	write(t, name, formatsOf(t, rows(1, 600))[".csv"])
	b, said := prepared(t, name)
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	b.Output = filepath.Join(directory, "none", "h.state")
	done, err := b.alone()
	if err != nil || !strings.Contains(said.String(), "h.state could not be locked, so another backfill could write to it at the same time: ") {
		t.Fatalf("%v, %s", err, said)
	}
	done()
	if err := b.sweep(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("swept: %v", err)
	}
	if err := b.Run(context.Background()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	b.Output = filepath.Join(directory, "h.state")
	if err := os.MkdirAll(partName(b.Output), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := b.saved(); err == nil {
		t.Error("a folder is read as rounds")
	}
	if err := b.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "h.state.rounds") {
		t.Errorf("%v", err)
	}
	torn := b.Output + ".part-1"
	if err := os.MkdirAll(filepath.Join(torn, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.sweep(); err == nil || !strings.Contains(err.Error(), "h.state.part-1") {
		t.Errorf("what cannot be removed: %v", err)
	}
	if err := errors.Join(os.RemoveAll(torn), os.RemoveAll(partName(b.Output)), os.Mkdir(b.Output, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "h.state") {
		t.Errorf("a state in the place of a folder: %v", err)
	}
	b.Output, b.Save = filepath.Join(directory, "i.state"), filepath.Join(directory, "none", "w.json")
	if err := b.Run(context.Background()); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "w.json") {
		t.Errorf("a document in no folder: %v", err)
	}
	if _, err := hash(directory); err == nil || !strings.Contains(err.Error(), directory) {
		t.Errorf("the hash of a folder: %v", err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	b.files.list[0].sha256 = ""
	if _, _, err := b.files.provenance(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the hash of a file that is gone: %v", err)
	}
	b.files.list = append(b.files.list, b.files.list[0])
	if err := b.files.twice(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("compared with a file that is gone: %v", err)
	}
}

// answering is far workers that give answers of a test.
type answering struct {
	workers
	looked []Looked
	work   func(task []byte) Report
}

func (a *answering) Look(context.Context, Job, []Found) ([]Looked, error) { return a.looked, nil }

func (a *answering) Work(_ context.Context, _ Job, task []byte, _ []Block) iter.Seq2[Report, error] {
	return func(yield func(Report, error) bool) { yield(a.work(task), nil) }
}

// TestWrongAnswersOfWorkers are errors: of a file that cannot be fetched, of a task that is none, of files that nobody looked at, of blocks that could not be read.
func TestWrongAnswersOfWorkers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	write(t, name, formatsOf(t, rows(1, 300))[".csv"])
	job, of, block := jobOf(rowConfig(), ""), Found{Name: name}, Block{Found: Found{Name: name}, Block: input.Block{To: -1}}
	gone := func(context.Context, Found) (string, func(), error) { return "", nil, errors.New("the store is gone") }
	nowhere := func(context.Context, Found) (string, func(), error) { return name + ".none.csv", func() {}, nil }
	if l := job.Look(t.Context(), of, 1<<30, gone); l.Problem != name+": the store is gone" || l.Columns != nil {
		t.Errorf("%+v", l)
	}
	if l := job.Look(t.Context(), of, 1<<30, nowhere); !strings.Contains(l.Problem, "no such file") || l.Blocks != nil {
		t.Errorf("%+v", l)
	}
	unhashed, odd, unlabelled := job, job, job
	unhashed.Unhashed, odd.Format, unlabelled.Model.Record.Label = true, "rot13", model.Config{}.Record.Label
	if l := unhashed.Look(t.Context(), of, 1<<30, asIs); l.Problem != "" || l.SHA256 != "" || len(l.Columns) != 4 || len(l.Blocks) != 1 {
		t.Errorf("%+v", l)
	}
	if l := unhashed.Look(t.Context(), of, 1<<30, nowhere); !strings.Contains(l.Problem, "no such file") {
		t.Errorf("%+v", l)
	}
	if l := odd.Look(t.Context(), of, 1<<30, asIs); !strings.Contains(l.Problem, "rot13") {
		t.Errorf("%+v", l)
	}
	if l := unlabelled.Look(t.Context(), of, 1<<30, asIs); !strings.Contains(l.Problem, "record.label") {
		t.Errorf("%+v", l)
	}
	none := func(func(Block) bool) {}
	if _, err := job.Work(t.Context(), []byte("no task"), none, asIs); err == nil {
		t.Error("a task that is none is worked on")
	}
	if _, err := job.Join([]byte("no task"), func(func(Report, error) bool) {}); err == nil {
		t.Error("a task that is none is joined")
	}

	b, _ := prepared(t, name)
	var task []byte
	far := &answering{looked: []Looked{job.Look(t.Context(), of, 1<<30, asIs)}, work: func(of []byte) Report {
		task = of
		return Report{Problem: "a.csv is torn"}
	}}
	b.Far = far
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); err == nil || err.Error() != "a.csv is torn" {
		t.Errorf("a worker's problem: %v", err)
	}
	if r, err := job.Work(t.Context(), task, func(yield func(Block) bool) { yield(block) }, gone); err != nil || r.Problem != name+": the store is gone" || r.Taken != nil {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := job.Work(ctx, task, func(yield func(Block) bool) { yield(block) }, asIs); !errors.Is(err, context.Canceled) {
		t.Errorf("a worker that is to stop: %v", err)
	}
	reports := func(all ...Report) iter.Seq2[Report, error] {
		return func(yield func(Report, error) bool) {
			for _, one := range all {
				if !yield(one, nil) {
					return
				}
			}
			yield(Report{}, errors.New("the last is lost"))
		}
	}
	if r, err := job.Join(task, reports(Report{Problem: "torn"})); err != nil || r.Problem != "torn" || r.Part != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := job.Join(task, reports(Report{Part: []byte("no part")})); err == nil || strings.Contains(err.Error(), "lost") {
		t.Errorf("a part that is none: %v", err)
	}
	if _, err := job.Join(task, reports()); err == nil || err.Error() != "the last is lost" {
		t.Errorf("%v", err)
	}
	far.looked = nil
	if err := b.Run(t.Context()); err == nil || err.Error() != "of 1 files, 0 were looked at" {
		t.Errorf("%v", err)
	}
}

// TestCodesAreCounted: labels, positive ones, and records in a group that is named, but not in the rest.
func TestCodesAreCounted(t *testing.T) {
	c := rowConfig()
	c.Constraints = append(c.Constraints, model.Constraint{Name: "word", Attribute: model.OneOrMore{"word"}, Group: model.Values("red"), Versus: model.Values("rest"), Tau: .1})
	schema, err := c.Model().Schema()
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGroups(compared(c.Model()), schema)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.LabelOptional().NewDecoder()
	var of codes
	for _, text := range []string{`{"label":"yes","group":"a","word":"red"}`, `{"label":"no","group":"b","word":"blue"}`, `{"group":"c","word":"red"}`, `{"label":"yes"}`} {
		var r record.Record
		if err := decoder.DecodeJSON(&r, []byte(text)); err != nil {
			t.Fatal(err)
		}
		of.add(&r, g)
	}
	if of.Records != 4 || of.Labelled != 3 || of.Positive != 2 || !slices.Equal(of.Grouped, []int{2, 2}) {
		t.Errorf("%+v", of)
	}
}

// TestHowABackfillEnds: that it can go on is said where it was stopped and something is kept.
func TestHowABackfillEnds(t *testing.T) {
	const words = "the same command continues from there"
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx  context.Context
		kept bool
		want bool
	}{"stopped": {stopped, true, true}, "stopped before anything was kept": {stopped, false, false}, "failed": {t.Context(), true, false}} {
		b, said := prepared(t)
		if c.kept {
			write(t, partName(b.Output), "{}")
		}
		failed := errors.New("it failed")
		if err := b.ended(c.ctx, failed); err != failed || strings.Contains(said.String(), words) != c.want {
			t.Errorf("%s: %v, %s", name, err, said)
		}
	}
}
