package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	app "github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
)

const configuration = `job: adult
record:
  label: {field: income, positive: ">50K"}
  ignore: [fnlwgt]
learner: {warmup: 500}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, criterion: demographic-parity, tau: 0.05}
`

// records deals so many of the bundled records to CSV files, and returns their folder with a configuration.
func records(t *testing.T, files, each int) (folder, configured string) {
	t.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	folder = t.TempDir()
	for i := range files {
		write(t, filepath.Join(folder, fmt.Sprintf("part-%d.csv", i)), lines[0]+strings.Join(lines[1+i*each:1+(i+1)*each], ""))
	}
	configured = filepath.Join(folder, "config.yaml")
	write(t, configured, configuration)
	return folder, configured
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fairstreamEngine runs a command, and returns what it said and its exit code.
func fairstreamEngine(t *testing.T, args ...string) (said string, code int) {
	t.Helper()
	var out bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &out)
	return out.String(), code
}

func stateOf(t *testing.T, name string) *backfill.State {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	state, err := backfill.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// here is what fairstream backfill makes of files.
func here(t *testing.T, configured, pattern string) *backfill.State {
	t.Helper()
	loaded, err := config.Load(config.Sources{Files: []string{configured}}, config.Learning)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	b := app.Backfill{Streams: &program.Streams{Out: &said, Err: &said}, Inputs: []string{pattern}, Output: filepath.Join(t.TempDir(), "here.state"), Sample: 4000}
	if err := b.Configure(loaded.Config, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return stateOf(t, b.Output)
}

// TestBackfillIsThatOfFairstream: the state is the same bit for bit, and so are files, records and rejections that it names, with 1, 4 and 16 shards of blocks.
func TestBackfillIsThatOfFairstream(t *testing.T) {
	folder, configured := records(t, 5, 1000)
	write(t, filepath.Join(folder, "part-9.jsonl"), "{\"age\": 1}\n"+strings.Repeat("{\"age\": \"40\", \"sex\": \"Male\", \"income\": \">50K\"}\n", 20))
	pattern := filepath.Join(folder, "part-*")
	want := here(t, configured, pattern)
	for _, shards := range []string{"1", "4", "16"} {
		output := filepath.Join(t.TempDir(), "there.state")
		said, code := fairstreamEngine(t, "backfill", "--config", configured, "--input", pattern, "--output", output, "--sample", "4000", "--shards", shards)
		if code != done {
			t.Fatalf("%s shards: exit code %d\n%s", shards, code, said)
		}
		got := stateOf(t, output)
		if !bytes.Equal(got.Learner, want.Learner) {
			t.Errorf("%s shards leave another state", shards)
		}
		got.Finished = want.Finished
		a, _ := json.Marshal(want.Provenance)
		if b, _ := json.Marshal(got.Provenance); !bytes.Equal(a, b) {
			t.Errorf("%s shards:\n%s\n%s", shards, a, b)
		}
		if !strings.Contains(said, "Rejected 1 of 5,021 records") {
			t.Errorf("%s shards: %s", shards, said)
		}
	}
}

// TestBackfillRefuses: what is wrong with files or flags is named, and the exit code tells which.
func TestBackfillRefuses(t *testing.T) {
	folder, configured := records(t, 2, 300)
	for name, test := range map[string]struct {
		files map[string]string
		args  []string
		words string
		code  int
	}{
		"no file":      {nil, []string{"-i", filepath.Join(folder, "x*")}, "no file has such a name", misuse},
		"flink":        {nil, []string{"--runner", "flink"}, "needs --endpoint", misuse},
		"other":        {nil, []string{"--runner", "spark"}, "it is prism or flink", misuse},
		"workers":      {nil, []string{"--workers", "localhost:1"}, "needs --temp", misuse},
		"on prism":     {nil, []string{"--workers", "localhost:1", "--temp", folder}, "belong to --runner flink", misuse},
		"scheme":       {nil, []string{"-i", "ftp://host/*.csv"}, "ftp", misuse},
		"columns":      {map[string]string{"part-8.csv": "a,b\n1,2\n"}, nil, "part-8.csv has other columns", failed},
		"truncated":    {map[string]string{"part-8.csv.gz": "\x1f\x8b\x08\x00"}, nil, "part-8.csv.gz", failed},
		"no parquet":   {map[string]string{"part-8.parquet": "PAR1 and no more than that"}, nil, "part-8.parquet", failed},
		"too rejected": {map[string]string{"part-8.jsonl": strings.Repeat("{\n", 60)}, nil, "part-8.jsonl: 60 of 60 rows are rejected", failed},
	} {
		for file, text := range test.files {
			write(t, filepath.Join(folder, file), text)
		}
		args := append([]string{"backfill", "-c", configured, "-i", filepath.Join(folder, "part-*"), "-o", filepath.Join(t.TempDir(), "x.state")}, test.args...)
		if said, code := fairstreamEngine(t, args...); code != test.code || !strings.Contains(said, test.words) {
			t.Errorf("%s: exit code %d, and not %d with %q:\n%s", name, code, test.code, test.words, said)
		}
		for file := range test.files {
			if err := os.Remove(filepath.Join(folder, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
