package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
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

func newScoreLines(out *bufio.Writer, asJSON bool) scoreLines {
	if asJSON {
		return &jsonLines{out: out}
	}
	w := &csvLines{out: csv.NewWriter(out)}
	w.write("id", "score", "decision", "rejected")
	return w
}

// bit is a decision in output: 1 for the positive one.
func bit(decision bool) int64 {
	if decision {
		return 1
	}
	return 0
}

// jsonLines writes {"score":0.83,"decision":1}, with the identifier in front if there is one, and
// {"score":null,"decision":null,"rejected":"malformed_json","line":7}. Errors stay in out.
type jsonLines struct {
	out  *bufio.Writer
	line []byte
}

func (w *jsonLines) decided(id []byte, s model.Score) {
	line := append(w.line[:0], '{')
	if id != nil {
		if text, err := json.Marshal(string(id)); err == nil { // text always becomes JSON
			line = append(append(append(line, `"id":`...), text...), ',')
		}
	}
	line = append(line, `"score":`...)
	line = strconv.AppendFloat(line, s.Probability, 'g', -1, 64)
	line = append(line, `,"decision":`...)
	line = strconv.AppendInt(line, bit(s.Decision), 10)
	w.write(append(line, '}', '\n'))
}

func (w *jsonLines) rejected(r *record.Rejection) {
	line := append(w.line[:0], `{"score":null,"decision":null,"rejected":"`...)
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

// csvLines writes the columns id, score, decision and rejected.
type csvLines struct{ out *csv.Writer }

func (w *csvLines) decided(id []byte, s model.Score) {
	w.write(string(id), strconv.FormatFloat(s.Probability, 'g', -1, 64), strconv.FormatInt(bit(s.Decision), 10), "")
}

func (w *csvLines) rejected(r *record.Rejection) { w.write("", "", "", string(r.Reason)) }

func (w *csvLines) write(cells ...string) { _ = w.out.Write(cells) } // flush returns the error

func (w *csvLines) flush() error {
	w.out.Flush()
	return w.out.Error()
}
