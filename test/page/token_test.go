package page_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/test/page/story"
)

// TestToken: without the token the page shows nothing of the job, and asks for it.
func TestToken(t *testing.T) {
	t.Parallel()
	const token = "a-token-of-some-length"
	monitor := server.NewMonitor("test", "adult")
	s := httptest.NewServer(monitor.Handler(zap.NewAtomicLevel(), board.New(story.New(t, "learning", nil)), server.Access{Token: token}))
	t.Cleanup(s.CloseClientConnections)
	p := open(t, s.URL+"/", 1000)
	p.expect("401 (Unauthorized)")
	p.wait("!document.querySelector('#access').hidden && document.activeElement.id === 'token'")
	p.accessible("the question for a token")
	p.keep("state-token.png")
	if eval[bool](p, "document.body.innerText.includes('Male')") {
		t.Error("the page shows names without the token")
	}
	p.do(chromedp.KeyEvent("wrong\r"))
	p.wait("document.querySelector('#access-problem').innerText.includes('not the right one')")
	p.do(chromedp.KeyEvent(token + "\r"))
	for _, shown := range panels {
		p.wait(shown)
	}
	p.wait("document.querySelector('#access').hidden")
	response, err := http.Get(s.URL + "/api/v1/status")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("the data without the token: %s", response.Status)
	}
}
