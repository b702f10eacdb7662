package score

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/fairstream/fairstream/internal/decimals"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// answers writes one line for each record: its score and decision, or why it was rejected.
type answers interface {
	// answered takes the record's identifier too, nil if it has none.
	answered(id []byte, a *scoring.Outcome)
	rejected(r *record.Rejection)
	// flush returns the first error of writing.
	flush() error
}

// newLines writes the decisions of a document, explored or not, or the predictions of a regression alone. A line says with which
// weights, and ends with what is kept of the input.
func newLines(out *bufio.Writer, asJSON, first bool, d *document.Document, explored bool, kept *keeping) answers {
	decides := d.Task == document.Classification
	gives := decides && d.Probability != nil
	if asJSON {
		return &jsonLines{out: out, kept: kept, decides: decides, gives: gives, weights: fmt.Sprintf(`,"version":%d,"weights_sha256":%q`, d.Version, d.WeightsSHA256)}
	}
	w := newCSVLines(out, kept, d, decides, gives, explored)
	if first {
		w.head()
	}
	return w
}

// answerer returns what decides or predicts by a document. It writes an outcome field by field where that is read: to copy a structure whose fields were
// just stored, a processor waits until they are in its cache.
func answerer(d *document.Document) (func(*record.Record, *scoring.Outcome), error) {
	if d.Task == document.Regression {
		regressor, err := d.Regressor()
		if err != nil {
			return nil, err
		}
		return func(r *record.Record, to *scoring.Outcome) {
			to.Score, to.Unread = regressor.Predict(r), regressor.Unread()
		}, nil
	}
	classifier, err := d.Classifier()
	if err != nil {
		return nil, err
	}
	return func(r *record.Record, to *scoring.Outcome) {
		decision := classifier.Decide(r)
		to.Score, to.Margin, to.Positive, to.Probability, to.Unread = decision.Score, decision.Margin, decision.Positive, decision.Probability, classifier.Unread()
	}, nil
}

// jsonLines writes {"score":0.83,"decision":1,"margin":1.58,"probability":0.74,"version":39074,"weights_sha256":"…"}, with
// the identifier in front if there is one, without the probability if the document gives none, and
// {"score":null,"decision":null,"rejected":"malformed_json","line":7}; without decisions no such key. Errors
// stay in out.
type jsonLines struct {
	out     *bufio.Writer
	kept    *keeping
	decides bool
	gives   bool // a probability
	weights string
	line    []byte
}

func (w *jsonLines) answered(id []byte, a *scoring.Outcome) {
	line := append(w.line[:0], '{')
	if id != nil {
		if text, err := json.Marshal(string(id)); err == nil { // text always becomes JSON
			line = append(append(append(line, `"id":`...), text...), ',')
		}
	}
	line = append(line, `"score":`...)
	line = decimals.Append(line, a.Score)
	if w.decides {
		line = append(line, `,"decision":`...)
		line = append(line, bit(a.Positive))
		line = a.AppendExploration(line)
		line = append(line, `,"margin":`...)
		line = decimals.Append(line, a.Margin)
	}
	if w.gives {
		line = decimals.Append(append(line, `,"probability":`...), a.Probability)
	}
	w.write(append(a.AppendUnread(line), w.weights...))
}

func (w *jsonLines) rejected(r *record.Rejection) {
	line := append(w.line[:0], `{"score":null,`...)
	if w.decides {
		line = append(line, `"decision":null,`...)
	}
	line = append(line, `"rejected":"`...)
	line = append(line, r.Reason...)
	line = append(line, `","line":`...)
	line = strconv.AppendInt(line, r.Line, 10)
	w.write(line)
}

// write ends a line.
func (w *jsonLines) write(line []byte) {
	w.line = append(w.kept.append(line), '}', '\n')
	_, _ = w.out.Write(w.line) // Flush returns the error
}

func (w *jsonLines) flush() error { return w.out.Flush() }
