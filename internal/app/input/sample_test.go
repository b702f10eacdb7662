package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// sampled is what a sample was given.
type sampled struct {
	Sample
	rows     []string
	rejected []string
}

func newSample(most int) *sampled {
	s := &sampled{Sample: Sample{Most: most}}
	s.Use = func(raw []byte) { s.rows = append(s.rows, fmt.Sprintf("%d %s", s.Line, raw)) }
	s.Reject = func(r *record.Rejection) { s.rejected = append(s.rejected, r.Error()) }
	return s
}

// TestASampleOfAFile is its first rows, those that cannot be read among them; the place of a row is that of its line.
func TestASampleOfAFile(t *testing.T) {
	const text = "a,b\n1,2\n3\n5,6\n7,8\n"
	for most, want := range map[int]struct {
		rows     []string
		read     int
		rejected int
		whole    bool
	}{
		0: {[]string{`2 {"a":"1","b":"2"}`, `4 {"a":"5","b":"6"}`, `5 {"a":"7","b":"8"}`}, 4, 1, true},
		1: {[]string{`2 {"a":"1","b":"2"}`}, 1, 0, false},
		2: {[]string{`2 {"a":"1","b":"2"}`}, 2, 1, false},
		3: {[]string{`2 {"a":"1","b":"2"}`, `4 {"a":"5","b":"6"}`}, 3, 1, false},
		4: {[]string{`2 {"a":"1","b":"2"}`, `4 {"a":"5","b":"6"}`, `5 {"a":"7","b":"8"}`}, 4, 1, true},
	} {
		s := newSample(most)
		if err := s.FromFile(t.Context(), inMemory(text, record.CSV), record.Config{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.rows, want.rows) || s.Read != want.read || len(s.rejected) != want.rejected || s.Whole != want.whole || !slices.Equal(s.header, []string{"a", "b"}) {
			t.Errorf("at most %d: %q, read %d, rejected %q, whole %v", most, s.rows, s.Read, s.rejected, s.Whole)
		}
	}
	s := newSample(0)
	odd := inMemory(text, record.CSV)
	odd.Takes = func(row int) bool { return row%2 == 0 }
	if err := s.FromFile(t.Context(), odd, record.Config{}); err != nil || len(s.rows) != 2 || s.Read != 3 {
		t.Errorf("every other row: %q, read %d, %v", s.rows, s.Read, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newSample(0).FromFile(ended, inMemory(text, record.CSV), record.Config{}); err == nil || !strings.Contains(err.Error(), "interrupted after 0 rows") {
		t.Error(err)
	}
	refuse := errors.New("no file")
	if err := newSample(0).FromFile(t.Context(), Source{Open: func(record.Config) (Rows, error) { return nil, refuse }}, record.Config{}); !errors.Is(err, refuse) {
		t.Error(err)
	}
}

// TestASampleSaysWhereARowIs that cannot be decoded.
func TestASampleSaysWhereARowIs(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, decoded := newSample(0), 0
	s.Use = func(raw []byte) {
		if s.Decode(schema.NewDecoder(), &record.Record{}, raw) {
			decoded++
		}
	}
	if err := s.FromFile(t.Context(), inMemory("{\"y\":1,\"x\":2}\n{\"x\":3}\n", record.JSONLines), record.Config{}); err != nil {
		t.Fatal(err)
	}
	if decoded != 1 || len(s.rejected) != 1 || !strings.Contains(s.rejected[0], "line 2") {
		t.Errorf("%d are decoded, rejected %q", decoded, s.rejected)
	}
}

// TestASampleOfATopic is the newest messages, as many of each partition; a message without a value is rejected.
func TestASampleOfATopic(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	if _, err := j.Client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "two", Kind: kafka.InputTopic, Partitions: 2, ReplicationFactor: 1}); err != nil {
		t.Fatal(err)
	}
	for partition, n := range []int{5, 3} {
		var messages []kafka.Message
		for i := range n {
			messages = append(messages, kafka.Message{Value: fmt.Appendf(nil, `{"p":%d,"i":%d}`, partition, i)})
		}
		messages[n-2].Value = nil
		if _, err := j.Client.Produce(t.Context(), "two", int32(partition), messages...); err != nil {
			t.Fatal(err)
		}
	}
	row := func(partition int, all ...int) (rows []string) {
		for _, i := range all {
			rows = append(rows, fmt.Sprintf(`0 {"p":%d,"i":%d}`, partition, i))
		}
		return rows
	}
	for most, want := range map[int]struct {
		rows     []string
		rejected int
		whole    bool
	}{
		0:  {slices.Concat(row(0, 0, 1, 2, 4), row(1, 0, 2)), 2, true},
		20: {slices.Concat(row(0, 0, 1, 2, 4), row(1, 0, 2)), 2, true},
		10: {slices.Concat(row(0, 0, 1, 2, 4), row(1, 0, 2)), 2, true},
		4:  {slices.Concat(row(0, 4), row(1, 2)), 2, false},
		3:  {row(0, 4), 2, false}, // half of three is two of each partition, and the last one is beyond the bound
		2:  {slices.Concat(row(0, 4), row(1, 2)), 0, false},
	} {
		s := newSample(most)
		if err := s.FromTopic(t.Context(), j.Client, Topic{Name: "two"}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.rows, want.rows) || len(s.rejected) != want.rejected || s.Read != len(s.rows)+len(s.rejected) || s.Whole != want.whole || s.Schema != nil {
			t.Errorf("at most %d: %q, rejected %q, whole %v", most, s.rows, s.rejected, s.Whole)
		}
	}
	if err := newSample(0).FromTopic(t.Context(), j.Client, Topic{Name: "none"}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}

// TestRejectionsAreCounted by reason, the most frequent first, with the first few of them, over the blocks of a file.
func TestRejectionsAreCounted(t *testing.T) {
	rejection := func(reason record.Reason, line int64) *record.Rejection {
		return &record.Rejection{Reason: reason, Offset: -1, Line: line}
	}
	var none, first, second Rejections
	var text bytes.Buffer
	if none.Write(&text, 10, "f.csv"); text.Len() > 0 {
		t.Errorf("%s", text.String())
	}
	for i := range int64(4) {
		first.Add(rejection(record.BadLabel, i+1))
	}
	for i := range int64(3) {
		second.Add(rejection(record.MissingLabel, i+10))
	}
	second.Add(rejection(record.BadLabel, 20))
	first.Join(&none)
	none.Join(&second)
	if first.Join(&second); first.Total != 8 || first.Reasons[record.BadLabel] != 5 || first.Reasons[record.MissingLabel] != 3 || len(first.First) != shown || first.First[4] != rejection(record.MissingLabel, 10).Error() {
		t.Errorf("%+v", first)
	}
	if none.Total != 4 || len(none.First) != 4 || none.Reasons[record.MissingLabel] != 3 {
		t.Errorf("%+v", none)
	}
	first.Write(&text, 1000, "f.csv")
	if lines := strings.Split(text.String(), "\n"); len(lines) != 10 || lines[0] != "Rejected 8 of 1,000 records of f.csv:" || lines[1] != "          5  bad_label" || lines[2] != "          3  missing_label" ||
		lines[3] != "The first of them:" || lines[4] != "  "+rejection(record.BadLabel, 1).Error() {
		t.Errorf("%s", text.String())
	}
	for i := range int64(10) {
		if second.Add(rejection(record.BadLabel, i)); len(second.First) > shown {
			t.Fatalf("%d are shown", len(second.First))
		}
	}
}

// passed runs a pass over a text.
func passed(t *testing.T, c record.Config, text string, format record.Format) (each []string, rejected []string, err error) {
	t.Helper()
	schema, err := record.NewSchema(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pass{Source: inMemory(text, format), Schema: schema, Labelled: true, Each: func(r *record.Record) { each = append(each, fmt.Sprint(r.HasLabel)) },
		Reject: func(r *record.Rejection) { rejected = append(rejected, string(r.Reason)) }}
	if p.Keep, err = Everything(c); err != nil {
		t.Fatal(err)
	}
	if err := p.Open(); err != nil {
		return nil, nil, err
	}
	keep := p.Each
	p.Each = func(r *record.Record) {
		if keep(r); p.Kept == nil || len(p.Kept.Features) < len(r.Features) {
			t.Errorf("row %d: kept %+v", len(each), p.Kept)
		}
	}
	return each, rejected, p.Run(t.Context())
}

// TestLabelsOfAPass: a record without a label is rejected, or counts; among the first ten thousand one has a label, unless its field is misspelt, which
// is said with the fields that there are.
func TestLabelsOfAPass(t *testing.T) {
	c := record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"z"}}
	counted := c
	counted.Unlabelled, counted.Key = record.Count, "k"
	lines := func(n int, last string) string {
		return strings.Repeat(`{"k":"a","x":1,"z":2}`+"\n", n) + last
	}
	for name, test := range map[string]struct {
		c              record.Config
		text           string
		format         record.Format
		each, rejected int
		want           string
	}{
		"labels":                 {c, "{\"y\":1}\n{\"y\":0}\n", record.JSONLines, 2, 0, ""},
		"one without":            {c, "{\"y\":1}\n{\"x\":0}\n", record.JSONLines, 1, 1, ""},
		"one that counts":        {counted, "{\"k\":\"a\",\"x\":1,\"y\":1}\n{\"k\":\"b\",\"x\":0}\n", record.JSONLines, 2, 0, ""},
		"the last one":           {counted, lines(labelsBy-1, `{"k":"a","x":1,"y":1}`), record.JSONLines, labelsBy, 0, ""},
		"none among many":        {counted, lines(labelsBy, `{"k":"a","y":1}`), record.JSONLines, -1, 0, `record.label.field is "y"`},
		"none at all":            {counted, lines(3, ""), record.JSONLines, 3, 0, `the fields are k, x, z`},
		"a field without values": {counted, "k,y\na,\nb,\n", record.CSV, 2, 0, `the field "y" (record.label.field) holds only what record.missing lists`},
		"no column":              {c, "Y,z\n1,2\n", record.CSV, 0, 0, `did you mean "Y"?`},
		"no header":              {c, "1,2\n3,4\n", record.CSV, 0, 0, `none of the 2 names in the first line is in the configuration: is that line a header?`},
	} {
		each, rejected, err := passed(t, test.c, test.text, test.format)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) || test.each >= 0 && len(each) != test.each || len(rejected) != test.rejected {
			t.Errorf("%s: %d records, rejected %q, %v", name, len(each), rejected, err)
		}
	}
}

// TestRefusedSamples are errors, whichever request is refused.
func TestRefusedSamples(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(60))
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"newest": func(ctx context.Context, s *program.Streams) error {
		sample := newSample(0)
		err := sample.FromTopic(ctx, j.Client, Topic{Name: j.Config.Topics.Input})
		if err == nil {
			_, err = fmt.Fprint(s.Out, sample.Read, sample.Whole)
		}
		return err
	}})
}
