package serve

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkScore decides 1,000 records a request over a connection of this machine.
func BenchmarkScore(b *testing.B) {
	doc, lines := learnt(b, 1000)
	server := httptest.NewServer(newService(b, small(Fixed(doc))).Handler())
	defer server.Close()
	body := []byte(bodyOf(lines))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		response, err := http.Post(server.URL+"/v1/score", "application/json", bytes.NewReader(body))
		must(b, err)
		_, err = io.Copy(io.Discard, response.Body)
		must(b, err)
		must(b, response.Body.Close())
	}
	b.ReportMetric(float64(b.N*len(lines))/b.Elapsed().Seconds(), "records/s")
}
