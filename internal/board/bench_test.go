package board

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// BenchmarkFiftyPages is what one second of fifty open pages costs: one status, its serialisation and fifty writes.
func BenchmarkFiftyPages(b *testing.B) {
	h := newHub(&counter{}, time.Hour)
	server := httptest.NewServer((&Board{h}).API())
	defer server.Close()
	for range 50 {
		response, err := http.Get(server.URL + "/api/v1/events")
		if err != nil {
			b.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, response.Body) }() // ends with the server
		defer func() { _ = response.Body.Close() }()
	}
	for b.Loop() {
		h.mutex.Lock()
		h.send(h.news())
		h.mutex.Unlock()
		for caught := false; !caught; {
			caught = true
			h.mutex.Lock()
			for c := range h.clients {
				caught = caught && len(c.queue) == 0
			}
			h.mutex.Unlock()
		}
	}
}
