package model

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

// cross is a combination of columns whose combinations of values have weights of their own, where the residuals
// show that the columns alone do not do: see candidates.go.
type cross struct {
	columns []string
	parts   []int32 // the columns' indices; -1 while one has not been seen
}

func newCross(columns []string) cross {
	return cross{columns: columns, parts: slices.Repeat([]int32{-1}, len(columns))}
}

// token notes what a column contributes to the crosses of the present record.
func (e *encoder) token(c *column, index int32, token uint64) {
	if c.crossed {
		e.scratch.tokens[index] = token
		e.scratch.stamps[index] = e.scratch.record
	}
}

// crossPlace keeps the keys of crosses apart from those of columns.
const crossPlace = 1 << 32

// encodeCross adds the weight of a combination, if the record has all of its columns and it has earned one.
func (e *encoder) encodeCross(row *Row, i int, features []record.Field, grow bool) {
	key := uint64(0)
	for _, part := range e.crosses[i].parts {
		if part < 0 || e.scratch.stamps[part] != e.scratch.record {
			return
		}
		key = levelKey(crossPlace+uint64(i), key^e.scratch.tokens[part])
	}
	var text []byte
	if grow && e.words.find(key) == 0 && !e.words.overfull() && e.candidates.earned(key) {
		text = e.crossText(i, features)
	}
	e.encodeCandidate(row, int32(-1-i), key, text, grow)
}

// crossText names a combination for people: the values of categorical columns, the coarse bins of
// numeric ones.
func (e *encoder) crossText(i int, features []record.Field) []byte {
	var text []byte
	for k, part := range e.crosses[i].parts {
		if k > 0 {
			text = append(text, " & "...)
		}
		c, token := &e.columns[part], e.scratch.tokens[part]
		for _, p := range e.scratch.order {
			if p.column != part {
				continue
			}
			f := &features[p.field]
			_, number := readNumber(f.Text)
			switch {
			case f.Missing:
				text = append(text, missingWords...)
			case c.numeric && number:
				text = append(text, c.words(int32(token-2))...)
			default:
				text = append(text, f.Text...)
			}
		}
	}
	return text
}
