package main

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

// batch is how many records a large request has.
const batch = 1000

// distinct is how many records are asked about, in turns.
const distinct = 20 * batch

// number is a value of a CSV file that is a number in JSON.
var number = regexp.MustCompile(`:"(\d+)"`)

// lines are records of Adult as JSON, without their label.
func lines() (all []string, err error) {
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	for len(all) < distinct {
		if err := reader.Next(); errors.Is(err, io.EOF) {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
		line := number.ReplaceAllString(string(reader.AppendJSON(nil)), `:$1`)
		all = append(all, line[:strings.LastIndex(line, `,"income"`)]+"}")
	}
	return all, nil
}

// body is a request for decisions about records.
func body(lines []string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"records":[` + strings.Join(lines, ",") + `]}`)
	return b.Bytes()
}
