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
	"github.com/fairstream/fairstream/test/page/fake"
)

// TestReleaseStates: the panel of releases says what is known, in every state, on a phone and on a desktop.
func TestReleaseStates(t *testing.T) {
	t.Parallel()
	for state, words := range map[string][]string{
		"learning": {"36,000", "tested on 3,072 records, 2,896 with a label", "The tests need about 3,400 more records", "−0.118 to +0.036", "about 3,400",
			"97,104 more records with a label", "1,800 more records", "version 3/32000 is in use", "asked for by mira: a trial", "set server.token_file"},
		"first-version": {"none yet", "services use the newest version", "version 3/36000 is being tested", "The tests use 12.5 % of the records"},
		"marked":        {"A person has paused", "A person has ordered that the version in use stays", "outside its limit, and stays", "the next version is tested"},
		"unreleased":    {"has switched this off", "Services use the newest version"},
		"standby":       {"The owner's page shows the releases"},
	} {
		t.Run(state, func(t *testing.T) {
			url, _ := serve(t, fake.New(state, fake.Plain), "")
			for width, theme := range map[int64]string{375: "dark", 1440: "light"} { // TestPanels has the others
				p := open(t, url, width)
				p.theme(theme)
				for _, word := range words {
					p.wait("document.querySelector('#releases').innerText.includes(" + quote(word) + ")")
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
		answer.Refused = "version 3/36000 <b>cannot</b> become stable"
		return answer, &stream.RequestRefused{Answer: *answer}
	}
	return answer, nil
}

// TestOrders: promote and rollback ask for name, reason and token, and say what became of the order.
func TestOrders(t *testing.T) {
	t.Parallel()
	const token = "a-token-of-some-length"
	monitor, asked := server.NewMonitor("test", "adult"), &orders{}
	monitor.Orders(asked.ask)
	s := httptest.NewServer(monitor.Handler(zap.NewAtomicLevel(), board.New(fake.New("learning", fake.Plain).TakeOrders()), server.Access{Token: token}))
	t.Cleanup(s.CloseClientConnections)
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
	p.accessible("an order")
	p.fits("an order")
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
	p.wait("!document.querySelector('#order').open && document.querySelector('#releases-answer').innerText.includes('stable is version 36,000 (3/36000)')")
	if active := eval[string](p, "document.activeElement.id"); active != "order-promote" {
		t.Errorf("after the order the keyboard is at %q", active)
	}
	eval[bool](p, "document.querySelector('#order-rollback').click() || true")
	p.wait("document.querySelector('#order').open && document.querySelector('#order-explain').innerText.includes('barred') && document.querySelector('#order-actor').value === 'maria'")
	fill("", "maria", "complaints", token)
	p.wait("!document.querySelector('#order').open")
	p.accessible("after an order")

	asked.mutex.Lock()
	defer asked.mutex.Unlock()
	var got []string
	for _, r := range asked.all {
		got = append(got, fmt.Sprintf("%s %d/%d %s: %s", r.Action, r.Term, r.Version, r.Actor, r.Reason))
	}
	want := "promote 3/36000 maria: refuse; promote 3/36000 maria: it is fair; rollback 3/28000 maria: complaints"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("asked for %s, want %s", text, want)
	}
}
