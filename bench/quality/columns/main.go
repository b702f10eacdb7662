// Command columns writes records as fairstream's own columns, so that peers can learn from exactly what
// fairstream learns from. The encoder is learnt in one pass over the training file alone; then every record
// of both files is written as one line of the LIBSVM format: the label (0 or 1) and its non-zeros.
//
//	go run ./bench/quality/columns --config C.json --input TRAIN.csv --holdout TEST.csv --output DIRECTORY
//
// It writes DIRECTORY/train.svm and DIRECTORY/holdout.svm. A record that is rejected ends it: rows must
// stay in step with the files. It may import pkg/model and pkg/record.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	config := flag.String("config", "", "configuration with record, learner and constraints, as JSON")
	input := flag.String("input", "", "records that the encoder is learnt from")
	holdout := flag.String("holdout", "", "records that are only encoded")
	output := flag.String("output", "", "directory for train.svm and holdout.svm")
	flag.Parse()
	if err := run(*config, *input, *holdout, *output); err != nil {
		fmt.Fprintln(os.Stderr, "columns:", err)
		os.Exit(1)
	}
}

func run(configPath, input, holdout, output string) error {
	config, err := load(configPath)
	if err != nil {
		return err
	}
	learner, err := model.New(config)
	if err != nil {
		return err
	}
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	err = each(input, schema, func(r *record.Record) error { learner.Learn(r); return nil })
	if err != nil {
		return err
	}
	doc, err := learner.Document()
	if err != nil {
		return err
	}
	scorer, err := doc.Scorer()
	if err != nil {
		return err
	}
	if err := encode(scorer, schema, input, filepath.Join(output, "train.svm")); err != nil {
		return err
	}
	return encode(scorer, schema, holdout, filepath.Join(output, "holdout.svm"))
}

func load(path string) (model.Config, error) {
	config := model.Config{Learner: model.DefaultLearner()}
	text, err := os.ReadFile(path)
	if err != nil {
		return config, err
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return config, fmt.Errorf("%s: %w", path, err)
	}
	return config.WithDefaults(), nil
}

// each calls use with every record of a file.
func each(path string, schema *record.Schema, use func(*record.Record) error) (err error) {
	reader, err := record.Open(path, schema.Config().Limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	decoder := schema.NewDecoder()
	var r record.Record
	for {
		switch err := reader.Read(decoder, &r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := use(&r); err != nil {
			return err
		}
	}
}

func encode(scorer *document.Scorer, schema *record.Schema, from, to string) (err error) {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<16)
	var line []byte
	err = each(from, schema, func(r *record.Record) error {
		line = appendRow(line[:0], r.Positive, scorer.Encode(r))
		_, err := out.Write(line)
		return err
	})
	return errors.Join(err, out.Flush())
}

// appendRow writes one line. LIBSVM readers want rising indices, each once: values that share a hash
// bucket are added up, as the model does.
func appendRow(line []byte, positive bool, row features.Row) []byte {
	sums := map[int32]float64{}
	for i, index := range row.Index {
		sums[index] += row.At(i)
	}
	indices := make([]int32, 0, len(sums))
	for index := range sums {
		indices = append(indices, index)
	}
	slices.Sort(indices)
	line = append(line, '0')
	if positive {
		line[0] = '1'
	}
	for _, index := range indices {
		line = strconv.AppendInt(append(line, ' '), int64(index), 10)
		line = strconv.AppendFloat(append(line, ':'), sums[index], 'g', -1, 64)
	}
	return append(line, '\n')
}
