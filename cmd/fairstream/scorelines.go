package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// scoreLines writes one line for each record: its score and decision, or why it was rejected.
type scoreLines interface {
	// decided takes the record's identifier too, nil if it has none.
	decided(id []byte, s model.Score)
	rejected(r *record.Rejection)
	// flush returns the first error of writing.
	flush() error
}

// newScoreLines writes decisions, or, without decides, the predictions of a regression alone. A line of JSON says
// with which weights.
func newScoreLines(out *bufio.Writer, asJSON, decides bool, version int64, weightsSHA256 string) scoreLines {
	if asJSON {
		return &jsonLines{out: out, decides: decides, weights: fmt.Sprintf(`,"version":%d,"weights_sha256":%q}`+"\n", version, weightsSHA256)}
	}
	w := &csvLines{out: csv.NewWriter(out), decides: decides}
	if decides {
		w.write("id", "score", "decision", "rejected")
	} else {
		w.write("id", "score", "rejected")
	}
	return w
}

// scoreNumber is the score: the probability of the positive label, or the prediction.
func scoreNumber(s model.Score, decides bool) float64 {
	if decides {
		return s.Probability
	}
	return s.Margin
}

// bit is a decision in output: 1 for the positive one.
func bit(decision bool) int64 {
	if decision {
		return 1
	}
	return 0
}

// jsonLines writes {"score":0.83,"decision":1,"margin":1.58,"version":39074,"weights_sha256":"…"}, with the identifier
// in front if there is one, and
// {"score":null,"decision":null,"rejected":"malformed_json","line":7}; without decisions no such key. Errors
// stay in out.
type jsonLines struct {
	out     *bufio.Writer
	decides bool
	weights string // the end of each line
	line    []byte
}

func (w *jsonLines) decided(id []byte, s model.Score) {
	line := append(w.line[:0], '{')
	if id != nil {
		if text, err := json.Marshal(string(id)); err == nil { // text always becomes JSON
			line = append(append(append(line, `"id":`...), text...), ',')
		}
	}
	line = append(line, `"score":`...)
	line = strconv.AppendFloat(line, scoreNumber(s, w.decides), 'g', -1, 64)
	if w.decides {
		line = append(line, `,"decision":`...)
		line = strconv.AppendInt(line, bit(s.Decision), 10)
		line = append(line, `,"margin":`...)
		line = strconv.AppendFloat(line, s.Margin, 'g', -1, 64)
	}
	w.write(append(line, w.weights...))
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
	w.write(append(line, '}', '\n'))
}

func (w *jsonLines) write(line []byte) {
	w.line = line
	_, _ = w.out.Write(line) // Flush returns the error
}

func (w *jsonLines) flush() error { return w.out.Flush() }

// csvLines writes the columns id, score, decision, if there are any, and rejected.
type csvLines struct {
	out     *csv.Writer
	decides bool
}

func (w *csvLines) decided(id []byte, s model.Score) {
	number := strconv.FormatFloat(scoreNumber(s, w.decides), 'g', -1, 64)
	if w.decides {
		w.write(string(id), number, strconv.FormatInt(bit(s.Decision), 10), "")
	} else {
		w.write(string(id), number, "")
	}
}

func (w *csvLines) rejected(r *record.Rejection) {
	if w.decides {
		w.write("", "", "", string(r.Reason))
	} else {
		w.write("", "", string(r.Reason))
	}
}

func (w *csvLines) write(cells ...string) { _ = w.out.Write(cells) } // flush returns the error

func (w *csvLines) flush() error {
	w.out.Flush()
	return w.out.Error()
}
