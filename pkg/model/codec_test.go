package model_test

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

var update = flag.Bool("update", false, "write the golden files again")

// goldenState is what a golden file of the present version must restore to.
type goldenState struct {
	Config  model.Config `json:"config"`
	Version int64        `json:"version"`
	// Weights is the weights_sha256 of the state, WeightsLater that after the records of goldenLater.
	Weights      string `json:"weights_sha256"`
	WeightsLater string `json:"weights_sha256_later"`
}

func goldenConfig(mode model.Mode) model.Config {
	c := peopleConfig(mode, features.PiecewiseLinear,
		constraint("sex", fairness.DemographicParity, surrogate.Approximation1, "sex", "m", "f"),
		constraint("odds", fairness.EqualizedOdds, surrogate.Approximation3, "race", "a", "rest"))
	c.Learner.Columns["height"] = features.ColumnConfig{Type: features.Numeric, Encoding: features.Standardized}
	return c
}

// goldenConfigs are one of each mode, and a regression.
func goldenConfigs() map[string]model.Config {
	configs := map[string]model.Config{}
	for _, mode := range allModes {
		configs[string(mode)] = goldenConfig(mode)
	}
	configs["regression"] = regressionConfig(model.Adaptive, features.PiecewiseLinear, goldenConfig(model.Adaptive).Constraints...)
	for name, c := range configs {
		c.Record.Missing = []record.Text{"", "?"} // a state outlives a default that grows
		configs[name] = c
	}
	return configs
}

const (
	goldenRecords = 700
	goldenLater   = 300
)

// States of this version are in users' topics: they must be readable for good, and go on to the same weights.
// The files are written with -update, which only a new version, or a change before the first release, may do.
func TestGoldenStates(t *testing.T) {
	for name, config := range goldenConfigs() {
		for _, stage := range []string{"", "-warmup"} {
			t.Run(name+stage, func(t *testing.T) {
				path := filepath.Join("testdata", "state-"+name+stage)
				records := readRecords(t, config, peopleText(11, goldenRecords+goldenLater))
				first := goldenRecords
				if stage != "" {
					first = config.Learner.Warmup / 2
				}
				if *update {
					writeGolden(t, path, config, records, first)
				}
				state := readFile(t, path+".bin")
				var golden goldenState
				if err := json.Unmarshal(readFile(t, path+".json"), &golden); err != nil {
					t.Fatal(err)
				}
				l := restore(t, golden.Config, state)
				if d := documentOf(t, l); d.Version != golden.Version || d.WeightsSHA256 != golden.Weights {
					t.Errorf("version %d, weights_sha256 %s; they were %d and %s", d.Version, d.WeightsSHA256, golden.Version, golden.Weights)
				}
				for i := range records[first:] {
					l.Learn(&records[first+i])
				}
				if got := documentOf(t, l).WeightsSHA256; got != golden.WeightsLater {
					t.Errorf("after further records weights_sha256 is %s and was %s", got, golden.WeightsLater)
				}
			})
		}
	}
}

func writeGolden(t *testing.T, path string, config model.Config, records []record.Record, first int) {
	t.Helper()
	l := learn(t, config, records[:first])
	golden := goldenState{Config: config, Version: l.Version(), Weights: documentOf(t, l).WeightsSHA256}
	state := l.AppendState(nil)
	golden.WeightsLater = documentOf(t, learn(t, config, records)).WeightsSHA256
	data, err := json.MarshalIndent(golden, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{".bin": state, ".json": append(data, '\n')} {
		if err := os.WriteFile(path+name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// smallState is a state of every part, and its configuration.
func smallState(t *testing.T) (model.Config, []byte) {
	t.Helper()
	config := goldenConfig(model.Adaptive)
	return config, learn(t, config, readRecords(t, config, peopleText(12, 600))).AppendState(nil)
}

// mustRefuse restores bytes that are not a state, and returns the error.
func mustRefuse(t *testing.T, config model.Config, state []byte, what string) string {
	t.Helper()
	l, err := model.Restore(config, state)
	if err == nil || l != nil {
		t.Fatalf("%s: it is taken", what)
	}
	if !strings.HasPrefix(err.Error(), "model: restore: ") {
		t.Errorf("%s: the error does not say where it comes from: %v", what, err)
	}
	return err.Error()
}

// Whatever is cut off or changed is noticed, wherever it is.
func TestDamagedStates(t *testing.T) {
	config, state := smallState(t)
	for length := 0; length < len(state); length += 1 + length/50 {
		mustRefuse(t, config, state[:length], "cut short")
	}
	mustRefuse(t, config, append(state[:len(state):len(state)], 0), "a byte too many")
	mustRefuse(t, config, nil, "nothing")
	for at := 0; at < len(state); at += 1 + at/200 {
		damaged := append([]byte(nil), state...)
		damaged[at] ^= 1 << (at % 8)
		if message := mustRefuse(t, config, damaged, "a flipped bit"); at > 10 && !strings.Contains(message, "damaged") {
			t.Errorf("a flipped bit in byte %d: %s", at, message)
		}
	}
	for at := 0; at+64 < len(state); at += 509 {
		damaged := append([]byte(nil), state...)
		clear(damaged[at : at+64])
		mustRefuse(t, config, damaged, "zeros")
	}
}

// seal puts the right checksum on bytes, so that what comes after it is tested.
func seal(state []byte) []byte {
	body := state[:len(state)-4]
	return binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func TestStatesOfAnotherKind(t *testing.T) {
	config, state := smallState(t)
	change := func(f func(s []byte)) []byte {
		s := append([]byte(nil), state...)
		f(s)
		return seal(s)
	}
	const versionAt, sizeAt, configAt = 8, 10, 18
	size := binary.LittleEndian.Uint64(state[sizeAt:])
	lengthAt := configAt + int(size)
	for name, test := range map[string]struct {
		state []byte
		says  string
	}{
		"another magic":               {change(func(s []byte) { s[0] = 'f' }), "not the state of a learner"},
		"a later version":             {change(func(s []byte) { s[versionAt] = 5 }), "format version 5"},
		"the version before":          {change(func(s []byte) { s[versionAt] = 3 }), "fairstream state reset"},
		"version 0":                   {change(func(s []byte) { s[versionAt] = 0 }), "format version 0"},
		"a configuration too long":    {change(func(s []byte) { binary.LittleEndian.PutUint64(s[sizeAt:], 1<<60) }), "damaged"},
		"a configuration too short":   {change(func(s []byte) { binary.LittleEndian.PutUint64(s[sizeAt:], 5) }), "configuration"},
		"no configuration":            {change(func(s []byte) { s[configAt] = '[' }), "configuration"},
		"a body of another length":    {change(func(s []byte) { s[lengthAt]++ }), "damaged"},
		"a body of impossible length": {change(func(s []byte) { binary.LittleEndian.PutUint64(s[lengthAt:], 1<<62) }), "damaged"},
		"a body that is no zstd":      {change(func(s []byte) { s[lengthAt+8]++ }), "damaged"},
		"a document":                  {[]byte(`{"format":"fairstream-weights","format_version":1,"model":{}}`), "not the state"},
	} {
		t.Run(name, func(t *testing.T) {
			if message := mustRefuse(t, config, test.state, name); !strings.Contains(message, test.says) {
				t.Errorf("the error does not say %q: %s", test.says, message)
			}
		})
	}
}
