package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
)

// FuzzParseDocument gives documents, and models with the hash put right, to everything that reads them.
func FuzzParseDocument(f *testing.F) {
	records := smallRecords(120)
	for _, config := range smallConfigs() {
		l, err := New(config)
		if err != nil {
			f.Fatal(err)
		}
		for i := range records {
			l.Learn(&records[i])
		}
		d, err := l.Document()
		if err != nil {
			f.Fatal(err)
		}
		data, err := d.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte(d.Model))
	}
	for _, model := range []string{`{}`, `null`, `{"columns":[{"name":"a","type":"numeric","knots":[],"knot_weights":[]}]}`,
		`{"columns":[{"name":"a","type":"numeric","bins":[1],"coarse":[0],"coarse_bins":[1],"single_value":[true]}]}`,
		`{"columns":[{"name":"b","type":"numeric","standardized":{"mean":1e308,"scale":1e308,"weight":1e308}}],"buckets":[1]}`,
		`{"columns":[{"name":"a","type":"categorical"}],"crosses":[{"columns":["a","a"],"levels":[]},{"columns":[],"levels":[]}]}`} {
		f.Add([]byte(`{"format":"fairstream-weights","format_version":1}`), []byte(model))
	}
	f.Fuzz(func(t *testing.T, data, model []byte) {
		var d document.Document
		if json.Unmarshal(data, &d) != nil {
			if _, err := document.Parse(data); err == nil {
				t.Error("what is no JSON is a document")
			}
			return
		}
		var compact bytes.Buffer
		if json.Compact(&compact, model) == nil {
			d.Format, d.FormatVersion = document.Format, document.FormatVersion
			d.Model, d.WeightsSHA256 = compact.Bytes(), hashOf(compact.Bytes())
		}
		data, err := d.Encode()
		if err != nil {
			return // a configuration that no JSON holds
		}
		parsed, err := document.Parse(data)
		if err != nil {
			return
		}
		scorer, err := parsed.Scorer()
		if _, explain := parsed.Explain(); (explain == nil) != (err == nil) {
			t.Errorf("the scorer says %v, the explanation %v", err, explain)
		}
		if err != nil {
			return
		}
		for i := range records[:20] {
			scorer.Margin(&records[i])
		}
		if e, err := document.NewEvaluation(parsed); err == nil && len(parsed.Config.Attributes()) <= 1 {
			for i := range records[:20] {
				e.Add(&records[i])
			}
			e.Report()
		}
	})
}

func hashOf(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
