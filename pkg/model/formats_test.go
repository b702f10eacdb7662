package model_test

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// asJSON renders a CSV file as JSON lines: objects of strings, as produce writes them.
func asJSON(tb testing.TB, text string) string {
	tb.Helper()
	reader, err := record.NewReader(strings.NewReader(text), record.CSV, record.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var lines []byte
	for {
		switch err := reader.Next(); err {
		case nil:
			lines = append(reader.AppendJSON(lines), '\n')
		case io.EOF:
			return string(lines)
		default:
			tb.Fatal(err)
		}
	}
}

var quotedNumber = regexp.MustCompile(`"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"([,}])`)

// The same records give the same weights, whether they come as CSV, as JSON strings, or as JSON numbers and
// nulls.
func TestFormatsAgree(t *testing.T) {
	text, err := adultText()
	if err != nil {
		t.Fatal(err)
	}
	text = text[:strings.LastIndex(text[:600_000], "\n")+1]
	texts := asJSON(t, text)
	numbers := strings.ReplaceAll(quotedNumber.ReplaceAllString(texts, "$1$2"), `"?"`, "null")
	if numbers == texts || !strings.Contains(numbers, `"age":39,`) || !strings.Contains(numbers, ":null") {
		t.Fatal("the numbers are still strings")
	}
	for _, mode := range allModes {
		config := adultConfig(mode)
		want := documentOf(t, learn(t, config, readRecords(t, config, text))).WeightsSHA256
		for name, lines := range map[string]string{"strings": texts, "numbers": numbers} {
			if got := documentOf(t, learn(t, config, decode(t, config, record.JSONLines, lines))).WeightsSHA256; got != want {
				t.Errorf("%s: JSON with %s gives %s, CSV %s", mode, name, got, want)
			}
		}
	}
}

// replayed is what reading a file came to.
type replayed struct {
	learner    *model.Learner
	rejections map[int64]record.Reason // by line
}

// replay reads a file in which records may be bad.
func replay(t *testing.T, config model.Config, format record.Format, text string) replayed {
	t.Helper()
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := record.NewReader(strings.NewReader(text), format, config.Record.Limits)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	result := replayed{newLearner(t, config), map[int64]record.Reason{}}
	var r record.Record
	for {
		switch err := reader.Read(decoder, &r).(type) {
		case nil:
			result.learner.Learn(&r)
		case *record.Rejection:
			if result.rejections[err.Line] != "" {
				t.Fatalf("line %d is rejected twice", err.Line)
			}
			result.rejections[err.Line] = err.Reason
		default:
			if err != io.EOF {
				t.Fatal(err)
			}
			return result
		}
	}
}
