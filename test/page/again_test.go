package page_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/test/page/story"
)

// TestAFileIsMissing: a page of which a file does not arrive says that it is incomplete, and loads itself again until it is whole.
func TestAFileIsMissing(t *testing.T) {
	t.Parallel()
	b := board.New(story.New(t, "ok", nil))
	var refused, whole atomic.Int64
	page := b.Page()
	mux := http.NewServeMux()
	mux.Handle("/api/", b.API())
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/assets/verdicts.js" && whole.Load() == 0 {
			refused.Add(1)
			http.Error(w, "", http.StatusServiceUnavailable)
			return
		}
		page.ServeHTTP(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := open(t, server.URL+"/", 1000)
	p.expect("503 (Service Unavailable)")
	p.wait("document.querySelector('main')?.innerText.includes('did not arrive, so it may show nothing, or too little. It is loaded again in 2 seconds.')")
	p.accessible("incomplete")
	p.wait("document.querySelector('main')?.innerText.includes('It is loaded again in 4 seconds.')")
	whole.Store(1)
	p.wait("document.body?.innerText.includes('Are the decisions fair now?') && !document.body.innerText.includes('did not arrive') && sessionStorage.getItem('again') === null")
	if refused.Load() < 2 {
		t.Errorf("the file was asked for %d times", refused.Load())
	}
}
