package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	_ "embed"
)

// program is peers.py, which says what the peers are and how they are asked.
//
//go:embed peers.py
var program string

// peers are learners in Python that learn in one pass, too.
type peers struct{ vowpal, river quality }

// compare lets the peers learn records, and measures them on the others. They get what the batch regression gets.
func compare(ctx context.Context, python string, learnt, held []sample) (p peers, err error) {
	directory, err := os.MkdirTemp("", "wide")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	files := [2]string{filepath.Join(directory, "learnt"), filepath.Join(directory, "held")}
	for i, samples := range [][]sample{learnt, held} {
		if err := write(files[i], samples); err != nil {
			return p, err
		}
	}
	var complaints bytes.Buffer
	command := exec.CommandContext(ctx, python, "-W", "ignore", "-c", program, files[0], files[1])
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		return p, fmt.Errorf("%w\n%s", err, complaints.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(held) {
		return p, fmt.Errorf("%s: %d margins of %d records", python, len(lines), len(held))
	}
	for i, line := range lines {
		var margins [2]float64
		if _, err := fmt.Sscan(line, &margins[0], &margins[1]); err != nil {
			return p, fmt.Errorf("%s: margin %d: %w", python, i, err)
		}
		p.vowpal.add(margins[0], held[i].positive, len(held))
		p.river.add(margins[1], held[i].positive, len(held))
	}
	return p, nil
}

// write writes records as peers.py reads them.
func write(path string, samples []sample) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	var line []byte
	for i := range samples {
		s := &samples[i]
		line = append(line[:0], "-1"...)
		if s.positive {
			line = append(line[:0], '1')
		}
		for k, j := range s.dense.index {
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(j), 10)
			line = append(line, ':')
			line = strconv.AppendFloat(line, s.dense.value[k], 'g', 6, 64)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(out.Flush(), file.Close())
}
