package backfill

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// adultFiles deals so many of the bundled records into files: CSV, CSV packed by gzip, and JSON lines in turn.
func adultFiles(t *testing.T, files, records int) (directory string) {
	t.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	header, lines := strings.TrimSpace(lines[0]), lines[1:]
	directory = t.TempDir()
	for i := range files {
		var out bytes.Buffer
		part := lines[i*records : (i+1)*records]
		name := fmt.Sprintf("part-%02d.csv", i)
		if i%3 == 2 {
			name = fmt.Sprintf("part-%02d.jsonl", i)
			for _, line := range part {
				fields := strings.Split(strings.TrimSpace(line), ",")
				for k, column := range strings.Split(header, ",") {
					before, value := ",", `"`+fields[k]+`"`
					if k == 0 {
						before = "{"
					}
					if fields[k] == "" {
						value = "null"
					}
					fmt.Fprintf(&out, "%s%q:%s", before, column, value)
				}
				out.WriteString("}\n")
			}
		} else {
			out.WriteString(header + "\n" + strings.Join(part, "\n") + "\n")
		}
		data := out.Bytes()
		if i%3 == 1 {
			name += ".gz"
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			_, err := w.Write(data)
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			data = packed.Bytes()
		}
		write(t, filepath.Join(directory, name), string(data))
	}
	return directory
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func adultConfig() config.Config {
	c, of := config.Default(), adult.DefaultConstraint()
	c.Job, c.Record = "adult", adult.RecordConfig()
	c.Constraints = []model.Constraint{{Name: of.Name, Attribute: model.OneOrMore{of.Attribute}, Group: model.Values(of.Group),
		Versus: model.Values(of.Versus), Criterion: fairness.Criterion(of.Criterion), Tau: of.Tau}}
	return c
}

// prepared is a backfill of a directory of files, which writes into another one.
func prepared(t *testing.T, patterns ...string) (b *Backfill, said *bytes.Buffer) {
	t.Helper()
	said = new(bytes.Buffer)
	return &Backfill{Streams: &program.Streams{Out: said, Err: said}, Inputs: patterns, Output: filepath.Join(t.TempDir(), "history.state")}, said
}

// mustSay fails the test for each of words that is not among what was said.
func mustSay(t *testing.T, said string, words ...string) {
	t.Helper()
	for _, one := range words {
		if !strings.Contains(said, one) {
			t.Errorf("%q is not in\n%s", one, said)
		}
	}
}

func TestBackfill(t *testing.T) {
	if testing.Short() {
		t.Skip("15,000 records take a minute with the race detector, which watches the same goroutines in TestKilled")
	}
	directory := adultFiles(t, 6, 2500)
	write(t, filepath.Join(directory, "part-99.jsonl"), "{\"age\": 1}\n")
	b, said := prepared(t, filepath.Join(directory, "part-*"), filepath.Join(directory, "part-00.csv"))
	b.Save = filepath.Join(t.TempDir(), "weights.json")
	if err := b.Configure(adultConfig(), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	mustSay(t, said.String(), "7 files", "15,000 good records, of which the newest 7,500 are in no sum", "Rejected 1 of 15,001", "round 1 (free)", "version 15,000",
		"Among the newest records, with these weights: sex, demographic-parity: met. Male: ")
	data, err := os.ReadFile(b.Output)
	if err != nil {
		t.Fatal(err)
	}
	state, err := backfill.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if p := state.Provenance; p.Version != 15000 || len(p.Files) != 7 || p.Files[1].Records != 2500 || len(p.Files[2].SHA256) != 64 ||
		p.Rejected["missing_label"] != 1 || p.Rounds < 5 || len(p.Measured) != 1 {
		t.Errorf("%+v", p)
	}
	learner, err := model.Restore(b.config.Model(), state.Learner)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(b.Save)
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if learner.Version() != 15000 || d.Version != 15000 || d.Measurements.Prequential.Accuracy.Value < .8 || d.Measurements.Prequential.Accuracy.Records != 7500 {
		t.Errorf("learner %d, document %d: %+v", learner.Version(), d.Version, d.Measurements.Prequential.Accuracy)
	}
	if _, err := os.Stat(partName(b.Output)); err == nil {
		t.Errorf("%s is still there", partName(b.Output))
	}
}

// TestKilled: a backfill that was stopped goes on from its last round, and one of other files does not.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("pkg/backfill has the goroutines")
	}
	pattern := filepath.Join(adultFiles(t, 3, 2000), "part-*")
	whole, _ := prepared(t, pattern)
	finish := func(b *Backfill) []byte {
		t.Helper()
		if err := errors.Join(b.Configure(adultConfig(), nil), b.Run(context.Background())); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(b.Output)
		if err != nil {
			t.Fatal(err)
		}
		state, err := backfill.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		return state.Learner
	}
	want := finish(whole)

	b, said := prepared(t, pattern)
	if err := b.Configure(adultConfig(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(context.Background())
	b.Err = &killer{said, kill}
	if err := b.Run(ctx); err == nil {
		t.Fatal("it was not stopped")
	}
	b.Err = said
	if !strings.Contains(said.String(), "the same command continues from there") {
		t.Errorf("it does not say how to go on:\n%s", said)
	}
	said.Reset()
	if got := finish(b); !bytes.Equal(got, want) {
		t.Error("the state is another one than without the stop")
	}
	if !strings.Contains(said.String(), "Going on") || strings.Contains(said.String(), "round 1 (") {
		t.Errorf("it did not go on from round 3:\n%s", said)
	}

	other, _ := prepared(t, pattern)
	other.Sample = 2500
	other.Output = b.Output
	write(t, partName(b.Output), `{"format":"`+partFormat+`","of":"x","saved":{}}`)
	if bytes.Equal(finish(other), want) {
		t.Error("rounds of something else were taken")
	}
}

// killer stops a backfill at its third round.
type killer struct {
	io.Writer
	kill func()
}

func (k *killer) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("round 3")) {
		k.kill()
	}
	return k.Writer.Write(p)
}

func TestRefused(t *testing.T) {
	directory := adultFiles(t, 3, 700)
	other := filepath.Join(t.TempDir(), "other.csv")
	write(t, other, "age,income,colour\n30,>50K,red\n")
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	write(t, bad, strings.Repeat("{\"age\":1}\n", 20)+"{\"age\":1,\"income\":\">50K\"}\n")
	torn := filepath.Join(t.TempDir(), "torn.csv.gz")
	data, err := os.ReadFile(filepath.Join(directory, "part-01.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, torn, string(data[:len(data)/2]))
	for _, one := range []struct{ pattern, words string }{
		{filepath.Join(directory, "no-*"), "no file has such a name"},
		{filepath.Join(directory, "["), "syntax error in pattern"},
		{directory, "is a directory"},
		{other, "has other columns than"},
		{bad, "20 of 21 rows are rejected"},
		{torn, "torn.csv.gz"},
	} {
		b, said := prepared(t, filepath.Join(directory, "part-*"), one.pattern)
		err := b.Configure(adultConfig(), nil)
		if err == nil {
			err = b.Run(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), one.words) {
			t.Errorf("%s: %v, and not %q\n%s", one.pattern, err, one.words, said)
		}
	}

	b, _ := prepared(t, filepath.Join(directory, "part-*"))
	b.Output = filepath.Join(directory, "part-00.csv")
	if err := b.Configure(adultConfig(), nil); err == nil || !strings.Contains(err.Error(), "--output") {
		t.Errorf("the input would be replaced: %v", err)
	}
	b, _ = prepared(t, filepath.Join(directory, "part-*"))
	if err := b.Configure(adultConfig(), nil); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(directory, "part-00.csv"), "age\n1\n")
	if err := b.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("a file was changed: %v", err)
	}
}

// row is a made-up record, in files that have a schema of their own.
type row struct {
	Number float64 `parquet:"number" avro:"number"`
	Word   string  `parquet:"word" avro:"word"`
	Group  string  `parquet:"group" avro:"group"`
	Label  string  `parquet:"label" avro:"label"`
}

const rowSchema = `{"type": "record", "name": "row", "fields": [{"name": "number", "type": "double"}, {"name": "word", "type": "string"},
	{"name": "group", "type": "string"}, {"name": "label", "type": "string"}]}`

func rows(seed uint64, count int) (list []row) {
	random := rand.New(rand.NewPCG(seed, 9))
	for range count {
		r := row{random.NormFloat64(), []string{"red", "green", "blue"}[random.IntN(3)], []string{"a", "b"}[random.IntN(2)], "no"}
		if r.Number+random.NormFloat64() > 0 {
			r.Label = "yes"
		}
		list = append(list, r)
	}
	return list
}

func rowConfig() config.Config {
	c := config.Default()
	c.Job, c.Record.Label = "rows", record.Label{Field: "label", Positive: "yes"}
	c.Constraints = []model.Constraint{{Name: "group", Attribute: model.OneOrMore{"group"}, Group: model.Values("a"), Versus: model.Values("b"),
		Criterion: fairness.DemographicParity, Tau: .05}}
	c.Learner.Warmup = 200
	return c
}

func parquetOf(t *testing.T, list []row) string {
	t.Helper()
	var out bytes.Buffer
	if err := parquet.Write(&out, list); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func avroOf(t *testing.T, list []row) string {
	t.Helper()
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, avro.MustParse(rowSchema), ocf.WithBlockCount(100))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if err := w.Encode(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFormats: Parquet and Avro files are read with the others, files without records and fields that only some files have are named, and a file
// that was cut off or that nobody may read ends the work by its name.
func TestFormats(t *testing.T) {
	directory := t.TempDir()
	path := func(name string) string { return filepath.Join(directory, name) }
	write(t, path("a.parquet"), parquetOf(t, rows(1, 1000)))
	write(t, path("b.avro"), avroOf(t, rows(2, 1000)))
	var lines strings.Builder
	for _, r := range rows(3, 1000) {
		fmt.Fprintf(&lines, "{\"number\":%v,\"word\":%q,\"group\":%q,\"label\":%q,\"hue\":1}\n", r.Number, r.Word, r.Group, r.Label)
	}
	write(t, path("c.jsonl"), lines.String())
	write(t, path("d.jsonl"), "")
	b, said := prepared(t, path("*"))
	c := rowConfig()
	c.Learner.Forgetting = 1400
	if err := errors.Join(b.Configure(c, nil), b.Run(context.Background())); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	mustSay(t, said.String(), "3,000 good records", "Without a good record: 1 file of 4, "+path("d.jsonl"),
		`The field "hue" is in 1 of 3 files: `+path("a.parquet")+" lacks it.", "About 23 passes", "The sums are of 1,500 records, and learner.forgetting is 1,400", "set it to 3,000", "GB for sums", "on the disk", "1,500 records, loss")
	for name, text := range map[string]string{"z.parquet": parquetOf(t, rows(4, 1000)), "z.avro": avroOf(t, rows(4, 1000))} {
		write(t, path(name), text[:len(text)*2/3])
		b, said := prepared(t, path("*"))
		err := b.Configure(rowConfig(), nil)
		if err == nil {
			err = b.Run(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), path(name)) {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		if err := os.Remove(path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		return // nothing is kept from root
	}
	if err := os.Chmod(path("c.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	b, _ = prepared(t, path("*"))
	if err := b.Configure(rowConfig(), nil); err == nil || !strings.Contains(err.Error(), "c.jsonl: permission denied") {
		t.Errorf("%v", err)
	}
}

// TestWatch: a long pass says how far it is, before records were counted and after.
func TestWatch(t *testing.T) {
	b, said := prepared(t)
	b.files = &files{}
	await := func(words string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			b.files.done.Add(1000)
			b.saying.Lock()
			found := strings.Contains(said.String(), words)
			b.saying.Unlock()
			if found {
				return
			}
		}
		t.Errorf("%q is not in\n%s", words, said)
	}
	stop := b.watch(2 * time.Millisecond)
	await("records so far")
	b.records.Store(1e9)
	await("of 1,000,000,000 records of this pass")
	stop()
}

// TestUneven: the file that is named is the first that lacks a field, in whatever order files were read.
func TestUneven(t *testing.T) {
	sets := []string{"a b", "a b c", "b", "a b d"}
	none, err := fairness.NewGrouper(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}} {
		f := &files{list: make([]file, 4)}
		for i := range f.list {
			f.list[i].source.Name = fmt.Sprintf("%d.csv", i)
		}
		for _, i := range order {
			var of fields
			r := record.Record{}
			for name := range strings.FieldsSeq(sets[i]) {
				r.Features = append(r.Features, record.Field{Name: name, Text: []byte([]string{"12", "red"}[i/2])})
			}
			for range valuesForKind {
				of.add(&r, &groups{of: none})
			}
			f.evenness.take(i, &of)
		}
		want := []string{`The field "c" is in 1 of 4 files: 0.csv lacks it.`, `The field "d" is in 1 of 4 files: 0.csv lacks it.`, `The field "a" is in 3 of 4 files: 2.csv lacks it.`,
			`The field "a" is a number in 2 files and a text in 1 file: first in 3.csv.`, `The field "b" is a number in 2 files and a text in 2 files: first in 2.csv.`}
		if got := f.uneven(); !slices.Equal(got, want) {
			t.Errorf("%v: %q", order, got)
		}
	}
}
