package page_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/page/story"
)

// TestReleaseStates: the panel of versions says what is known, in every state, on a phone and on a desktop.
func TestReleaseStates(t *testing.T) {
	t.Parallel()
	for state, words := range map[string][]string{
		"learning":      {"came into use", "A person withdrew version", "ordered by mira: complaints about two decisions", "only if they have set a token", "cannot come into use again", "To go back to", "can withdraw it, and", "beyond the limit 0.1", "only shown", "all tests that decide", "so the version can come into use without passing there"},
		"first-version": {"no version has passed all tests yet", "The test of version"},
		"marked":        {"A person has paused", "A person has ordered the version in use to stay", "beyond its tolerance. It stays", "the next version will be tested"},
		"unreleased":    {"have switched the tests off", "The newest version is in use"},
		"standby":       {"The page of the instance that runs the job shows them"},
	} {
		t.Run(state, func(t *testing.T) {
			job := story.New(t, state, nil)
			url, _ := serve(t, job, "")
			if r := job.Status().Release; r != nil && r.Trial != nil {
				words = append(words, fmt.Sprintf("tested on %s records, %s with an outcome", board.Grouped(r.Trial.Observed), board.Grouped(r.Trial.Labelled)),
					board.Grouped(r.Trial.Deadline)+" more records with an outcome", "version "+board.Grouped(r.Candidate.Version))
			}
			for width, theme := range map[int64]string{375: "dark", 1440: "light"} { // TestPanels has the others
				p := open(t, url, width)
				p.theme(theme)
				for _, word := range words {
					p.wait("document.querySelector('#releases').textContent.includes(" + quote(word) + ")")
				}
				what := fmt.Sprintf("%s, %s at %d pixels", state, theme, width)
				p.fits(what)
				p.accessible(what)
			}
		})
	}
}

// orders notes what it is asked for, and answers as the owner of a job would.
type orders struct {
	mutex sync.Mutex
	all   []stream.Request
}

func (o *orders) ask(_ context.Context, r stream.Request) (*stream.Answer, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.all = append(o.all, r)
	answer := &stream.Answer{Term: 4, After: map[string]stream.Alias{stream.StableAlias: {Term: r.Term, Version: r.Version}}}
	if r.Reason == "refuse" {
		answer.Refused = "version 36,000 <b>cannot</b> become stable"
		return answer, &stream.RequestRefused{Answer: *answer}
	}
	return answer, nil
}

// TestOrders: promote and rollback ask for name, reason and token, and say what became of the order.
func TestOrders(t *testing.T) {
	t.Parallel()
	const token = "a-token-of-some-length"
	monitor, asked, job := server.NewMonitor("test", "adult"), &orders{}, story.New(t, "learning", nil).TakeOrders()
	monitor.Orders(asked.ask)
	candidate := job.Status().Release.Candidate
	edited := *job.Status().Release // the version before was withdrawn: another one is there for this test
	edited.Previous = &board.Place{Term: candidate.Term, Version: 1000, WeightsSHA256: strings.Repeat("ab", 32)}
	job.Scene().Status.Release = &edited
	s := httptest.NewServer(monitor.Handler(zap.NewAtomicLevel(), board.New(job), server.Access{Token: token}))
	t.Cleanup(s.CloseClientConnections)
	moments.Store(s.URL+"/", job.Scene().At)
	p := open(t, s.URL+"/", 375)
	p.expect("401 (Unauthorized)", "409 (Conflict)")
	p.wait("!document.querySelector('#access').hidden && document.activeElement.id === 'token'")
	p.do(chromedp.KeyEvent(token + "\r"))
	p.wait("!document.querySelector('#releases-orders').hidden && !document.querySelector('#order-promote').disabled")
	fill := func(button, name, reason, token string) {
		t.Helper()
		if button != "" {
			eval[bool](p, "document.querySelector("+quote(button)+").click() || true")
		}
		p.wait("document.querySelector('#order').open")
		eval[bool](p, "(document.querySelector('#order-actor').value = "+quote(name)+", document.querySelector('#order-reason').value = "+quote(reason)+
			", document.querySelector('#order-token').value = "+quote(token)+", document.querySelector('#order-send').click(), true)")
	}
	eval[bool](p, "document.querySelector('#order-promote').click() || true")
	p.wait("document.querySelector('#order').open")
	p.wait("(t => t.includes('comes into use') && /Of its 8 tests, it has ?passed 5: .*been found beyond the limit in 1: .race.no result yet in 1: .four fifths./.test(t) && t.includes('will no longer decide') && /race: difference .* beyond the limit 0.1\\. The version in use is beyond this limit, too/.test(t) && t.includes('The order skips'))(document.querySelector('#order-explain').textContent)")
	for _, width := range []int64{1440, 375} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.sound(fmt.Sprintf("order-%d", width))
	}
	p.keep("state-order.png")
	fill("", "", "", token)
	if eval[bool](p, "document.querySelector('#order-form').checkValidity()") {
		t.Error("an order without a name and a reason could be sent")
	}
	fill("", "maria", "it is fair", "wrong")
	p.wait("document.querySelector('#order-problem').innerText.includes('not the right one')")
	fill("", "maria", "refuse", token)
	p.wait("document.querySelector('#order-problem').innerText.includes('<b>cannot</b> become stable')")
	fill("", "maria", "it is fair", token)
	p.wait("!document.querySelector('#order').open && document.querySelector('#releases-answer').innerText.includes(" + quote("version "+board.Grouped(candidate.Version)+" is in use") + ")")
	if active := eval[string](p, "document.activeElement.id"); active != "order-promote" {
		t.Errorf("after the order the keyboard is at %q", active)
	}
	eval[bool](p, "document.querySelector('#order-rollback').click() || true")
	p.wait("document.querySelector('#order').open && document.querySelector('#order-explain').innerText.includes('cannot come into use again') && document.querySelector('#order-actor').value === 'maria'")
	fill("", "maria", "complaints", token)
	p.wait("!document.querySelector('#order').open")
	p.accessible("after an order")

	asked.mutex.Lock()
	defer asked.mutex.Unlock()
	var got []string
	for _, r := range asked.all {
		got = append(got, fmt.Sprintf("%s %d/%d %s: %s", r.Action, r.Term, r.Version, r.Actor, r.Reason))
	}
	want := fmt.Sprintf("promote %[1]d/%[2]d maria: refuse; promote %[1]d/%[2]d maria: it is fair; rollback %[1]d/1000 maria: complaints", candidate.Term, candidate.Version)
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("asked for %s, want %s", text, want)
	}
}
