package learn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/document"
)

const configuration = `{"record": {"label": {"field": "income", "positive": ">50K"}, "ignore": ["fnlwgt"]}, "learner": {"warmup": 200},
	"constraints": [{"name": "sex", "attribute": "sex", "group": "Male", "versus": "Female", "tau": 0.05}]}`

type answer struct {
	kind    byte
	payload []byte
}

// talk gives all requests to the program, and returns its answers.
func talk(t *testing.T, requests ...request) (answers []answer) {
	t.Helper()
	var in, out bytes.Buffer
	for _, r := range requests {
		in.Write(binary.LittleEndian.AppendUint64([]byte{r.what}, uint64(len(r.payload))))
		in.Write(r.payload)
	}
	if err := Run(&program.Streams{In: &in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for out.Len() > 0 {
		head := out.Next(9)
		answers = append(answers, answer{head[0], slices.Clone(out.Next(int(binary.LittleEndian.Uint64(head[1:]))))})
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(answers), len(requests))
	}
	return answers
}

// rows are the first bundled records as CSV, in parts of one header each.
func rows(t *testing.T, counts ...int) (parts []request) {
	t.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	at := 1
	for _, n := range counts {
		parts = append(parts, request{what: learn, payload: []byte(lines[0] + strings.Join(lines[at:at+n], ""))})
		at += n
	}
	return parts
}

func documentOf(t *testing.T, a answer) *document.Document {
	t.Helper()
	if a.kind != good {
		t.Fatalf("%s", a.payload)
	}
	doc, err := document.Parse(a.payload)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestBatchesAndRestoredStatesLearnTheSame(t *testing.T) {
	begin := request{what: configure, payload: []byte(configuration)}
	whole := talk(t, begin, rows(t, 3000)[0], request{what: publish})
	parts := rows(t, 100, 900, 2000)
	first := talk(t, begin, parts[0], parts[1], request{what: publish}, request{what: save})
	rest := talk(t, begin, request{what: restore, payload: first[4].payload}, parts[2], request{what: publish})
	a, b := documentOf(t, whole[2]), documentOf(t, rest[3])
	if a.WeightsSHA256 != b.WeightsSHA256 || b.Records != 3000 {
		t.Errorf("%d records: %s, at once %s", b.Records, b.WeightsSHA256, a.WeightsSHA256)
	}
	margins := slices.Concat(first[1].payload, first[2].payload, rest[2].payload)
	if !bytes.Equal(margins, whole[1].payload) {
		t.Error("the margins differ")
	}
	if first := math.Float64frombits(binary.LittleEndian.Uint64(margins)); !math.IsNaN(first) {
		t.Errorf("a record of the warm-up has the margin %v", first)
	}
}

func TestPredictionsAreThoseOfTheDocument(t *testing.T) {
	part := rows(t, 1000)[0]
	answers := talk(t, request{what: configure, payload: []byte(configuration)}, part, request{what: predict, payload: part.payload}, request{what: publish})
	doc := documentOf(t, answers[3])
	classifier, err := doc.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := doc.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var b batch
	if err := b.read(part.payload, schema, false); err != nil {
		t.Fatal(err)
	}
	var margins, probabilities []byte
	for i := range b.records {
		d := classifier.Decide(&b.records[i])
		margins = binary.LittleEndian.AppendUint64(margins, math.Float64bits(d.Margin))
		probabilities = binary.LittleEndian.AppendUint64(probabilities, math.Float64bits(d.Probability))
	}
	if !bytes.Equal(answers[2].payload, append(margins, probabilities...)) {
		t.Error("margins or probabilities differ")
	}
}

func TestARequestThatIsWrongChangesNothing(t *testing.T) {
	begin, part := request{what: configure, payload: []byte(configuration)}, rows(t, 300)[0]
	broken := slices.Concat(part.payload, []byte("1,2\n"))
	unlabelled := []byte("age,sex\n39,Male\n")
	answers := talk(t, part, request{what: configure, payload: []byte("{")}, begin, part, request{what: learn, payload: broken}, request{what: learn, payload: unlabelled}, request{what: '?'},
		request{what: restore, payload: []byte("no state")}, request{what: publish})
	for i, want := range map[int]string{0: "configuration comes first", 1: "is not YAML", 4: "row 300: wrong_field_count: 2 cells", 5: "row 0: ", 6: "no request", 7: "restore"} {
		if answers[i].kind != bad || !strings.Contains(string(answers[i].payload), want) {
			t.Errorf("request %d: %c %s, want %q", i, answers[i].kind, answers[i].payload, want)
		}
	}
	if doc := documentOf(t, answers[8]); doc.Records != 300 {
		t.Errorf("%d records were learnt", doc.Records)
	}
}

func TestTheInputMayEndAtARequestOnly(t *testing.T) {
	for text, want := range map[string]string{"": "", "C": "within a request", "C\x05\x00\x00\x00\x00\x00\x00\x00ab": "within a request",
		"C\xff\xff\xff\xff\xff\xff\xff\xff": "longer than"} {
		err := Run(&program.Streams{In: strings.NewReader(text), Out: io.Discard})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRequestsThatCannotBeMet: without a header, with rows that cannot be read, with rows whose label comes in another one, and of a configuration that no learner has.
func TestRequestsThatCannotBeMet(t *testing.T) {
	begin, part := request{what: configure, payload: []byte(configuration)}, rows(t, 300)[0]
	keyed := request{what: configure, payload: []byte(strings.Replace(configuration, `"ignore": ["fnlwgt"]`, `"key": "fnlwgt", "unlabelled": "reject"`, 1))}
	header, _, _ := strings.Cut(string(part.payload), "\n")
	unlabelled := strings.Repeat("1,", strings.Count(header, ",")) + "\n"
	answers := talk(t, begin, request{what: learn}, part, request{what: predict, payload: []byte("age\n1,2\n")}, request{what: predict},
		keyed, request{what: learn, payload: []byte(header + "\n" + unlabelled)}, request{what: configure, payload: []byte(`{"record": {"label": {"field": "income"}}, "learner": {"mode": "paper", "task": "regression"}}`)})
	refused := map[int]string{1: "header", 3: "row 0: wrong_field_count: ", 4: "header", 6: `row 0: missing_label in field "income"`, 7: "learner"}
	for i, got := range answers {
		if want, is := refused[i]; got.kind == bad != is || !strings.Contains(string(got.payload), want) {
			t.Errorf("request %d: %c %.200s, want %q", i, got.kind, got.payload, want)
		}
	}
}

// TestNumbersArePredicted with a margin, and without a probability.
func TestNumbersArePredicted(t *testing.T) {
	part := rows(t, 600)[0]
	answers := talk(t, request{what: configure, payload: []byte(`{"record": {"label": {"field": "hours_per_week"}, "ignore": ["income"]}, "learner": {"task": "regression", "warmup": 100}}`)},
		part, request{what: predict, payload: part.payload}, request{what: publish})
	regressor, err := documentOf(t, answers[3]).Regressor()
	if err != nil || answers[2].kind != good || len(answers[2].payload) != 2*8*600 {
		t.Fatalf("%v, %c, %d bytes", err, answers[2].kind, len(answers[2].payload))
	}
	schema, err := documentOf(t, answers[3]).Schema()
	if err != nil {
		t.Fatal(err)
	}
	var b batch
	if err := b.read(part.payload, schema, false); err != nil {
		t.Fatal(err)
	}
	for i := range b.records {
		margin, probability := math.Float64frombits(binary.LittleEndian.Uint64(answers[2].payload[8*i:])), math.Float64frombits(binary.LittleEndian.Uint64(answers[2].payload[8*(600+i):]))
		if want := regressor.Predict(&b.records[i]); margin != want || !math.IsNaN(probability) {
			t.Fatalf("row %d: %v, want %v; probability %v", i, margin, want, probability)
		}
	}
}

// full is an output that takes so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("the pipe is broken")
	}
	return len(p), nil
}

// TestAnswersThatNobodyTakes end the program, and so does a request that is longer than any.
func TestAnswersThatNobodyTakes(t *testing.T) {
	request := append(binary.LittleEndian.AppendUint64([]byte{configure}, uint64(len(configuration))), configuration...)
	if err := Run(&program.Streams{In: bytes.NewReader(request), Out: &full{}}); err == nil || err.Error() != "the pipe is broken" {
		t.Errorf("%v", err)
	}
	for room, want := range map[int]bool{8: false, 9: false, 11: true} {
		if err := writeAnswer(&full{room}, good, []byte("ab")); (err == nil) != want {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
	for length, want := range map[uint64]string{longest: "the input ends within a request", longest + 1: "is longer than 1073741824"} {
		if _, _, err := readRequest(bytes.NewReader(binary.LittleEndian.AppendUint64([]byte{learn}, length)), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
}

// The next request may be sent before an answer is taken, however long both are.
func TestARequestIsReadBeforeTheAnswerIsTaken(t *testing.T) {
	in, toProgram := io.Pipe()
	fromProgram, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Run(&program.Streams{In: in, Out: out}) }()
	send := func(r request) {
		if _, err := toProgram.Write(append(binary.LittleEndian.AppendUint64([]byte{r.what}, uint64(len(r.payload))), r.payload...)); err != nil {
			t.Error(err)
		}
	}
	take := func() []byte {
		head := make([]byte, 9)
		if _, err := io.ReadFull(fromProgram, head); err != nil || head[0] != good {
			t.Fatalf("%c, %v", head[0], err)
		}
		payload := make([]byte, binary.LittleEndian.Uint64(head[1:]))
		if _, err := io.ReadFull(fromProgram, payload); err != nil {
			t.Fatal(err)
		}
		return payload
	}
	send(request{what: configure, payload: []byte(configuration)})
	take()
	parts := rows(t, 9000, 9000, 9000)
	send(parts[0])
	for _, part := range parts[1:] {
		send(part)
		if got := len(take()); got != 8*9000 {
			t.Errorf("an answer of %d bytes", got)
		}
	}
	take()
	if err := errors.Join(toProgram.Close(), <-done); err != nil {
		t.Error(err)
	}
}

// TestWeightsThatCannotBeRead give no numbers.
func TestWeightsThatCannotBeRead(t *testing.T) {
	for _, task := range []document.Task{document.Classification, document.Regression} {
		if weigh, err := newWeigher(&document.Document{Task: task, Model: []byte(`{"columns":3}`)}); err == nil || weigh != nil {
			t.Errorf("%s: %v", task, err)
		}
	}
}
