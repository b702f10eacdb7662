package apptest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/goldentest"
)

// changing is what differs between two runs: times, hashes, which contain the address of the broker, and speeds.
var changing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( UTC|Z)?`), "TIME"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "DATE"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "SHA256"},
	{regexp.MustCompile(`\b[0-9a-f]{12}…`), "SHA256…"},
	{regexp.MustCompile(`\b[A-Z2-7]{26}\b`), "ID"},
	{regexp.MustCompile(`"topic_id":"[^"]*"`), `"topic_id":"ID"`},
	{regexp.MustCompile(`[\d,]+ bytes`), "BYTES bytes"},
	{regexp.MustCompile(`in \d+\.\d\d s`), "in SECONDS s"},
	{regexp.MustCompile(`\([\d,]+ (records )?a second\)|: [\d,]+ records a second`), "(RATE)"},
	{regexp.MustCompile(`"seconds":[\d.e-]+`), `"seconds":0`},
	{regexp.MustCompile(`("type": "[a-z_]*share_of_time[a-z_]*",\s*"value": )[\d.e-]+`), "${1}0"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDRESS"},
}

// Steady replaces what differs between two runs.
func Steady(text string) string {
	text = strings.ReplaceAll(text, program.Version(), "PROGRAM")
	if host, err := os.Hostname(); err == nil {
		text = regexp.MustCompile(`(on|by) `+regexp.QuoteMeta(host)+`,`).ReplaceAllString(text, "$1 HOST,")
	}
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.with)
	}
	return text
}

// Golden gives what compares output with a file in testdata of the package, wherever the test has moved to. With UPDATE=1 in the
// environment it writes the file.
func Golden(t *testing.T) func(name, got string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return func(name, got string) {
		t.Helper()
		goldentest.CompareFile(t, filepath.Join(here, "testdata", name), got)
	}
}

// Stage is where commands of a test write.
type Stage struct {
	*program.Streams
	out, notes bytes.Buffer
	golden     func(name, got string)
}

// NewStage is to be made before the test moves.
func NewStage(t *testing.T) *Stage {
	t.Helper()
	s := &Stage{golden: Golden(t)}
	s.Streams = &program.Streams{Out: &s.out, Err: &s.notes}
	return s
}

// Says runs a command, and compares all that it writes and its error with a file. What it wrote to standard output is returned.
func (s *Stage) Says(t *testing.T, name string, command func(context.Context) error) string {
	t.Helper()
	s.out.Reset()
	s.notes.Reset()
	err := command(t.Context())
	text := s.out.String()
	if s.notes.Len() > 0 {
		text += "--- notes\n" + s.notes.String()
	}
	if err != nil {
		text += "--- error\n" + err.Error() + "\n"
	}
	s.golden(name, Steady(text))
	return s.out.String()
}

// Writes is what a command writes to standard output. It must succeed.
func (s *Stage) Writes(t *testing.T, command func(context.Context) error) string {
	t.Helper()
	s.out.Reset()
	s.notes.Reset()
	if err := command(t.Context()); err != nil {
		t.Errorf("%v\n%s", err, s.notes.String())
	}
	return s.out.String()
}
