package page_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/test/page/story"
)

//go:embed testdata/axe.min.js
var axe string

// chromium is a browser, or why there is none. stop ends it.
type chromium struct {
	whole  context.Context
	failed error
	stop   func()
}

// running is that of all tests.
var running struct {
	sync.Mutex
	*chromium
}

func TestMain(m *testing.M) {
	code := m.Run()
	if running.chromium != nil {
		running.stop()
	}
	os.Exit(code)
}

// browser starts one for the first test that asks, and another one if it has crashed.
func browser() (context.Context, error) {
	running.Lock()
	defer running.Unlock()
	if running.chromium == nil || running.failed == nil && running.whole.Err() != nil {
		running.chromium = start()
	}
	return running.whole, running.failed
}

// names of the program, on Debian and elsewhere.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

func start() *chromium {
	var path string
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return &chromium{failed: fmt.Errorf("no browser: install one of %s", strings.Join(names, ", ")), stop: func() {}}
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	var err error
	for range 3 {
		whole, end := context.WithCancel(context.Background())
		allocator, gone := chromedp.NewExecAllocator(whole, options...)
		ctx, leave := chromedp.NewContext(allocator)
		// chromedp waits for the first answer and for the first tab for ever.
		giveUp := time.AfterFunc(patience, end)
		if err = chromedp.Do(ctx); giveUp.Stop() && err == nil {
			return &chromium{whole: ctx, stop: func() { leave(); gone(); end() }}
		}
		leave()
		gone()
		end()
	}
	return &chromium{failed: fmt.Errorf("%s was started three times and did not answer: %w", path, err), stop: func() {}}
}

// tab is a page in the browser. It collects what must not happen.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mutex    sync.Mutex
	problems []string
	// expected are parts of console messages that do not matter, or that a test brings about itself.
	expected []string
}

// moments are when the stories are that pages show, by address.
var moments sync.Map

// patience is how long a page may take to show anything, and answering how long the browser may take to answer, while other tests take the processors.
const (
	patience  = 2 * time.Minute
	answering = 4 * time.Minute
)

// open visits a page.
func open(t *testing.T, url string, width int64) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a real browser is left out with -short")
	}
	whole, err := browser()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(whole)
	t.Cleanup(cancel)
	// Chromium opens connections ahead. One that it uses late, on a busy machine, is closed by then, and the page asks again.
	p := &tab{t: t, ctx: ctx, base: url, expected: []string{"net::ERR_SOCKET_NOT_CONNECTED"}}
	giveUp := time.AfterFunc(patience, cancel) // a context that ends would take the tab with it
	if err := chromedp.Do(ctx); !giveUp.Stop() || err != nil {
		t.Fatalf("no tab: %v", err)
	}
	p.do(chromedp.EmulateViewport(width, 900))
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		at, isStory := moments.Load(url)
		if !isStory {
			return nil
		}
		// The page tells how long ago something was by the clock of the browser, which goes on from the moment of the story.
		source := fmt.Sprintf("{ const began = Date.now(), real = Date.now; Date.now = () => %d + real() - began }", at.(time.Time).UnixMilli())
		_, err := cdp.Call(ctx, target, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: source})
		return err
	}), chromedp.Navigate(url))
	t.Cleanup(p.quiet)
	return p
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, answering)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// get gives what an action of the browser returns.
func get[T any](p *tab, what string, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, answering)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	return value
}

// listen notes errors of the console and requests that leave the machine.
func (p *tab) listen(event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	note := func(format string, arguments ...any) {
		p.problems = append(p.problems, fmt.Sprintf(format, arguments...))
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		note("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			note("console: %v", e.Args)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			note("log: %s (%s)", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.base) && e.Request.URL != "about:blank" {
			note("a request outside: %s", e.Request.URL)
		}
	}
}

// quiet fails if something happened that must not.
func (p *tab) quiet() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, problem := range p.problems {
		if !slices.ContainsFunc(p.expected, func(part string) bool { return strings.Contains(problem, part) }) {
			p.t.Error(problem)
		}
	}
}

func (p *tab) expect(parts ...string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.expected = append(p.expected, parts...)
}

// eval gives the value of an expression.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	return get(p, expression[:min(len(expression), 1000)], chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.t.Helper()
	p.within(patience, expression)
}

func (p *tab) within(patience time.Duration, expression string) {
	p.t.Helper()
	for end := time.Now().Add(patience); !p.holds(expression); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("not within %v: %s\nthe page says: %s", patience, expression, eval[string](p, "document.body.innerText.slice(0, 1500)"))
		}
	}
}

// holds says whether an expression is true. It is not while the page is being loaded again.
func (p *tab) holds(expression string) bool {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, answering)
	defer cancel()
	holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")", chromedp.EvalAwaitPromise))
	var refused *cdproto.Error
	if err != nil && !errors.As(err, &refused) {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return holds && err == nil
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// theme makes the system dark or light.
func (p *tab) theme(name string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

// accessible runs axe-core, and fails on violations that are serious or critical, colour contrast among them.
func (p *tab) accessible(what string) {
	p.t.Helper()
	if !eval[bool](p, "typeof axe === 'object'") {
		eval[bool](p, axe+"; true")
	}
	const run = `axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.filter(v => ['serious', 'critical', 'moderate'].includes(v.impact))
		.map(v => v.impact + ' ' + v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + n.failureSummary).join('; ')))`
	for _, violation := range eval[[]string](p, run) {
		p.t.Errorf("%s: %s", what, violation)
	}
}

// fits fails if the page is wider than the window.
func (p *tab) fits(what string) {
	p.t.Helper()
	if size := eval[[]int](p, "[document.documentElement.scrollWidth, innerWidth]"); size[0] > size[1] {
		p.t.Errorf("%s: the page is %d pixels wide, and the window %d: %s", what, size[0], size[1],
			eval[string](p, "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll')).slice(0, 3).map(e => e.outerHTML.slice(0, 200)).join('\\n')"))
	}
}

// picture is the whole page as JPEG, or what the window shows as PNG.
func (p *tab) picture(whole bool) []byte {
	p.t.Helper()
	take := chromedp.CaptureScreenshot()
	if whole {
		take = chromedp.FullScreenshot(50)
	}
	return get(p, "a picture", take)
}

// serve serves the page of a source at an address, any free one if it is empty.
func serve(t *testing.T, source board.Source, address string) (url string, stop func()) {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	b := board.New(source)
	mux := http.NewServeMux()
	mux.Handle("/", b.Page())
	mux.Handle("/api/", b.API())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // the error says that it was closed
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			_ = server.Close() // the pages that are open go on without it
			<-ended
		})
	}
	t.Cleanup(stop)
	url = "http://" + listener.Addr().String() + "/"
	if job, isStory := source.(interface{ Scene() *story.Scene }); isStory {
		moments.Store(url, job.Scene().At)
	}
	return url, stop
}
