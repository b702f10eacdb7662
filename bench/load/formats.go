package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

// formatted learn the same records from topics in other formats, behind the header of a registry. They are measured if -readers names them.
var formatted = []reader{
	{"avro", (*load).learnFormat, true},
	{"protobuf", (*load).learnFormat, true},
}

// formatOf is the format of a reader's topic; empty: JSON.
func formatOf(name string) string {
	if slices.ContainsFunc(formatted, func(r reader) bool { return r.name == name }) {
		return name
	}
	return ""
}

// column is a field of the records.
type column struct {
	name   string // as JSON has it
	number bool
}

func (c column) word() string { return strings.ReplaceAll(c.name, "-", "_") }

// columnsOf gives the columns of lines, and of each line the cells.
func columnsOf(lines [][]byte) (columns []column, rows []map[string]string, err error) {
	for i, line := range lines {
		rows = append(rows, nil)
		if err := json.Unmarshal(line, &rows[i]); err != nil {
			return nil, nil, err
		}
	}
	for name := range rows[0] {
		number := !slices.ContainsFunc(rows, func(row map[string]string) bool {
			_, err := strconv.ParseInt(row[name], 10, 64)
			return err != nil
		})
		columns = append(columns, column{name, number})
	}
	slices.SortFunc(columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
	return columns, rows, nil
}

// encoded gives lines of JSON in a format, as serializers write them: id 1, in Protobuf the first type of its file, and no zeros.
func encoded(format string, lines [][]byte) ([][]byte, error) {
	columns, rows, err := columnsOf(lines)
	if err != nil || format == "" {
		return lines, err
	}
	messages := make([][]byte, 0, len(rows))
	for _, row := range rows {
		message := []byte{0, 0, 0, 0, 1}
		if format == "protobuf" {
			message = append(message, 0)
		}
		for i, c := range columns {
			cell := row[c.name]
			value, _ := strconv.ParseInt(cell, 10, 64)
			switch {
			case format == "avro" && c.number:
				message = binary.AppendVarint(message, value)
			case format == "avro":
				message = append(binary.AppendVarint(message, int64(len(cell))), cell...)
			case c.number && value != 0:
				message = binary.AppendUvarint(binary.AppendUvarint(message, uint64(i+1)<<3), uint64(value))
			case !c.number && cell != "":
				message = binary.AppendUvarint(message, uint64(i+1)<<3|2)
				message = append(binary.AppendUvarint(message, uint64(len(cell))), cell...)
			}
		}
		messages = append(messages, message)
	}
	return messages, nil
}

// schemaOf is the schema of the columns, and what a registry calls its type.
func schemaOf(format string, columns []column) (schema, kind string) {
	var fields []string
	for i, c := range columns {
		scalar := map[bool]string{true: "long", false: "string"}[c.number]
		if format == "protobuf" {
			scalar = map[bool]string{true: "int64", false: "string"}[c.number]
			fields = append(fields, fmt.Sprintf("%s %s = %d;", scalar, c.word(), i+1))
			continue
		}
		fields = append(fields, fmt.Sprintf(`{"name":%q,"type":%q}`, c.word(), scalar))
	}
	if format == "protobuf" {
		return `syntax = "proto3"; message Adult { ` + strings.Join(fields, " ") + " }", "PROTOBUF"
	}
	return `{"type":"record","name":"Adult","fields":[` + strings.Join(fields, ",") + "]}", "AVRO"
}

// describe notes the schema of the records, before a reader is measured.
func (l *load) describe() error {
	lines, err := lines.Adult()
	if err != nil {
		return err
	}
	columns, _, err := columnsOf(lines)
	if err == nil {
		l.schema, l.kind = schemaOf(l.format, columns)
	}
	return err
}

// learnFormat is learn of a topic in the format of l, whose schema it asks a registry for.
func (l *load) learnFormat(ctx context.Context) (_ int64, err error) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"schema": l.schema, "schemaType": l.kind})
	}))
	defer server.Close()
	options := l.options()
	if options.Format, err = formats.Open(record.Config{Format: record.Encoding(l.format)}, registry.Config{URLs: []string{server.URL}}.WithDefaults()); err != nil {
		return 0, err
	}
	defer options.Format.Close()
	s := stream.New(stream.Kafka(l.client), options)
	if err := s.Run(ctx); err != nil {
		return 0, err
	}
	return s.Status().Version, nil
}
