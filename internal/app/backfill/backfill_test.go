package backfill

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
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
	for _, words := range []string{"7 files", "15,000 good records, of which the newest 7,500 are in no sum", "Rejected 1 of 15,001", "round 1 (free)", "version 15,000"} {
		if !strings.Contains(said.String(), words) {
			t.Errorf("%q is not in\n%s", words, said)
		}
	}
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
