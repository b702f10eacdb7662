package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/go-faster/jx"

	"github.com/fairstream/fairstream/pkg/record"
)

// peer reads a file whole, as far as its own kind of record, and returns how many there were.
type peer struct {
	name string
	read func(text []byte) (records int, err error)
}

// BenchmarkPeers reads the Adult records with this package and with other readers of the same format, in turns,
// so that all of them see the machine in the same state. One operation is one file by each. What fairstream does
// beyond parsing, checking the text, knowing fields and missing values and hashing, is part of its time.
func BenchmarkPeers(b *testing.B) {
	b.Run("csv", func(b *testing.B) {
		comparePeers(b, adultCSV(), []peer{fairstream(b, record.CSV), {"encoding/csv", readCSV}})
	})
	b.Run("jsonl", func(b *testing.B) {
		comparePeers(b, adultNumbers(), []peer{fairstream(b, record.JSONLines),
			{"jx", readJX}, {"encoding/json,struct", readJSON[adultRecord]}, {"encoding/json,map", readJSON[map[string]any]}})
	})
}

// comparePeers reports the rate of each, and how many times faster the first one is.
func comparePeers(b *testing.B, text []byte, peers []peer) {
	seconds := make([]float64, len(peers))
	records := 0
	for b.Loop() {
		for i, p := range peers {
			start := time.Now()
			n, err := p.read(text)
			seconds[i] += time.Since(start).Seconds()
			if err != nil || records > 0 && n != records {
				b.Fatalf("%s: %d records, %v", p.name, n, err)
			}
			records = n
		}
	}
	b.ReportMetric(0, "ns/op") // it is of no use
	for i, p := range peers {
		b.ReportMetric(float64(records)*float64(b.N)/seconds[i], p.name+"-records/s")
		if i > 0 {
			b.ReportMetric(seconds[i]/seconds[0], "times-"+p.name)
		}
	}
}

func fairstream(b *testing.B, format record.Format) peer {
	decoder := adultSchema(b).NewDecoder()
	var rec record.Record
	return peer{"fairstream", func(text []byte) (int, error) {
		reader, err := record.NewReader(bytes.NewReader(text), format, record.Limits{})
		if err != nil {
			return 0, err
		}
		for n := 0; ; n++ {
			if err := reader.Read(decoder, &rec); err == io.EOF {
				return n, nil
			} else if err != nil {
				return n, err
			}
		}
	}}
}

func readCSV(text []byte) (int, error) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.ReuseRecord = true
	for n := -1; ; n++ { // the header is none
		if _, err := reader.Read(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

// adultRecord is one of the bundled records.
type adultRecord struct {
	Age           int    `json:"age"`
	Workclass     string `json:"workclass"`
	Fnlwgt        int    `json:"fnlwgt"`
	Education     string `json:"education"`
	EducationNum  int    `json:"education_num"`
	MaritalStatus string `json:"marital_status"`
	Occupation    string `json:"occupation"`
	Relationship  string `json:"relationship"`
	Race          string `json:"race"`
	Sex           string `json:"sex"`
	CapitalGain   int    `json:"capital_gain"`
	CapitalLoss   int    `json:"capital_loss"`
	HoursPerWeek  int    `json:"hours_per_week"`
	NativeCountry string `json:"native_country"`
	Income        string `json:"income"`
}

func readJSON[T any](text []byte) (n int, err error) {
	for line := range bytes.Lines(text) {
		var rec T
		if err := json.Unmarshal(line, &rec); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func readJX(text []byte) (n int, err error) {
	decoder := jx.DecodeBytes(nil)
	var fields [][]byte
	member := func(d *jx.Decoder, _ []byte) error {
		read := d.StrBytes
		if d.Next() != jx.String {
			read = func() ([]byte, error) { return d.Num() }
		}
		field, err := read()
		fields = append(fields, field)
		return err
	}
	for line := range bytes.Lines(text) {
		decoder.ResetBytes(line)
		fields = fields[:0]
		if err := decoder.ObjBytes(member); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
