package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/fairstream/fairstream/internal/decimals"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// score answers POST /v1/score: {"records":[{…},…]} gives {"results":[{…},…]}, a result for each record in its place.
func (s *Service) score(w http.ResponseWriter, r *http.Request) error {
	body, err := s.read(w, r)
	if err != nil {
		return err
	}
	defer body.release()
	records, keys, err := s.records(body.bytes, body.list[:0])
	body.list = records
	if err != nil {
		return err
	}
	size := 64 + 160*len(records)
	answer, err := body.answer(size)
	if err != nil {
		return err
	}
	j := s.begin(r, keys)
	answer = append(answer, `{"results":[`...)
	answer, err = s.all(r.Context(), 0, j, records, answer, func(out []byte, _ int, by *judge, o scoring.Outcome) []byte {
		return append(appendResult(out, by, o), ',')
	})
	if err != nil {
		return err
	}
	if err := body.hold(cap(answer) - size); err != nil { // reasons may be longer than decisions
		return err
	}
	if len(records) > 0 {
		answer = answer[:len(answer)-1] // the last comma
	}
	reply(w, j.id, "application/json", append(answer, ']', '}', '\n'))
	return nil
}

// records are those of a body, appended to an empty list, and their keys if it has some.
func (s *Service) records(body []byte, list [][]byte) (records, keys [][]byte, err error) {
	given := false
	records = list
	err = members(body, func(name string, at int) (end int, err error) {
		switch name {
		case "records":
			given = true
			records, end, err = s.list(records[:0], name, body, at)
			return end, err
		case "keys":
			if keys, end, err = s.list(nil, name, body, at); err != nil {
				return end, err
			}
			for i := range keys {
				if keys[i], err = keyText(keys[i]); err != nil {
					return end, err
				}
			}
			return end, nil
		}
		return at, &refusal{http.StatusBadRequest, shown(name) + " is unknown: a request has records, and may have keys"}
	})
	switch refused := (*refusal)(nil); {
	case errors.As(err, &refused):
		return records, nil, err
	case err != nil:
		return records, nil, &refusal{http.StatusBadRequest, "the body is not a JSON object of the form {\"records\":[{…}]}"}
	case !given:
		return records, nil, &refusal{http.StatusBadRequest, "records is missing: send {\"records\":[{…}]}"}
	case keys != nil && len(keys) != len(records):
		return records, nil, &refusal{http.StatusBadRequest, fmt.Sprintf("there are %d keys for %d records: give each record one, null if it has none", len(keys), len(records))}
	}
	return records, keys, nil
}

// list appends the elements of an array.
func (s *Service) list(to [][]byte, name string, body []byte, at int) (list [][]byte, end int, err error) {
	if at >= len(body) || body[at] != '[' {
		return to, at, &refusal{http.StatusBadRequest, name + " is not an array"}
	}
	end, err = elements(body, at, func(element []byte) error {
		if len(to) == s.o.Records {
			return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("a request may have %d records (serve.records)", s.o.Records)}
		}
		to = append(to, element)
		return nil
	})
	return to, end, err
}

// keyText is a key in JSON: a text, or null.
func keyText(key []byte) ([]byte, error) {
	var given *string
	if err := json.Unmarshal(key, &given); err != nil {
		return nil, &refusal{http.StatusBadRequest, "a key is neither a text nor null"}
	}
	if given == nil {
		return nil, nil
	}
	return []byte(*given), nil
}

// appendResult writes what became of a record.
func appendResult(line []byte, by *judge, o scoring.Outcome) []byte {
	line = append(line, '{')
	if r := o.Rejection; r != nil {
		line = appendText(append(line, `"error":`...), r.Error())
		line = appendText(append(line, `,"reason":`...), string(r.Reason))
		if r.Field != "" {
			line = appendText(append(line, `,"field":`...), r.Field)
		}
	} else {
		line = decimals.Append(append(line, `"score":`...), o.Score)
		line = decimals.Append(append(line, `,"margin":`...), o.Margin)
		if by.Decides() {
			line = append(line, `,"decision":0`...)
			if o.Positive {
				line[len(line)-1] = '1'
			}
			line = o.AppendExploration(line)
		}
		if by.GivesProbability() {
			line = decimals.Append(append(line, `,"probability":`...), o.Probability)
		}
		line = o.AppendUnread(line)
	}
	return append(append(line, by.Tail()...), '}')
}

func appendText(line []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a text always becomes JSON
	return append(line, quoted...)
}
