package score

import (
	"bufio"
	"fmt"

	"github.com/fairstream/fairstream/internal/decimals"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// csvLines writes lines of CSV as encoding/csv would, without a string for each cell: a line takes half the time. A line of a rejected record has the reason
// alone. Errors stay in out.
type csvLines struct {
	out                      *bufio.Writer
	kept                     *keeping
	decides, gives, explored bool
	weights                  string // the cells that say with which weights
	line                     []byte
}

func newCSVLines(out *bufio.Writer, kept *keeping, d *document.Document, decides, gives, explored bool) *csvLines {
	return &csvLines{out: out, kept: kept, decides: decides, gives: gives, explored: explored, weights: fmt.Sprintf(",%d,%s", d.Version, d.WeightsSHA256)}
}

// head writes the names of the columns.
func (w *csvLines) head() {
	names := []string{"id", "score", "rejected", "version", "weights_sha256"}
	if w.decides {
		names = []string{"id", "score", "decision", "rejected", "margin", "version", "weights_sha256"}
	}
	if w.gives {
		names = append(names, "probability")
	}
	if w.explored {
		names = append(names, "explored", "propensity")
	}
	line := w.line[:0]
	for i, name := range w.kept.columns(names) {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendCell(line, []byte(name))
	}
	w.write(line)
}

func (w *csvLines) answered(id []byte, a *scoring.Outcome) {
	line := append(appendCell(w.line[:0], id), ',')
	line = decimals.Append(line, a.Score)
	if w.decides {
		line = append(line, ',', bit(a.Positive), ',', ',')
		line = decimals.Append(line, a.Margin)
	} else {
		line = append(line, ',')
	}
	line = append(line, w.weights...)
	if w.gives {
		line = decimals.Append(append(line, ','), a.Probability)
	}
	if w.explored {
		line = append(line, ',', bit(a.Explored), ',')
		line = decimals.Append(line, a.Propensity)
	}
	w.write(w.kept.cells(line))
}

func (w *csvLines) rejected(r *record.Rejection) {
	before, after := ",,,", ",,,"
	if !w.decides {
		before, after = ",,", ",,"
	}
	line := append(append(append(w.line[:0], before...), r.Reason...), after...)
	if w.gives {
		line = append(line, ',')
	}
	if w.explored {
		line = append(line, ",,"...)
	}
	w.write(w.kept.cells(line))
}

// write ends a line.
func (w *csvLines) write(line []byte) {
	w.line = append(line, '\n')
	_, _ = w.out.Write(w.line) // flush returns the error
}

func (w *csvLines) flush() error { return w.out.Flush() }
