package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// badLine is a malformed record and why it is refused. The lines stand for those that a broken producer, a
// truncated file or a careless join leave behind; %s is a good record's inside.
type badLine struct {
	text   string
	reason record.Reason
}

var badJSON = []badLine{
	{`{"age":`, record.MalformedJSON}, {`{%s`, record.MalformedJSON}, {`{%s}}`, record.MalformedJSON}, {`{%s,}`, record.MalformedJSON},
	{`{'age':39}`, record.MalformedJSON}, {`{%s,"x":01}`, record.MalformedJSON}, {`{%s,"x":NaN}`, record.MalformedJSON}, {`{%s} {%s}`, record.MalformedJSON},
	{`not json at all`, record.MalformedJSON}, {"{%s,\"x\":\"\x01\"}", record.MalformedJSON}, {`{%s,"x":"\q"}`, record.MalformedJSON},
	{`[{%s}]`, record.NotAnObject}, {`"text"`, record.NotAnObject}, {`null`, record.NotAnObject}, {`42`, record.NotAnObject}, {`[]`, record.NotAnObject},
	{"{%s,\"x\":\"\xff\"}", record.InvalidUTF8}, {"{%s,\"\xc3\x28\":1}", record.InvalidUTF8},
	{`{%s,"x":"` + strings.Repeat("y", 3000) + `"}`, record.TooLong},
	{`{%s,"x":` + strings.Repeat(`{"a":`, 8) + "1" + strings.Repeat("}", 9), record.TooDeep},
	{`{%s,"x":[` + strings.Repeat("1,", 60) + `1]}`, record.TooManyFields},
	{`{%s,"` + strings.Repeat("n", record.MaxNameBytes+1) + `":1}`, record.NameTooLong},
	{`{%s,"age":40}`, record.DuplicateField}, {`{%s,"a.b":1,"a":{"b":2}}`, record.DuplicateField},
	{`{"age":39,"w":1}`, record.MissingLabel}, {`{"income":null,"w":1}`, record.MissingLabel}, {`{}`, record.MissingLabel},
	{`{"income":"?","w":1}`, record.MissingLabel}, {`{"income":{"is":">50K"},"w":1}`, record.LabelNotScalar}, {`{"income":[">50K"],"w":1}`, record.LabelNotScalar},
	{`{"income":">50K","age":30}`, record.MissingWeight}, {`{"income":">50K","w":null}`, record.MissingWeight},
	{`{"income":">50K","w":-1}`, record.BadWeight}, {`{"income":">50K","w":"heavy"}`, record.BadWeight}, {`{"income":">50K","w":1e7}`, record.BadWeight},
	{`{"income":">50K","w":"Inf"}`, record.BadWeight}, {`{"income":">50K","w":1,"when":"noon"}`, record.BadTime}, {`{"income":">50K","w":1,"when":"2026-01-01"}`, record.BadTime},
	{`{"income":">50K","w":1,"id":{"a":1}}`, record.IdentityNotText}, {`{"income":">50K","w":1,"id":[1]}`, record.IdentityNotText},
}

var badCSV = []badLine{
	{`39,Private`, record.WrongFieldCount}, {`%s,extra`, record.WrongFieldCount}, {`,`, record.WrongFieldCount},
	{`a"b,%s`, record.MalformedCSV}, {`"39"x,%s`, record.MalformedCSV}, {`%s "quoted"`, record.MalformedCSV}, {`"never closed,%s`, record.MalformedCSV},
	{"\xff,Private,1,HS-grad,9,Never-married,Sales,Husband,White,Male,0,0,40,United-States,>50K", record.InvalidUTF8},
	{"39,Private,1,HS-grad,9,Never-married,Sales,Husband,White,Male,0,0,40,United-States,", record.MissingLabel},
	{"39,Private,1,HS-grad,9,Never-married,Sales,Husband,White,Male,0,0,40,United-States,?", record.MissingLabel},
	{`"39,Private,1,HS-grad,9,` + strings.Repeat("x", 3000) + `",Private,1,HS-grad,9,Never-married,Sales,Husband,White,Male,0,0,40,United-States`, record.TooLong},
}

// mix puts count bad lines between the good ones, and returns the reason of each by its line.
func mix(random *rand.Rand, good []string, bad []badLine, count, header int) (text string, want map[int64]record.Reason) {
	places := make([]int, len(good)+1) // how many bad lines come before the good one
	for range count {
		places[random.IntN(len(places))]++
	}
	want = map[int64]record.Reason{}
	var b strings.Builder
	line, used := int64(1+header), 0
	for i, n := range places {
		for range n {
			insides := strings.Trim(good[random.IntN(len(good))], "{}")
			b.WriteString(strings.ReplaceAll(bad[used%len(bad)].text, "%s", insides) + "\n")
			want[line] = bad[used%len(bad)].reason
			used++
			line++
		}
		if i < len(good) {
			b.WriteString(good[i] + "\n")
			line++
		}
	}
	return b.String(), want
}

// 1,000 malformed records of every kind among those of Adult: each is rejected with its reason and line, the
// rest is learnt, and the weights are those of a run without them.
func TestMalformedRecords(t *testing.T) {
	text, err := adultText()
	if err != nil {
		t.Fatal(err)
	}
	config := adultConfig(model.Adaptive)
	config.Record.Limits = record.Limits{RecordBytes: 2000, Depth: 4, Fields: 50}
	header, body, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n")
	rows := strings.Split(body, "\n")

	t.Run("CSV", func(t *testing.T) {
		mixed, want := mix(rand.New(rand.NewPCG(6, 6)), rows, badCSV, 1000, 1)
		checkMixed(t, config, record.CSV, text, header+"\n"+mixed, want)
	})
	t.Run("JSON", func(t *testing.T) {
		config := config
		config.Record.Weight, config.Record.ID = "w", "id"
		config.Record.Time = record.Time{Field: "when", Format: record.RFC3339}
		lines := strings.Split(strings.TrimSuffix(asJSON(t, text), "\n"), "\n")
		for i := range lines {
			lines[i] = strings.Replace(lines[i], "{", fmt.Sprintf(`{"w":%d,"when":"2026-01-01T00:00:00Z","id":%d,`, 1+i%3, i), 1)
		}
		mixed, want := mix(rand.New(rand.NewPCG(7, 7)), lines, badJSON, 1000, 0)
		checkMixed(t, config, record.JSONLines, strings.Join(lines, "\n"), mixed, want)
	})
	// The two lists have every reason but those that only Kafka, its serializers, envelopes, a join key, exploration and a regression bring about.
	elsewhere := []record.Reason{record.BadPropensity, record.Tombstone, record.Deleted, record.NotEnveloped, record.MissingKey, record.RegistryHeader, record.BadLabel,
		record.NoSchemaID, record.UnknownSchema, record.UnfitSchema, record.MalformedMessage}
	for _, reason := range record.Reasons() {
		listed := slices.ContainsFunc(slices.Concat(badJSON, badCSV), func(b badLine) bool { return b.reason == reason })
		if listed == slices.Contains(elsewhere, reason) {
			t.Errorf("%s: listed %t", reason, listed)
		}
	}
}

func checkMixed(t *testing.T, config model.Config, format record.Format, clean, mixed string, want map[int64]record.Reason) {
	t.Helper()
	without, with := replay(t, config, format, clean), replay(t, config, format, mixed)
	if len(without.rejections) > 0 || len(with.rejections) != 1000 {
		t.Errorf("%d records rejected without the malformed ones, %d with them", len(without.rejections), len(with.rejections))
	}
	for line, reason := range want {
		if with.rejections[line] != reason {
			t.Errorf("line %d is rejected for %q, should be %q", line, with.rejections[line], reason)
		}
	}
	if got, want := with.learner.Version(), without.learner.Version(); got != want {
		t.Errorf("%d records learnt, should be %d", got, want)
	}
	if got, want := documentOf(t, with.learner).WeightsSHA256, documentOf(t, without.learner).WeightsSHA256; got != want {
		t.Errorf("weights_sha256 is %s and should be %s", got, want)
	}
}
