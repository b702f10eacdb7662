package avro

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// container is a file that the library wrote.
func container(tb testing.TB, schema string, codec ocf.Codec, values ...any) []byte {
	tb.Helper()
	var file bytes.Buffer
	w, err := ocf.NewWriter(&file, avro.MustParse(schema), ocf.WithCodec(codec), ocf.WithBlockCount(100))
	if err != nil {
		tb.Fatal(err)
	}
	for _, value := range values {
		if err := w.Encode(value); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return file.Bytes()
}

func everyValue(i int) map[string]any {
	at := time.Date(2026, 11, 21, 8, 30, 0, 500_000_000, time.UTC)
	return map[string]any{
		"y": int32(i % 2), "big": int64(math.MinInt64), "f": float32(0.1), "d": math.Ldexp(float64(i)/7, i%300-150), "whole": 39.0, "s": "é\"\\\n" + strings.Repeat("x", i%40), "t": true,
		"raw": []byte{1, 2, 255}, "four": []byte{1, 2, 3, 4}, "job": "miner", "gone": nil, "here": "", "amount": big.NewRat(int64(i-50), 100), "born": at.Truncate(24 * time.Hour),
		"at": at, "micro": at.Add(time.Microsecond), "here_at": at, "clock": 8*time.Hour + 30*time.Minute, "odd": "o", "person": map[string]any{"age": int32(39), "job": "clerk"},
		"partner": map[string]any{"age": int32(-1), "job": "miner"}, "list": []any{1.5, 1e21, math.NaN(), math.Inf(-1)}, "more": map[string]any{"k\"": int64(7)},
	}
}

// TestContainersHoldTheRecordsOfMessages: the lines of a file give the records that its schema gives of messages, whatever it is packed with.
func TestContainersHoldTheRecordsOfMessages(t *testing.T) {
	t.Parallel()
	zstd, err := ocf.ZstdCodec(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var values []any
	for i := range 250 {
		values = append(values, everyValue(i))
	}
	s := schemaOf(t, fields.Config{})
	for _, codec := range []ocf.Codec{ocf.NopCloser(ocf.DeflateCodec(flate.BestSpeed)), ocf.SnappyCodec(), zstd, nil} {
		var file []byte
		if codec != nil {
			file = container(t, everyType, codec, values...)
		} else {
			var b bytes.Buffer
			w, err := ocf.NewWriter(&b, avro.MustParse(everyType))
			if err != nil {
				t.Fatal(err)
			}
			for _, value := range values {
				if err := w.Encode(value); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			file = b.Bytes()
		}
		lines, err := NewLines(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := fields.NewReader(lines, fields.JSONLines, fields.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		walked, read := decoderOf(t, everyType, s), s.NewDecoder()
		var a, b fields.Record
		for i, value := range values {
			if err := errors.Join(walked.Decode(&a, &kafka.Record{Value: encode(t, everyType, value)}), reader.Read(read, &b)); err != nil {
				t.Fatal(err)
			}
			if flatten(&a) != flatten(&b) || a.Positive != b.Positive || len(a.Features) < 20 {
				t.Fatalf("record %d: %s\nin place of\n%s", i, flatten(&b), flatten(&a))
			}
		}
		if err := reader.Read(read, &b); err != io.EOF {
			t.Errorf("after the last record: %v", err)
		}
	}
}

const small = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"m","type":{"type":"map","values":"null"}}]}`

// TestDamagedContainers: with any byte changed, or cut off anywhere, a file gives lines or an error, and neither panics nor goes on for ever.
func TestDamagedContainers(t *testing.T) {
	t.Parallel()
	var values []any
	for i := range 50 {
		values = append(values, map[string]any{"y": int32(i), "s": strings.Repeat("a", i), "m": map[string]any{"k": nil}})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, codec := range []ocf.Codec{ocf.DeflateCodec(flate.BestSpeed), ocf.SnappyCodec()} {
		good := container(t, small, codec, values...)
		for at := range good {
			changed := bytes.Clone(good)
			changed[at] ^= byte(1 + random.IntN(255))
			for _, file := range [][]byte{changed, good[:at]} {
				lines, err := NewLines(bytes.NewReader(file))
				var n int64
				if err == nil {
					n, err = io.Copy(io.Discard, lines)
				}
				if n > 1<<20 {
					t.Fatalf("byte %d: %d bytes of lines (%v)", at, n, err)
				}
				if len(file) < len(good) && err == nil && n > 0 {
					t.Errorf("%d of %d bytes are a whole file", len(file), len(good))
				}
			}
		}
	}
}

// TestContainersThatAreRefused: each names what is wrong.
func TestContainersThatAreRefused(t *testing.T) {
	t.Parallel()
	head := func(schema, codec string) []byte {
		file := []byte(magic)
		file = binary.AppendVarint(file, 2)
		for _, text := range []string{"avro.schema", schema, "avro.codec", codec} {
			file = append(binary.AppendVarint(file, int64(len(text))), text...)
		}
		return append(append(file, 0), make([]byte, syncBytes)...)
	}
	block := func(count int64, data ...byte) []byte {
		file := binary.AppendVarint(head(small, "null"), count)
		file = append(binary.AppendVarint(file, int64(len(data))), data...)
		return append(file, make([]byte, syncBytes)...)
	}
	packed := func(codec string, data ...byte) []byte {
		file := append(binary.AppendVarint(binary.AppendVarint(head(small, codec), 1), int64(len(data))), data...)
		return append(file, make([]byte, syncBytes)...)
	}
	many := binary.AppendVarint([]byte{2, 0}, math.MaxInt64)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"JSON":                     {[]byte(`{"y":1}`), "is not an Avro container file"},
		"a codec":                  {head(small, "bzip2"), `codec "bzip2"`},
		"a recursive schema":       {head(`{"type":"record","name":"tree","fields":[{"name":"left","type":["null","tree"]}]}`, "null"), "tree contains itself"},
		"a schema of text":         {head(`"string"`, "null"), "not a record"},
		"a long header":            {binary.AppendVarint(append(binary.AppendVarint([]byte(magic), 1), 2, 'a'), math.MaxInt64), "more than the limit"},
		"a long block":             {binary.AppendVarint(binary.AppendVarint(head(small, "null"), 1), math.MaxInt64), "block 1"},
		"a map without an end":     {block(1, many...), "block 1"},
		"more records than it has": {block(2, 2, 0, 0), "the message ends within a value"},
		"not packed":               {packed("deflate", 0xff, 0xff), "block 1 of the Avro container file is damaged"},
		"not packed with snappy":   {packed("snappy", 0xff, 0xff), "block 1 of the Avro container file is damaged"},
		"a marker of another file": {append(block(1, 2, 0, 0)[:len(block(1, 2, 0, 0))-1], 1), "its sync marker is wrong"},
		"no marker":                {block(1, 2, 0, 0)[:len(block(1, 2, 0, 0))-1], "the file ends within it"},
		"fewer":                    {block(1, 2, 0, 0, 2), "bytes follow its records"},
		"very many":                {block(1<<60, 2, 0, 0), "the number of its records"},
	} {
		lines, err := NewLines(bytes.NewReader(c.file))
		if err == nil {
			_, err = io.Copy(io.Discard, lines)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.avro")
	if err := os.WriteFile(path, []byte("Obj"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path); err == nil || !strings.HasPrefix(err.Error(), path+": is not an Avro") {
		t.Error(err)
	}
}

// FuzzContainer: no bytes of a block make the lines endless, or other than lines of JSON.
func FuzzContainer(f *testing.F) {
	f.Add([]byte{2, 0, 0})
	s, err := parse(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := printer{in: input{data: data}, steps: maxSteps}
		line, err := p.value(nil, s)
		if err == nil && (line[0] != '{' || line[len(line)-1] != '}' || bytes.IndexByte(line, '\n') >= 0) {
			t.Fatalf("%q", line)
		}
	})
}
