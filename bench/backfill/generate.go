package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// A generated history has more weights than a million records can tell: four columns of levels, each with an effect of its own, beside two
// numbers. Members of group b have levels with lower effects more often, so decisions differ between the groups.
const (
	columnsOfLevels = 4
	effectOfLevel   = .6 // standard deviation
)

// world is what generated records are drawn from.
type world struct {
	effects [columnsOfLevels][]float64
	random  *rand.Rand
}

func newWorld(seed uint64, levels int) *world {
	w := &world{random: rand.New(rand.NewPCG(seed, 2))}
	effects := rand.New(rand.NewPCG(1, 1)) // the same for all seeds
	for c := range w.effects {
		for range levels {
			w.effects[c] = append(w.effects[c], effectOfLevel*effects.NormFloat64())
		}
	}
	return w
}

// appendRecord appends a record as a line of CSV.
func (w *world) appendRecord(line []byte) []byte {
	r := w.random
	group, margin := byte('a'), -.3
	if r.Uint64()&3 == 0 {
		group = 'b'
	}
	line = append(line, group)
	for c := range columnsOfLevels {
		levels := len(w.effects[c])
		level := r.IntN(levels)
		if other := r.IntN(levels); group == 'b' && c < 2 && w.effects[c][other] < w.effects[c][level] {
			level = other
		}
		margin += w.effects[c][level]
		line = strconv.AppendInt(append(line, ',', 'v'), int64(level), 10)
	}
	for _, slope := range [...]float64{.5, -.3} {
		x := r.NormFloat64()
		margin += slope * x
		line = strconv.AppendFloat(append(line, ','), x, 'f', 2, 64)
	}
	label := byte('0')
	if r.Float64() < 1/(1+math.Exp(-margin)) {
		label = '1'
	}
	return append(line, ',', label, '\n')
}

const generatedHeader = "group,c0,c1,c2,c3,x0,x1,label\n"

// generatedConfig is the configuration of a generated history, with a window and a forgetting.
const generatedConfig = `job: generated
record:
  label: {field: label, positive: "1"}
learner: {window: %d, forgetting: %d}
constraints:
  - {name: group, attribute: group, group: b, versus: a, criterion: demographic-parity, tau: 0.05}
`

// generate writes so many records into files of a directory.
func generate(directory string, records, files, levels int, seed uint64) error {
	w := newWorld(seed, levels)
	for i := range files {
		if err := w.write(filepath.Join(directory, fmt.Sprintf("part-%03d.csv", i)), (i+1)*records/files-i*records/files); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) write(name string, records int) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	if _, err := out.WriteString(generatedHeader); err != nil {
		return err
	}
	var line []byte
	for range records {
		line = w.appendRecord(line[:0])
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
