package score

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

const ofSex = "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"

func linesOf(text string, format record.Format) input.Source {
	return input.Source{Name: "f", Open: func(as record.Config) (input.Rows, error) {
		return record.NewReader(strings.NewReader(text), format, as.Limits)
	}}
}

// TestWhatIsKeptOfRecordsOfManyShapes: fields in any place, those that are null, and those that a record has not.
func TestWhatIsKeptOfRecordsOfManyShapes(t *testing.T) {
	weights := learnt(t, ofSex, apptest.CSV(1500))
	kept := func(names []string, asJSON bool, text string) (all []string) {
		var out bytes.Buffer
		p := Part{Source: linesOf(text, record.JSONLines), Document: weights, JSON: asJSON, Keep: names}
		if _, err := p.Write(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			_, cells, _ := strings.Cut(strings.TrimSpace(line), map[bool]string{true: `"kept":`}[asJSON])
			all = append(all, cells)
		}
		return all
	}
	const text = `{"age":30,"who":"a","note":null}` + "\n" + `{"who":"b","age":31}` + "\n" + `{"age":32}` + "\n" + `{"x":1,"y":2,"who":"c"}` + "\n" + `{"who":"d"}` + "\n"
	for i, want := range []string{`{"who":"a","note":null}}`, `{"who":"b"}}`, `{}}`, `{"who":"c"}}`, `{"who":"d"}}`} {
		if got := kept([]string{"who", "note"}, true, text)[i]; got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	for i, want := range []string{",a,", ",b,", ",,", ",c,", ",d,"} {
		if got := kept([]string{"who", "note"}, false, text)[i]; !strings.HasSuffix(got, want) {
			t.Errorf("row %d of CSV: %s, want %s", i, got, want)
		}
	}
	if got := kept([]string{KeepAll}, true, text)[0]; got != `{"age":"30","who":"a","note":null}}` {
		t.Errorf("all: %s", got)
	}
}

// TestPartsThatCannotBeScored: by no document, by one of nothing that is known, or a source that cannot be opened; and decisions without an identifier are not explored.
func TestPartsThatCannotBeScored(t *testing.T) {
	weights := learnt(t, ofSex, apptest.CSV(1500))
	var out bytes.Buffer
	broken := errors.New("the disk is broken")
	for name, c := range map[string]struct {
		part Part
		want string
	}{
		"no document":    {Part{Document: []byte("{}"), From: "w.json"}, "w.json: "},
		"no file":        {Part{Document: weights, Source: input.Source{Open: func(record.Config) (input.Rows, error) { return nil, broken }}}, broken.Error()},
		"another loss":   {Part{Document: bytes.Replace(weights, []byte(`"task":"classification"`), []byte(`"task":"ranking"`), 1), From: "w.json"}, "w.json: "},
		"an odd share":   {Part{Document: weights, Explore: 2}, "explore: the share "},
		"an odd field":   {Part{Document: weights, Keep: []string{"agee"}, Source: linesOf("age,sex\n30,F\n", record.CSV)}, `--keep agee: f has no such column`},
		"fields of JSON": {Part{Document: weights, Keep: []string{KeepAll}, Source: linesOf("{}\n", record.JSONLines)}, "--keep all: each record of such a file may have other fields"},
	} {
		if found, err := c.part.Write(t.Context(), &out); err == nil || !strings.Contains(err.Error(), c.want) || found != nil {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	anonymous := Part{Document: weights, Explore: .5, Source: linesOf(apptest.CSV(200), record.CSV)}
	found, err := anonymous.Write(t.Context(), &out)
	if err != nil || found.Anonymous == 0 || found.Anonymous != found.Rows-found.Rejected.Total-found.Positive {
		t.Errorf("%+v, %v", found, err)
	}
	c := apptest.Load(t, "kafka: {brokers: [a:9092]}\n"+apptest.Loans, 0)
	for share, want := range map[float64]bool{0: true, .5: true, 1: true, -.1: false, 1.1: false} {
		if err := (&Topics{Config: c, From: "in", To: "out", Explore: share}).Check(); (err == nil) != want {
			t.Errorf("a share of %v: %v", share, err)
		}
	}
	c.Record.Label.Positive = ""
	if err := (&Topics{Config: c, From: "in", To: "out", Explore: .5}).Check(); c.Record.Label.Numeric() && !errors.Is(err, scoring.ErrNothingToExplore) {
		t.Errorf("numbers are explored: %v", err)
	}
}

// TestRecordsBehindTheFirst are looked at for how their groups are spread, too: one of sixteen.
func TestRecordsBehindTheFirst(t *testing.T) {
	weights := learnt(t, ofSex, apptest.CSV(1500))
	rows := apptest.Rows(familiarWithin)
	told := func(later string) string {
		text := apptest.Header + "\n" + strings.Join(rows, "\n") + "\n"
		for range 4 {
			part := strings.Join(rows, "\n") + "\n"
			if later != "" {
				part = strings.ReplaceAll(strings.ReplaceAll(part, ",n,", later), ",s,", later)
			}
			text += part
		}
		found, err := (&Part{Document: weights, Source: linesOf(text, record.CSV)}).Write(t.Context(), new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := found.Tell(&out, "f"); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if as, unlike := told(""), told(",w,"); strings.Contains(as, "Warning") || !strings.Contains(unlike, "these columns have values unlike those that were learnt: \"part\"") {
		t.Errorf("as before: %s, and all of one part: %s", as, unlike)
	}
}
