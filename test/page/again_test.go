package page_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

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
	for end := time.Now().Add(patience); refused.Load() < 2; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the file was asked for %d times", refused.Load())
		}
	}
	whole.Store(1)
	p.wait("document.body?.innerText.includes('Are the decisions fair now?') && !document.body.innerText.includes('did not arrive') && sessionStorage.getItem('again') === null")

	// What the page says stays for a minute at the sixth time, and for 2 seconds at the first.
	whole.Store(0)
	eval[bool](p, "sessionStorage.setItem('again', '5') || true")
	p.do(chromedp.Navigate(server.URL + "/"))
	p.wait("document.querySelector('main')?.innerText.includes('did not arrive, so it may show nothing, or too little. It is loaded again in 60 seconds.') && sessionStorage.getItem('again') === '6'")
	p.accessible("incomplete")
}
