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
